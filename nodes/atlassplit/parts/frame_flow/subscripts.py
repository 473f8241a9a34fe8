"""What `value[key]` gives for frames, rows, columns, groups and containers."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import LabelKind, Labels, read_labels
from mindatlas.nodes.atlassplit.parts.frame_flow.inlining import call_function
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import select, subset
from mindatlas.nodes.atlassplit.parts.frame_flow.state import choose_among, join_values, options
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    ABOUT_COLUMNS,
    UNKNOWN,
    Choice,
    ColumnIndex,
    Const,
    DictObject,
    Expression,
    Function,
    Groups,
    ListObject,
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


_LABELLED_BY_VALUES = frozenset({"to_dict", "value_counts"})


def column(table: Table, name: Name) -> Value:
    """Return the column of `table` called `name`; unknown where the name may stand for several."""
    if table.row or table.columns.count(name) > 1 or table.lookup(name) == "unknown":
        return UNKNOWN
    if name not in table.columns and any(isinstance(label, tuple) for label in table.columns):
        return UNKNOWN
    return Series(name, table.index)


def read_subscript(flow: Flow, base: Value, key: Value, node: ast.Subscript) -> Value:
    """Return `base[key]`, and log the columns that it refers to."""
    table = flow.table(base)
    if table is not None:
        return _from_table(flow, table, _called(flow, base, key, node), node)
    _note_labels(flow, base, key, node)
    match base:
        case Series(name, index) | Member(Series(name, index), "str"):
            partial = isinstance(key, SliceValue | Series) or (isinstance(key, Unknown) and key.mask)
            return Series(name, index) if partial or isinstance(base, Member) else UNKNOWN
        case Groups():
            return _from_groups(flow, base, key, node)
        case ColumnIndex():
            return _from_labels(base, key)
        case Unknown(about_columns):
            return Unknown(about_columns=about_columns)
    return _from_container(flow, base, key, node)


def _note_labels(flow: Flow, base: Value, key: Value, node: ast.Subscript) -> None:
    """Log the keys that are looked up in something else than a known frame."""
    labels = read_labels(key, flow.state.heap)
    if labels is None or isinstance(base, Groups):
        return
    counted = isinstance(node.value, ast.Call) and getattr(node.value.func, "attr", "") in _LABELLED_BY_VALUES
    if isinstance(base, Series) or counted:
        kind: LabelKind = "rows"
    else:
        kind = "columns" if isinstance(base, Unknown) else "items"
    if kind == "columns":
        flow.log.mentioned.update(labels.names)
    flow.log.labels.extend((node.lineno, name, kind) for name in labels.names)


def _called(flow: Flow, base: Value, key: Value, node: ast.AST) -> Value:
    """Return the key itself, or what a function given as the key returns for `base`."""
    return call_function(flow, key, [base], {}, node) if isinstance(key, Function) else key


def _from_table(flow: Flow, table: Table, key: Value, node: ast.Subscript) -> Value:
    labels = read_labels(key, flow.state.heap)
    if labels is None or (labels.required and all(isinstance(name, bool) for name in labels.required)):
        return _rows(flow, table, key, node)
    if table.row and any(isinstance(name, int) for name in labels.names):
        return UNKNOWN
    if isinstance(key, Const) and isinstance(key.value, tuple):
        return _by_tuple(flow, table, key.value, node)
    flow.log.refer_all(labels, table, node.value)
    if not labels.scalar:
        return flow.allocate(select(table, labels), node)
    return join_values([_column_or_part(flow, table, name, node) for name in labels.names])


def _rows(flow: Flow, table: Table, key: Value, node: ast.Subscript) -> Value:
    if isinstance(key, SliceValue) or (isinstance(key, Series | Unknown) and key.mask):
        return flow.allocate(subset(table) if table.row else table, node)
    if isinstance(key, Series) or flow.table(key) is not None:
        return flow.allocate(subset(table), node)
    if isinstance(key, Ref):
        return flow.allocate(table, node)
    if isinstance(key, Expression):
        flow.log.refer_all(Labels(key.names), table, node.value)
        return flow.allocate(table, node)
    flow.log.refer_unread(table, node)
    return UNKNOWN


def _by_tuple(flow: Flow, table: Table, key: tuple[Name, ...], node: ast.Subscript) -> Value:
    """Look up a column of several levels; on a flat frame each absent part is logged."""
    if table.lookup(key) == "absent":
        for part in key:
            if table.lookup(part) == "absent":
                flow.log.refer(part, table, node.value)
    return UNKNOWN


def _column_or_part(flow: Flow, table: Table, name: Name, node: ast.Subscript) -> Value:
    """Return a column, or the frame of the inner levels under `name`."""
    if name in table.columns:
        return column(table, name)
    inner = tuple(label for label in table.columns if isinstance(label, tuple) and label[:1] == (name,))
    if not inner:
        return column(table, name)
    names = tuple(label[1] if len(label) == 2 else label[1:] for label in inner)
    if "" in names:
        return UNKNOWN
    return flow.allocate(replace(table, columns=names), node, name)


def _from_groups(flow: Flow, groups: Groups, key: Value, node: ast.Subscript) -> Value:
    labels = read_labels(key, flow.state.heap)
    if labels is None:
        return replace(groups, selected=None, scalar=False, keys=None, table=subset(groups.table))
    if isinstance(key, Const) and isinstance(key.value, tuple):
        labels = Labels(key.value)
    flow.log.refer_all(labels, groups.table, node.value, levels=True)
    if labels.open:
        return replace(groups, table=select(groups.table, labels))
    return replace(groups, selected=labels.names, scalar=labels.scalar and labels.exact)


def _from_labels(labels: ColumnIndex, key: Value) -> Value:
    position = key.value if isinstance(key, Const) else None
    if isinstance(position, int) and labels.exact and not labels.open:
        inside = -len(labels.names) <= position < len(labels.names)
        return Const(labels.names[position]) if inside else UNKNOWN
    bounds = _bounds(key)
    if bounds is not None and labels.exact and not labels.open:
        return ColumnIndex(labels.names[bounds])
    if isinstance(key, Const | Choice):
        return choose_among(labels.names) if labels.names and not labels.open else ABOUT_COLUMNS
    return ColumnIndex(labels.names, labels.open, exact=False)


def _bounds(key: Value) -> slice | None:
    if isinstance(key, SliceValue) and isinstance(key.lower, Const) and isinstance(key.upper, Const):
        lower, upper = key.lower.value, key.upper.value
        if isinstance(lower, int | None) and isinstance(upper, int | None):
            return slice(lower, upper)
    return None


def _from_container(flow: Flow, base: Value, key: Value, node: ast.Subscript) -> Value:
    if isinstance(base, Ref):
        return join_values([_from_object(flow, base, identity, key, node) for identity in base.ids])
    items = known_items(base, flow.state.heap)
    if items is not None and isinstance(key, Const) and isinstance(key.value, int):
        return items[key.value] if -len(items) <= key.value < len(items) else UNKNOWN
    bounds = _bounds(key)
    if items is not None and bounds is not None:
        return TupleValue(items[bounds])
    if isinstance(base, Const) and isinstance(base.value, str) and bounds is not None:
        return Const(base.value[bounds])
    return UNKNOWN


def _from_object(flow: Flow, base: Ref, identity: int, key: Value, node: ast.Subscript) -> Value:
    item = flow.state.heap[identity]
    if isinstance(item, DictObject):
        return _from_dict(item, key)
    if not isinstance(item, ListObject):
        return UNKNOWN
    if item.exact and not item.open:
        if isinstance(key, Const) and isinstance(key.value, int):
            inside = -len(item.items) <= key.value < len(item.items)
            return item.items[key.value] if inside else UNKNOWN
        bounds = _bounds(key)
        if bounds is not None:
            return flow.allocate(ListObject(item.items[bounds]), node, identity)
    if isinstance(key, SliceValue):
        return base
    return UNKNOWN if item.open or not item.items else join_values(item.items)


def _from_dict(item: DictObject, key: Value) -> Value:
    if isinstance(key, Const | Choice):
        listed = dict(item.items)
        return join_values([listed.get(name, item.default) for name in options(key)])
    return join_values([*(value for _, value in item.items), item.default]) if item.items else item.default
