"""Node: read what the question asks of the fields of the knowledge base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.conditions import Condition, filter_conditions, shown
from mindatlas.nodes.mindtrip.parts.constraints import ConstraintReading
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts


class In(TypedDict):
    """What the node reads."""

    rewritten_query: str
    asked_filters: dict[str, Any]
    inherited: dict[str, Any]
    near: list[str]


class Out(TypedDict):
    """What the node writes."""

    conditions: list[dict[str, Any]]
    named: list[str]
    near: list[str]
    filters: dict[str, Any]
    shown_filters: dict[str, Any]


def read_constraints(state: In, parts: MindTripParts) -> Out:
    """Return the conditions in the query, after the caller's own filters, and the subjects it names.

    A follow-up keeps the conditions of the turn before where it says nothing about the same fields, and all of
    them only where it asks for nothing of its own.

    Raises:
        UsageError: a filter names no field of the knowledge base.
    """
    base = parts.knowledge_base()
    own = filter_conditions(state["asked_filters"], base.table)
    if not parts.enabled("read_constraints"):
        filters = shown(own)
        return Out(
            conditions=[c.to_dict() for c in own], named=[], near=[], filters=filters, shown_filters=filters
        )
    reading = base.constraint_reader.read(state["rewritten_query"])
    anchors = list(state["near"]) or (list(reading.named) if reading.nearby else [])
    conditions = [*own, *reading.conditions, *_inherited(state, reading)]
    if (
        anchors and not base.has_relations
    ):  # no record says what is near: the town of the anchor is the next best
        conditions += town_of(base, anchors, conditions)
        anchors = []
    filters = shown(condition for condition in conditions if condition.strength != "soft")
    return Out(
        conditions=[condition.to_dict() for condition in dict.fromkeys(conditions)],
        named=[name for name in reading.named if name not in anchors],
        near=anchors,
        filters=filters,
        shown_filters=filters,
    )


def town_of(base: KnowledgeBase, anchors: Sequence[str], conditions: Sequence[Condition]) -> list[Condition]:
    """Return a hard condition for the towns of `anchors`, none where the question names a town itself."""
    fields = tuple(field.name for field in base.table.with_role("city"))
    if any(set(condition.fields) & set(fields) for condition in conditions):
        return []
    rows = [row for name in anchors for row in base.rows_named(name)]
    stated = (base.passages[row].metadata.get(field) for row in rows for field in fields)
    towns = tuple(dict.fromkeys(value for value in stated if isinstance(value, str)))
    surface = "、".join(anchors)
    return (
        [Condition(fields=fields, operator="equal", values=towns, strength="hard", surface=surface)]
        if towns
        else []
    )


def _inherited(state: In, reading: ConstraintReading) -> list[Condition]:
    before = [Condition.from_dict(data) for data in state["inherited"]["conditions"]]
    said = {field for condition in reading.conditions for field in condition.fields}
    asks_anew = any(condition.strength != "hard" for condition in reading.conditions)
    kept = [condition for condition in before if not said & set(condition.fields)]
    return [condition for condition in kept if condition.strength in {"hard", "filter"} or not asks_anew]
