"""Node: check every claim of the answer against the passages."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.answers import (
    AnswerRequest,
    Citation,
    Claim,
    PassageView,
    citations_of,
    faults_of,
    write_out,
)
from mindatlas.nodes.mindtrip.parts.extractive_answerer import is_volatile, kind_of
from mindatlas.nodes.mindtrip.parts.followups import Turn, turn_of
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.parts.wording import answer_notes
from mindatlas.nodes.text import language_of


class In(TypedDict):
    """What the node reads."""

    question: str
    rewritten_query: str
    passages: list[PassageView]
    exclude_entities: list[str]
    already_shown: list[str]
    conditions: list[dict[str, Any]]
    named: list[str]
    near: list[str]
    shown_filters: dict[str, Any]
    claims: list[dict[str, str]]


class Out(TypedDict):
    """What the node writes: the answer as text, or the faults that keep it from being one."""

    answer: str
    citations: list[Citation]
    faults: list[str]
    stop_reason: str
    turn: Turn
    filters: dict[str, Any]


def verify_answer(state: In, parts: MindTripParts) -> Out:
    """Return the written answer with its citations when no claim has a fault, else the faults."""
    base = parts.knowledge_base()
    claims = [Claim(**claim) for claim in state["claims"]]
    language = language_of(state["question"])
    request = AnswerRequest(
        question=state["question"],
        language=language,
        passages=state["passages"],
        excluded=state["exclude_entities"],
    )
    faults = faults_of(request, claims, base.entities) if parts.enabled("verify_answer") else []
    notes = answer_notes(language, state["exclude_entities"], volatile=is_volatile(state["question"]))
    return Out(
        answer="" if faults else write_out(claims, notes, numbered=kind_of(state["question"]) == "options"),
        citations=[] if faults else citations_of(claims, state["passages"]),
        faults=faults,
        stop_reason="" if faults else "answered",
        turn=turn_of(state),
        filters=state["shown_filters"],
    )
