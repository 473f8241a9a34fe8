"""`loc`, `iloc`, `at` and `iat`: the columns that their second part selects or sets."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.attribute_names import series_attributes
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels, read_labels
from mindatlas.nodes.atlassplit.parts.frame_flow.inlining import call_function
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import add, select, subset
from mindatlas.nodes.atlassplit.parts.frame_flow.state import choose_among
from mindatlas.nodes.atlassplit.parts.frame_flow.subscripts import column
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    MASK,
    NONE,
    UNKNOWN,
    ColumnIndex,
    Const,
    Expression,
    Function,
    Member,
    Name,
    Ref,
    Series,
    SliceValue,
    Table,
    TupleValue,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow

_ALL = SliceValue(NONE, NONE)


def read_indexer(flow: Flow, indexer: Member, key: Value, node: ast.Subscript) -> Value:
    """Return `frame.loc[key]` and the like."""
    if isinstance(indexer.base, Series):
        _note_rows(flow, key, node)
        whole = isinstance(key, SliceValue | Series) or (isinstance(key, Unknown) and key.mask)
        return indexer.base if whole else UNKNOWN
    table = flow.table(indexer.base)
    if table is None or table.row:
        return UNKNOWN
    rows, columns = _parts(flow, table, key)
    _note_rows(flow, rows, node)
    if isinstance(rows, Function):
        rows = call_function(flow, rows, [indexer.base], {}, node)
    if isinstance(rows, Expression):
        flow.log.refer_all(Labels(rows.names), table, node)
        rows = MASK
    if isinstance(columns, Function):
        columns = call_function(flow, columns, [indexer.base], {}, node)
    if columns is None:
        for level in known_items(key, flow.state.heap) or ():
            _note_rows(flow, level, node)
        return UNKNOWN
    by_position = indexer.name in {"iloc", "iat"}
    one = _is_one_row(table, rows, by_position=by_position)
    follow = _by_position if by_position else _by_label
    return follow(flow, table, one, columns, node)


def _note_rows(flow: Flow, rows: Value, node: ast.Subscript) -> None:
    labels = read_labels(rows, flow.state.heap)
    flow.log.labels.extend((node.lineno, name, "rows") for name in (labels.names if labels else ()))


def _parts(flow: Flow, table: Table, key: Value) -> tuple[Value, Value | None]:
    """Return the row and the column part of a key; None where an index of several levels blurs them."""
    items = known_items(key, flow.state.heap) if not isinstance(key, Ref | ColumnIndex) else None
    if items is None or len(items) != 2:
        return key, _ALL if items is None else None
    several = table.index is None or len(table.index) > 1
    rows = items[0]
    whole = isinstance(rows, SliceValue | Series | Ref) or (isinstance(rows, Unknown) and rows.mask)
    whole |= isinstance(rows, TupleValue) or (isinstance(rows, Const) and isinstance(rows.value, tuple))
    return rows, None if several and not whole else items[1]


def _is_one_row(table: Table, rows: Value, *, by_position: bool) -> bool | None:
    """Return whether the row part selects one row; None when it may be one row or several."""
    if isinstance(rows, SliceValue | Series | Ref | ColumnIndex) or (isinstance(rows, Unknown) and rows.mask):
        return False
    return True if isinstance(rows, Const) and (by_position or table.index == (None,)) else None


def _result(flow: Flow, table: Table, one: bool | None, node: ast.Subscript) -> Value:
    """Return a row, rows, or what may be either: a frame that has the attributes of a row too."""
    if one is None:
        either = replace(table, index=None, attributes=table.attributes | series_attributes())
        return flow.allocate(either, node)
    return flow.allocate(replace(table, row=one), node)


def _by_label(flow: Flow, table: Table, one: bool | None, columns: Value, node: ast.Subscript) -> Value:
    owner = node.value.value if isinstance(node.value, ast.Attribute) else node.value
    if isinstance(columns, SliceValue):
        return _result(flow, _label_slice(flow, table, columns, owner), one, node)
    labels = read_labels(columns, flow.state.heap)
    if labels is None or all(isinstance(name, bool) for name in labels.required or ("",)):
        if isinstance(columns, Unknown) and not columns.mask:
            flow.log.refer_unread(table, node)
            return UNKNOWN
        return _result(flow, subset(table), one, node)
    flow.log.refer_all(labels, table, owner)
    if not labels.scalar:
        return _result(flow, select(table, labels), one, node)
    return column(table, labels.required[0]) if one is False and labels.exact else UNKNOWN


def _label_slice(flow: Flow, table: Table, key: SliceValue, owner: ast.expr) -> Table:
    """Return `frame.loc[:, first:last]`; an absent end raises unless the columns are in sorted order."""
    if key == _ALL:
        return table
    ends = [end.value for end in (key.lower, key.upper) if isinstance(end, Const) and end.value is not None]
    if table.exact and not table.open and not _is_sorted(table.columns):
        for end in ends:
            flow.log.refer(end, table, owner)
    first, last = (_position(table, end) for end in (key.lower, key.upper))
    if not table.exact or table.open or first is None or last is None:
        return subset(table)
    upper = len(table.columns) if key.upper == NONE else last + 1
    return replace(table, columns=table.columns[first:upper])


def _position(table: Table, end: Value) -> int | None:
    if end == NONE:
        return 0
    if isinstance(end, Const) and end.value in table.columns:
        return table.columns.index(end.value)
    return None


def _is_sorted(names: Sequence[Name]) -> bool:
    """Return whether a label slice may fall between `names`; mixed kinds count, to be safe."""
    texts = [name for name in names if isinstance(name, str)]
    return len(texts) < len(names) or texts in (sorted(texts), sorted(texts, reverse=True))


def _by_position(flow: Flow, table: Table, one: bool | None, columns: Value, node: ast.Subscript) -> Value:
    if columns == _ALL:
        return _result(flow, table, one, node)
    if isinstance(columns, Const):
        chosen = _at(table, columns.value)
        return column(table, chosen.value) if isinstance(chosen, Const) and one is False else UNKNOWN
    if not table.exact or table.open:
        return _result(flow, subset(table), one, node)
    if (
        isinstance(columns, SliceValue)
        and isinstance(columns.lower, Const)
        and isinstance(columns.upper, Const)
    ):
        lower, upper = columns.lower.value, columns.upper.value
        if isinstance(lower, int | None) and isinstance(upper, int | None):
            return _result(flow, replace(table, columns=table.columns[lower:upper]), one, node)
    positions = known_items(columns, flow.state.heap)
    names = [_at(table, item.value) for item in positions or () if isinstance(item, Const)]
    chosen_names = tuple(name.value for name in names if isinstance(name, Const))
    if positions is None or len(chosen_names) < len(positions):
        return _result(flow, subset(table), one, node)
    return _result(flow, replace(table, columns=chosen_names), one, node)


def _at(table: Table, position: object) -> Value:
    size = len(table.columns)
    if not table.exact or table.open or not isinstance(position, int) or isinstance(position, bool):
        return UNKNOWN
    return choose_among([table.columns[position]]) if -size <= position < size else UNKNOWN


def store_indexer(flow: Flow, indexer: Member, key: Value) -> None:
    """Follow `frame.loc[rows, columns] = value`: columns that are not there are made."""
    table = flow.table(indexer.base)
    if table is None or not isinstance(indexer.base, Ref):
        return
    if table.row:
        labels = read_labels(key, flow.state.heap)
    else:
        items = known_items(key, flow.state.heap) if not isinstance(key, Ref) else None
        labels = read_labels(items[1], flow.state.heap) if items is not None and len(items) == 2 else None
        if items is not None and len(items) == 2 and isinstance(items[1], Unknown):
            labels = Labels(open=not items[1].mask)
    if labels is not None and indexer.name in {"loc", "at"}:
        flow.log.mentioned.update(labels.names)
        flow.update(indexer.base, lambda old: add(old, labels))
