"""Reads what is done to columns or the result as a whole: cleaning, rounding, charts."""

from __future__ import annotations

from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import ChartAsk, CleanAsk, RoundAsk
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.plan import ChartKind
from mindatlas.nodes.atlassplit.parts.planner.reshapes import read_fields

_MOST_DECIMALS = 10
_KINDS: dict[str, ChartKind] = {"bar": "bar", "line": "line", "pie": "pie"}
_TYPES: dict[str, Literal["number", "date"]] = {"number": "number", "date": "date"}


@attempt
def read_round(cursor: Cursor, draft: Draft) -> RoundAsk | None:
    """Return the decimals to keep: 保留两位小数, round to 2 decimals."""
    del draft
    cursor.skip("filler", "noun")
    if cursor.take("round") is None:
        return None
    cursor.skip("filler")
    number = cursor.token.number
    if number is None or not number.value.is_integer() or not 0 <= number.value <= _MOST_DECIMALS:
        return None
    cursor.next()
    cursor.skip("filler")
    return RoundAsk(decimals=int(number.value)) if cursor.take("decimals") else None


@attempt
def read_chart(cursor: Cursor, draft: Draft) -> ChartAsk | None:
    """Return the chart that is asked for: 画柱状图, as a line chart, pie chart."""
    del draft
    cursor.skip("filler", "chart_verb", "verb", "also")
    kind = cursor.take("chart")
    if kind is None:
        return None
    cursor.skip("chart_verb")
    return ChartAsk(kind=_KINDS[kind])


@attempt
def read_clean(cursor: Cursor, draft: Draft) -> CleanAsk | None:
    """Return columns to convert: 把金额转换成数字, 清洗日期列, convert the amount column to numbers."""
    start = cursor.at
    cursor.skip("filler")
    first = cursor.take("clean")
    fields = _fields(cursor, draft)
    if not fields:
        return None
    behind = 0
    while cursor.sees("clean", "clean_to", "filler") and not cursor.token.fields:
        behind += cursor.sees("clean")
        cursor.next()
    to = cursor.take("clean_type") if first or behind else None
    cursor.skip("filler")
    if not first and not (behind and to):
        return None
    return CleanAsk(text=cursor.written(start), fields=fields, to=_TYPES[to] if to else None)


def _fields(cursor: Cursor, draft: Draft) -> tuple[Field, ...]:
    cursor.skip("filler")
    return read_fields(cursor, draft)
