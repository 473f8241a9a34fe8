"""Node: end without an answer, honestly, and say what would help."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.answers import Citation, PassageView
from mindatlas.nodes.mindtrip.parts.followups import Turn, turn_of
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.parts.wording import refusal
from mindatlas.nodes.text import language_of


class In(TypedDict):
    """What the node reads."""

    question: str
    lost: list[str]
    rewritten_query: str
    conditions: list[dict[str, Any]]
    exclude_entities: list[str]
    already_shown: list[str]
    named: list[str]
    near: list[str]
    shown_filters: dict[str, Any]


class Out(TypedDict):
    """What the node writes."""

    answer: str
    passages: list[PassageView]
    citations: list[Citation]
    stop_reason: str
    turn: Turn
    filters: dict[str, Any]


def refuse(state: In, parts: MindTripParts) -> Out:
    """Return why there is no answer: an exclusion that leaves nothing is named and offered to be lifted."""
    reason = "exclusion_left_nothing" if state["lost"] else "nothing_supported"
    return Out(
        answer=refusal(language_of(state["question"]), reason, state["lost"]),
        passages=[],
        citations=[],
        stop_reason=reason,
        turn=turn_of({**state, "passages": []}),
        filters=state["shown_filters"],
    )
