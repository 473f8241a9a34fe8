"""Reads comparisons with numbers: 大于1000, at least 5, 在10到20之间, 10%以上."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from mindatlas.nodes.atlassplit.parts.planner.conditions import (
    AllOf,
    AnyOf,
    Compare,
    Comparison,
    Condition,
)
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column

_COMPARISONS: dict[str, Comparison] = {sign: sign for sign in get_args(Comparison)}


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A number with the sign of its comparison."""

    comparison: Comparison
    value: float
    text: str
    percent: bool
    scaled: bool


@attempt
def read_bounds(cursor: Cursor, draft: Draft) -> tuple[Bound, ...] | None:
    """Return one bound, two for a range, or several equalities (1、2或3)."""
    between = _between(cursor)
    if between:
        return between
    cursor.skip("filler")
    sign = cursor.take("compare")
    if sign == "==" and cursor.sees("compare") and cursor.token.classes["compare"] not in ("==", "!="):
        sign = cursor.take("compare")  # is greater than
    number = _number(cursor)
    if number is None:
        return None
    behind = cursor.take("compare_after")
    if behind is None and cursor.sees("below_or") and sign is None:
        draft.refuse("ambiguous", "inclusive", number.text + cursor.token.text)
    if behind is not None and sign not in (None, "=="):
        return None
    if sign is None and behind is None:
        return None
    bound = _as(number, _COMPARISONS[behind or sign or "=="])
    return (bound, *_further(cursor, bound)) if bound.comparison in ("==", "!=") else (bound,)


def condition_of(draft: Draft, item: Field, bounds: tuple[Bound, ...]) -> Condition:
    """Return the condition that a column of numbers meets the bounds.

    Raises:
        Refused: The way the numbers are written does not fit the column (percent, 万, currency).
    """
    for bound in bounds:
        _check_scale(draft, item, bound)
    parts = tuple(compare(item.column, bound) for bound in bounds)
    if len(parts) == 1:
        return parts[0]
    return AnyOf(conditions=parts) if bounds[0].comparison == "==" else AllOf(conditions=parts)


def compare(column: Column, bound: Bound) -> Compare:
    """Return one comparison of a column."""
    return Compare(column=column, comparison=bound.comparison, value=bound.value)


def _check_scale(draft: Draft, item: Field, bound: Bound) -> None:
    is_percent = "%" in item.column.patterns
    largest = float(item.card.maximum) if item.card and item.card.maximum and item.role == "raw" else None
    if bound.percent and not (is_percent or item.is_fraction) and (largest is None or largest > 1):
        draft.refuse("ambiguous", "percent_scale", bound.text, column=item.title)
    if is_percent and not bound.percent and abs(bound.value) > 1:
        draft.refuse("ambiguous", "percent_scale", bound.text, column=item.title)
    if bound.scaled and ("万" in item.title or "亿" in item.title or "千" in item.title):
        draft.refuse("ambiguous", "unit_scale", bound.text, column=item.title)


def _as(bound: Bound, comparison: Comparison) -> Bound:
    return Bound(
        comparison=comparison,
        value=bound.value,
        text=bound.text,
        percent=bound.percent,
        scaled=bound.scaled,
    )


@attempt
def _between(cursor: Cursor) -> tuple[Bound, ...] | None:
    """Read 在10到20之间, between 10 and 20, 介于10和20之间, from 10 to 20; both ends belong to it."""
    cursor.skip("filler")
    marked = cursor.take("between", "from") is not None
    if cursor.sees("compare") and cursor.token.classes["compare"] == "==":
        cursor.next()
        marked = cursor.take("between") is not None or marked
    low = _number(cursor)
    if low is None or not cursor.take("to"):
        return None
    high = _number(cursor)
    if high is None:
        return None
    ended = cursor.take("between_end") is not None
    if not (marked or ended) or high.value < low.value:
        return None
    return _as(low, ">="), _as(high, "<=")


def _number(cursor: Cursor) -> Bound | None:
    start = cursor.at
    negative = cursor.token.folded in ("-", "−") and cursor.next() is not None
    token = cursor.token
    if token.number is None:
        cursor.at = start
        return None
    cursor.next()
    if cursor.sees("amount_word") and not cursor.token.fields:
        cursor.next()
    value = -token.number.value if negative else token.number.value
    return Bound(
        comparison="==",
        value=value,
        text=cursor.written(start),
        percent=token.number.percent,
        scaled=token.number.scaled,
    )


def _further(cursor: Cursor, first: Bound) -> tuple[Bound, ...]:
    """Return more numbers that are equalled just as the first: 1、2和3."""
    found: list[Bound] = []
    while True:
        start = cursor.at
        if not cursor.take("join", "or"):
            break
        number = _number(cursor)
        if number is None or cursor.sees("compare_after"):
            cursor.at = start
            break
        found.append(_as(number, first.comparison))
    return tuple(found)
