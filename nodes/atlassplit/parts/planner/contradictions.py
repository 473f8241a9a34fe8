"""Finds conditions that no row can meet together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date

from mindatlas.nodes.atlassplit.parts.planner.conditions import (
    AllOf,
    Compare,
    Condition,
    During,
    Empty,
    Not,
    OneOf,
    columns_of,
)
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column
from mindatlas.nodes.text import fold


def contradict(conditions: Iterable[Condition]) -> bool:
    """Return whether conditions that must all hold exclude each other, judged column by column.

    Alternatives (or) are not looked into, so False only means that no contradiction was found.
    """
    simple = list(_simple(conditions))
    columns = {column for condition in simple for column in columns_of(condition)}
    return any(_impossible(column, [c for c in simple if columns_of(c) == (column,)]) for column in columns)


def _simple(conditions: Iterable[Condition]) -> Iterator[Condition]:
    for condition in conditions:
        if isinstance(condition, AllOf):
            yield from _simple(condition.conditions)
        else:
            yield condition


def _impossible(column: Column, conditions: list[Condition]) -> bool:
    del column
    empty = any(isinstance(condition, Empty) for condition in conditions)
    filled = any(_needs_value(condition) for condition in conditions)
    return (
        (empty and filled)
        or _no_value_left(conditions)
        or _no_number_left(conditions)
        or _no_day_left(conditions)
    )


def _needs_value(condition: Condition) -> bool:
    if isinstance(condition, Not):
        return isinstance(condition.condition, Empty)
    if isinstance(condition, Compare):
        return condition.comparison != "!="
    return isinstance(condition, OneOf | During)


def _no_value_left(conditions: list[Condition]) -> bool:
    wanted: set[str] | None = None
    unwanted: set[str] = set()
    for condition in conditions:
        if isinstance(condition, OneOf):
            values = set(map(fold, condition.values))
            wanted = values if wanted is None else wanted & values
        elif isinstance(condition, Not) and isinstance(condition.condition, OneOf):
            unwanted |= set(map(fold, condition.condition.values))
    return wanted is not None and not wanted - unwanted


def _no_number_left(conditions: list[Condition]) -> bool:
    low, high = (float("-inf"), True), (float("inf"), True)  # value, whether it is included
    equal: set[float] = set()
    unequal: set[float] = set()
    for condition in _comparisons(conditions):
        sign, value = condition.comparison, condition.value
        if sign in (">", ">="):
            low = max(low, (value, sign == ">="), key=lambda end: (end[0], not end[1]))
        elif sign in ("<", "<="):
            high = min(high, (value, sign == "<="), key=lambda end: (end[0], end[1]))
        elif sign == "==":
            equal.add(value)
        else:
            unequal.add(value)
    if len(equal) > 1 or equal & unequal:
        return True
    points = [(value, True) for value in equal] or [low]
    first = points[0]
    if equal and (first[0] < low[0] or (first[0] == low[0] and not low[1])):
        return True
    return first[0] > high[0] or (first[0] == high[0] and not (first[1] and high[1]))


def _comparisons(conditions: list[Condition]) -> Iterator[Compare]:
    opposite = {">": "<=", ">=": "<", "<": ">=", "<=": ">", "==": "!=", "!=": "=="}
    for condition in conditions:
        if isinstance(condition, Compare):
            yield condition
        elif isinstance(condition, Not) and isinstance(condition.condition, Compare):
            inner = condition.condition
            sign = opposite[inner.comparison]
            yield Compare(column=inner.column, comparison=sign, value=inner.value)  # type: ignore[arg-type]


def _no_day_left(conditions: list[Condition]) -> bool:
    spans = [condition for condition in conditions if isinstance(condition, During)]
    start = max((span.start for span in spans if span.start), default=date.min)
    end = min((span.end for span in spans if span.end), default=date.max)
    return start > end
