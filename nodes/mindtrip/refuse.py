"""Node: end without an answer, honestly, and say what would help."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.answers import Citation, PassageView
from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.evidence import EvidenceScorer, supported
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.parts.wording import refusal
from mindatlas.nodes.text import language_of


class In(TypedDict):
    """What the node reads."""

    question: str
    rewritten_query: str
    conditions: list[dict[str, Any]]
    set_aside: list[dict[str, str]]


class Out(TypedDict):
    """What the node writes."""

    answer: str
    passages: list[PassageView]
    citations: list[Citation]
    stop_reason: str


def refuse(state: In, parts: MindTripParts) -> Out:
    """Return why there is no answer: an exclusion that leaves nothing is named and offered to be lifted."""
    aside = _would_have_answered(state, parts)
    reason = "exclusion_left_nothing" if aside else "nothing_supported"
    text = refusal(language_of(state["question"]), reason, aside)
    return Out(answer=text, passages=[], citations=[], stop_reason=reason)


def _would_have_answered(state: In, parts: MindTripParts) -> list[str]:
    """Return the entities set aside that support an answer, so that lifting the exclusion would help."""
    base = parts.knowledge_base()
    conditions = [Condition.from_dict(data) for data in state["conditions"]]
    scorer = EvidenceScorer(base, state["rewritten_query"], conditions=conditions)
    supports = {entry["id"]: scorer.support(base.rows[entry["id"]]) for entry in state["set_aside"]}
    names = {entry["id"]: entry["entity"] for entry in state["set_aside"]}
    return list(dict.fromkeys(names[passage_id] for passage_id in supported(supports)))
