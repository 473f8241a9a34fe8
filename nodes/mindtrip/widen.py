"""Node: no longer require the conditions that may be dropped, once, and say so."""

from __future__ import annotations

from dataclasses import replace
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
    """Return the firm conditions as soft ones, which still raise a rank, and a notice that names them."""
    conditions = [Condition.from_dict(data) for data in state["conditions"]]
    dropped = "、".join(condition.surface for condition in conditions if condition.strength == "firm")
    widened = [replace(c, strength="soft") if c.strength == "firm" else c for c in conditions]
    filters = shown(condition for condition in widened if condition.strength != "soft")
    return Out(
        conditions=[condition.to_dict() for condition in widened],
        filters=filters,
        shown_filters=filters,
        widened=True,
        notices=[*state["notices"], f"Nothing met every condition; no longer required: {dropped}"],
    )
