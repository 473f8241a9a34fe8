"""Node: answer from the passages."""

from __future__ import annotations

from dataclasses import asdict

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.answers import AnswerRequest, PassageView
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.text import language_of


class In(TypedDict):
    """What the node reads."""

    question: str
    rewritten_query: str
    passages: list[PassageView]
    exclude_entities: list[str]
    faults: list[str]
    attempts: int


class Out(TypedDict):
    """What the node writes."""

    claims: list[dict[str, str]]
    attempts: int


def answer(state: In, parts: MindTripParts) -> Out:
    """Return the claims of an answer, after mending the faults named in the state, if any."""
    claims = parts.answerer(parts.knowledge_base()).answer(request_of(state))
    return Out(claims=[asdict(claim) for claim in claims], attempts=state["attempts"] + 1)


def request_of(state: In) -> AnswerRequest:
    """Return what an answerer is asked in this state."""
    return AnswerRequest(
        question=state["rewritten_query"],
        language=language_of(state["question"]),
        passages=state["passages"],
        excluded=state["exclude_entities"],
        faults=state["faults"],
    )
