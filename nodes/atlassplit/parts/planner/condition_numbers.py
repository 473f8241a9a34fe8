"""Reads comparisons with numbers: 大于1000, at least 5, 在10到20之间, 10%以上."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import get_args

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import Bound
from mindatlas.nodes.atlassplit.parts.planner.column_match import plain_name, scale_in_name, unit_in_name
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

COMPARISONS: dict[str, Comparison] = {sign: sign for sign in get_args(Comparison)}
_SIGNS: dict[str, Comparison] = {"negative": "<", "positive": ">", "zero": "=="}
_RATE = re.compile(r"率|占比|比例|百分比|\brate\b|\bratio\b|\bpercent|\bpct\b|\bmargin\b|\bshare\b")
_SAME_UNITS = (
    {"元", "块", "块钱", "yuan", "rmb", "cny", "人民币"},
    {"dollars", "usd", "$"},
    {"euros", "eur"},
    {"公斤", "千克", "kg"},
    {"克", "g"},
    {"公里", "千米", "km"},
    {"厘米", "cm"},
    {"小时", "hours", "hour", "h"},
    {"分钟", "minutes", "minute", "min", "mins"},
    {"吨", "tons", "t"},
)
_SPANS = ("到", "至", "-", "~", "to")
_KNOWN_UNITS = frozenset().union(*_SAME_UNITS, ("件", "个", "台", "人", "条", "家", "箱", "次", "单"))


@attempt
def read_bounds(cursor: Cursor, draft: Draft, *, of_column: bool = False) -> tuple[Bound, ...] | None:
    """Return one bound, two for a range, or several equalities (1、2或3).

    Right behind a column (`of_column`) two numbers joined by 到 are a range without more words: 年龄20到30岁.
    """
    if signed := _signed(cursor):
        return (signed,)
    between = _between(cursor, marked=of_column)
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
    bound = _as(number, COMPARISONS[behind or sign or "=="])
    return (bound, *_further(cursor, bound)) if bound.comparison in ("==", "!=") else (bound,)


def condition_of(draft: Draft, item: Field, bounds: tuple[Bound, ...]) -> Condition:
    """Return the condition that a column of numbers meets the bounds.

    Raises:
        Refused: The way the numbers are written does not fit the column (percent, 万, currency).
    """
    for bound in bounds:
        check_scale(draft, item, bound)
    parts = tuple(compare(item.column, bound) for bound in bounds)
    if len(parts) == 1:
        return parts[0]
    return AnyOf(conditions=parts) if bounds[0].comparison == "==" else AllOf(conditions=parts)


def compare(column: Column, bound: Bound) -> Compare:
    """Return one comparison of a column."""
    return Compare(column=column, comparison=bound.comparison, value=bound.value)


def check_scale(draft: Draft, item: Field, bound: Bound) -> None:
    """Refuse a number that is not written in the unit of its column, or may not be.

    A measured quantity (2小时) fits only a column whose name holds that unit, a counted one any without a unit.
    """
    fractions = _holds_fractions(item)
    if bound.percent and not fractions:
        draft.refuse("ambiguous", "percent_scale", bound.text, column=item.title)
    if fractions and _is_rate(item) and not bound.percent and abs(bound.value) > 1:
        draft.refuse("ambiguous", "percent_scale", bound.text, column=item.title)
    if bound.scaled and ("万" in item.title or "亿" in item.title or "千" in item.title):
        draft.refuse("ambiguous", "unit_scale", bound.text, column=item.title)
    if bound.unit and not _fits_unit(item.title, bound):
        draft.refuse("ambiguous", "unit_scale", bound.text, column=item.title)


def _holds_fractions(item: Field) -> bool:
    """Return whether 10 % stands in a column as 0.1."""
    if item.is_fraction or "%" in item.column.patterns:
        return True
    measure = item.measure
    if measure is not None and (measure.column is None or measure.function in ("sum", "rows", "distinct")):
        return False
    if measure is not None and measure.column is not None and "%" in measure.column.patterns:
        return True
    largest = item.card.maximum if item.card and item.role in ("raw", "joined", "measure") else None
    return largest is not None and float(largest) <= 1


def _is_rate(item: Field) -> bool:
    is_text = "%" in (item.measure.column if item.measure and item.measure.column else item.column).patterns
    return item.is_fraction or is_text or _RATE.search(plain_name(item.title)) is not None


def _fits_unit(title: str, bound: Bound) -> bool:
    written = unit_in_name(title)
    if any(bound.unit in same and written in same for same in _SAME_UNITS) or bound.unit == written:
        return True
    if bound.measured:
        return bound.unit in plain_name(title).split() or (len(bound.unit) > 1 and bound.unit in title)
    return not (written in _KNOWN_UNITS or scale_in_name(title))


def _signed(cursor: Cursor) -> Bound | None:
    """Read 为负, is positive: a comparison with zero."""
    cursor.skip("filler")
    text, sign = cursor.token.text, cursor.take("sign")
    return None if sign is None else Bound(comparison=_SIGNS[sign], value=0, text=text)


def _as(bound: Bound, comparison: Comparison) -> Bound:
    return replace(bound, comparison=comparison)


@attempt
def _between(cursor: Cursor, *, marked: bool) -> tuple[Bound, ...] | None:
    """Read 在10到20之间, between 10 and 20, 介于10和20之间, from 10 to 20; both ends belong to it."""
    cursor.skip("filler")
    spans = marked
    marked = cursor.take("between", "from") is not None
    if cursor.sees("compare") and cursor.token.classes["compare"] == "==":
        cursor.next()
        marked = cursor.take("between") is not None or marked
    low = _number(cursor)
    joint = cursor.token.folded
    if low is None or not cursor.take("to"):
        return None
    marked = marked or (spans and joint in _SPANS)
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
    unit = cursor.token.folded
    kind = cursor.take("amount_word") if not cursor.token.fields else None
    value = -token.number.value if negative else token.number.value
    return Bound(
        comparison="==",
        value=value,
        text=cursor.written(start),
        percent=token.number.percent,
        scaled=token.number.scaled,
        unit=unit if kind else "",
        measured=kind == "measured",
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
