"""Reads cross tables, splitting into several tables, duplicates, and lists of different values."""

from __future__ import annotations

from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import (
    AxisAsk,
    DedupeAsk,
    DistinctAsk,
    PivotAsk,
    SplitAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.groupings import groups_by, read_key
from mindatlas.nodes.atlassplit.parts.planner.measures import read_measure

_AXES: dict[str, Literal["rows", "columns", "values"]] = {
    "rows": "rows",
    "columns": "columns",
    "values": "values",
}
_IS = ("为", "是", "放", "=", ":", "用", "is", "are", "取", "选", "作为", "as")


@attempt
def read_pivot(cursor: Cursor, draft: Draft) -> PivotAsk | None:
    """Return the word for a cross table."""
    del draft
    start = cursor.at
    cursor.skip("filler", "chart_verb")
    return PivotAsk(text=cursor.written(start)) if cursor.take("pivot") else None


@attempt
def read_axis(cursor: Cursor, draft: Draft) -> AxisAsk | None:
    """Return one axis of a cross table: 行是门店, 以月份为列, values: sum of amount, regions as rows."""
    cursor.skip("filler")
    if cursor.token.folded in ("值为", "值是"):
        cursor.next()
        return _axis(cursor, draft, "values")
    axis = cursor.take("axis")
    if axis is not None:
        if not _is(cursor):
            return None
        return _axis(cursor, draft, axis)
    if cursor.token.folded in ("以", "用", "把", "with"):
        cursor.next()
    at = cursor.at
    key = read_key(cursor, draft) if _may_be_key(cursor) else None
    axis = _axis_behind(cursor)
    if key is not None and axis in ("rows", "columns"):
        return AxisAsk(axis=_AXES[axis], key=key, measure=None)
    cursor.at = at
    measure = read_measure(cursor, draft)
    if measure is not None and _axis_behind(cursor) == "values":
        return AxisAsk(axis="values", key=None, measure=measure)
    return None


def _axis(cursor: Cursor, draft: Draft, axis: str) -> AxisAsk | None:
    cursor.skip("filler")
    if axis == "values":
        measure = read_measure(cursor, draft)
        return None if measure is None else AxisAsk(axis="values", key=None, measure=measure)
    key = read_key(cursor, draft)
    return None if key is None else AxisAsk(axis=_AXES[axis], key=key, measure=None)


def _axis_behind(cursor: Cursor) -> str | None:
    """Return the axis that words behind a column put it on: 为行, 作为列, as rows."""
    start = cursor.at
    direct = cursor.token.folded.split(" ")[0] in ("as", "on", "in", "down", "across")
    if _is(cursor) or direct:
        axis = cursor.take("axis")
        if axis is not None:
            return axis
    cursor.at = start
    return None


def _is(cursor: Cursor) -> bool:
    token = cursor.token
    if token.folded in _IS:
        cursor.next()
        return True
    return False


def _may_be_key(cursor: Cursor) -> bool:
    fields = cursor.token.fields
    return any(not item.is_number or groups_by(item) for item in fields) or (
        not fields and cursor.sees("unit", "unit_by")
    )


@attempt
def read_split(cursor: Cursor, draft: Draft) -> SplitAsk | None:
    """Return what to split by: 按城市拆分成多个sheet, split by region into files, 每个城市一个工作表."""
    start = cursor.at
    cursor.skip("filler", "verb")
    for reader in (_split_zh, _split_en, _one_each):
        at = cursor.at
        found = reader(cursor, draft)
        if found is not None:
            return SplitAsk(text=cursor.written(start), key=found.key, into=found.into)
        cursor.at = at
    return None


def _split_zh(cursor: Cursor, draft: Draft) -> SplitAsk | None:
    if cursor.take("by") is None:
        return None
    cursor.skip("filler", "different", "each")
    if not _may_be_key(cursor):
        return None
    at = cursor.at
    while not cursor.done and not cursor.sees("split") and not cursor.token.separator:
        cursor.next()
    if not cursor.sees("split"):
        return None
    cursor.at = at
    key = read_key(cursor, draft)
    cursor.skip("filler", "noun")
    if key is None or cursor.take("split") is None:
        return None
    return SplitAsk(text="", key=key, into=_target(cursor))


def _split_en(cursor: Cursor, draft: Draft) -> SplitAsk | None:
    if cursor.take("split") is None:
        return None
    cursor.skip("filler", "noun", "whole")
    if cursor.token.tables:
        cursor.next()
    into = _target(cursor)
    cursor.skip("filler", "noun")
    if cursor.take("by", "each") is None:
        return None
    cursor.skip("filler", "each")
    key = read_key(cursor, draft)
    if key is None:
        return None
    return SplitAsk(text="", key=key, into=into or _target(cursor))


def _one_each(cursor: Cursor, draft: Draft) -> SplitAsk | None:
    """Read 每个城市一个sheet, one sheet per city."""
    if cursor.take("each"):
        key = read_key(cursor, draft) if _may_be_key(cursor) else None
        cursor.skip("verb", "split")
        into = _target(cursor, needs_one=True)
        return None if key is None or into is None else SplitAsk(text="", key=key, into=into)
    into = _target(cursor, needs_one=True)
    if into is None or cursor.take("by", "each") is None:
        return None
    key = read_key(cursor, draft)
    return None if key is None else SplitAsk(text="", key=key, into=into)


def _target(cursor: Cursor, *, needs_one: bool = False) -> Literal["sheets", "files"] | None:
    start = cursor.at
    several = 0
    while cursor.sees("several", "filler", "counted") and not cursor.sees("target"):
        several += cursor.sees("several")
        cursor.next()
    target = cursor.take("target")
    if target is None or (needs_one and not several):
        cursor.at = start
        return None
    cursor.skip("filler")
    if (more := cursor.take("target")) == "files":
        target = more  # Excel文件
    return "files" if target == "files" else "sheets"


@attempt
def read_dedupe(cursor: Cursor, draft: Draft) -> DedupeAsk | None:
    """Return which rows are duplicates: 按订单号去重, 删除重复行, remove duplicates by email, keep the last."""
    start = cursor.at
    cursor.skip("filler", "verb")
    if not any("dedupe" in token.classes for token in cursor.tokens[start:]):
        return None
    fields: tuple[Field, ...] = ()
    if cursor.sees("by") or cursor.token.fields:
        cursor.take("by")
        fields = read_fields(cursor, draft)
        cursor.skip("filler")
        if not fields:
            return None
    if cursor.take("dedupe") is None:
        return None
    if cursor.token.fields or cursor.sees("count_of", "count_verb", "count"):
        return None  # 去重客户数
    cursor.skip("filler", "noun")
    if not fields and (cursor.take("by", "from") or cursor.token.folded == "based on"):
        fields = read_fields(cursor, draft)
        if not fields:
            return None
    return DedupeAsk(text=cursor.written(start), fields=fields, keep=_kept(cursor))


def read_fields(cursor: Cursor, draft: Draft) -> tuple[Field, ...]:
    """Return the columns listed here, joined by 、, 和 or and; none when no column stands here."""
    found: list[Field] = []
    while True:
        start = cursor.at
        if found and not cursor.take("join"):
            break
        cursor.skip("filler")
        if not cursor.token.fields:
            cursor.at = start
            break
        found.append(draft.choose(cursor.next()))
    return tuple(found)


def _kept(cursor: Cursor) -> Literal["first", "last"] | None:
    start = cursor.at
    if cursor.token.separator == ",":
        cursor.next()
    cursor.skip("filler", "keep", "also")
    kept = cursor.take("keep_which")
    if kept is None:
        cursor.at = start
        return None
    return "first" if kept == "first" else "last"


@attempt
def read_distinct(cursor: Cursor, draft: Draft) -> DistinctAsk | None:
    """Return the columns whose different values are asked for: 列出不同的城市, 有哪些城市, unique regions."""
    start = cursor.at
    cursor.skip("filler", "verb", "be", "whole")
    listed = any("whole" in token.classes for token in cursor.tokens[start : cursor.at])
    if not cursor.skip("different") and not listed:
        if cursor.token.folded not in ("哪些", "哪几个", "哪几家") or start == cursor.at:
            return None
        cursor.next()
    cursor.skip("filler")
    fields = read_fields(cursor, draft)
    cursor.skip("filler", "what", "be")
    if not fields or not (cursor.done or cursor.sees("also", "then")):
        return None
    return DistinctAsk(text=cursor.written(start), fields=fields)
