"""Node: drop the conditions that may be dropped, once, and say so."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.conditions import Condition, shown
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts


class In(TypedDict):
    """What the node reads."""

    conditions: list[dict[str, Any]]
    notices: list[str]


class Out(TypedDict):
    """What the node writes."""

    conditions: list[dict[str, Any]]
    filters: dict[str, Any]
    shown_filters: dict[str, Any]
    widened: bool
    notices: list[str]


def widen(state: In, parts: MindTripParts) -> Out:
    """Return only the conditions that must hold, and a notice that names those dropped."""
    conditions = [Condition.from_dict(data) for data in state["conditions"]]
    kept = [condition for condition in conditions if condition.strength in {"filter", "hard"}]
    dropped = "、".join(condition.surface for condition in conditions if condition.strength == "firm")
    filters = shown(kept)
    return Out(
        conditions=[condition.to_dict() for condition in kept],
        filters=filters,
        shown_filters=filters,
        widened=True,
        notices=[*state["notices"], *([f"Nothing met every condition; searched again without: {dropped}"] if dropped else [])],
    )
