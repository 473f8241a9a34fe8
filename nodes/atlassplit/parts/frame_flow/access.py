"""Subscripts and attributes of values, read, stored and deleted."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.attribute_names import (
    frame_attributes,
    group_attributes,
    series_attributes,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels, read_labels
from mindatlas.nodes.atlassplit.parts.frame_flow.indexers import read_indexer, store_indexer
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import add, remove, set_columns
from mindatlas.nodes.atlassplit.parts.frame_flow.state import join
from mindatlas.nodes.atlassplit.parts.frame_flow.subscripts import column, read_subscript
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    UNKNOWN,
    ColumnIndex,
    Const,
    DictObject,
    Expression,
    Groups,
    IndexNames,
    ListObject,
    Member,
    Module,
    Ref,
    Series,
    Table,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow

INDEXERS = frozenset({"loc", "iloc", "at", "iat"})


def subscript(flow: Flow, node: ast.Subscript) -> Value:
    """Return `value[key]`."""
    base, key = flow.evaluate(node.value), flow.evaluate(node.slice)
    if isinstance(base, Member) and base.name in INDEXERS:
        return read_indexer(flow, base, key, node)
    return read_subscript(flow, base, key, node)


def attribute(flow: Flow, node: ast.Attribute) -> Value:
    """Return `value.name`, a column where the value is a frame that has no such attribute."""
    base = flow.evaluate(node.value)
    table = flow.table(base)
    if table is not None:
        return _table_attribute(flow, base, table, node)
    match base:
        case Groups():
            return _group_attribute(flow, base, node)
        case Series(name, index):
            return _series_attribute(base, node.attr)
        case Member(Series(name, index), "dt" | "str"):
            return Series(name, index)
        case Expression():
            return base
        case ColumnIndex():
            return base if node.attr in {"values", "array"} else Member(base, node.attr)
        case Module() | Member() | Ref() | Const():
            return Member(base, node.attr)
        case Unknown(about_columns):
            return Unknown(about_columns=about_columns)
    return UNKNOWN


def _table_attribute(flow: Flow, base: Value, table: Table, node: ast.Attribute) -> Value:
    name = node.attr
    known = series_attributes() if table.row else frame_attributes()
    if name == ("index" if table.row else "columns"):
        return ColumnIndex(table.columns, table.open or bool(table.possible_names), table.exact)
    if name == "T" and not table.row:
        return flow.allocate(_transposed(flow, node.value), node)
    if name == "dtypes" and not table.row:
        return flow.allocate(replace(table, row=True), node)
    if name in known or name in table.attributes or name.startswith("_"):
        return Member(base, name)
    flow.log.refer(name, table, node.value)
    return column(table, name)


def _transposed(flow: Flow, node: ast.expr) -> Table:
    """Return the transposed frame: `row.to_frame().T` has the columns of the row again, of others it is not known."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to_frame":
        with flow.log.muted():
            row = flow.table(flow.evaluate(node.func.value))
        if row is not None and row.row:
            return replace(row, row=False, index=None)
    return Table((), open=True, exact=False, index=None, axis_named=True)


def _group_attribute(flow: Flow, groups: Groups, node: ast.Attribute) -> Value:
    if node.attr in group_attributes() or node.attr.startswith("_"):
        return Member(groups, node.attr)
    flow.log.refer(node.attr, groups.table, node.value, levels=True)
    return replace(groups, selected=(node.attr,), scalar=True)


def _series_attribute(series: Series, name: str) -> Value:
    if name in {"values", "array"}:
        return Unknown(mask=True)
    return series if name == "T" else Member(series, name)


def store_subscript(flow: Flow, target: ast.Subscript, value: Value) -> None:
    """Follow `target = value` where the target is a column, some rows, or an item of a container."""
    base, key = flow.evaluate(target.value), flow.evaluate(target.slice)
    note_chained(flow, base, target.value)
    if isinstance(base, Member):
        store_indexer(flow, base, key)
    elif isinstance(base, Ref):
        _store_item(flow, base, key, value)
    elif isinstance(base, ColumnIndex):
        _open_owner(flow, target.value)
    elif isinstance(base, Unknown):
        _store_unseen(flow, key, value)


def note_chained(flow: Flow, base: Value, node: ast.expr) -> None:
    """Remember the line if `node` is a column or part of a frame made in passing: storing there is lost."""
    if isinstance(base, Member) and base.name in INDEXERS and isinstance(node, ast.Attribute):
        base, node = base.base, node.value
    if not isinstance(node, ast.Subscript | ast.Attribute) or flow.log.silent:
        return
    owner = node.value.value if isinstance(node.value, ast.Attribute) else node.value
    is_part = isinstance(base, Series) or flow.table(base) is not None
    if is_part and isinstance(owner, ast.Name) and flow.table(flow.evaluate(owner)) is not None:
        flow.chained.add(node.lineno)


def _store_item(flow: Flow, base: Ref, key: Value, value: Value) -> None:
    table = flow.table(base)
    if table is not None:
        labels = column_labels(flow, key)
        if labels is not None:
            flow.log.mentioned.update(labels.names)
            flow.update(base, lambda old: add(old, labels))
        return
    for identity in base.ids:
        item = flow.state.heap[identity]
        if isinstance(item, DictObject):
            flow.state.heap[identity] = _with_item(item, key, value, certain=len(base.ids) == 1)
        elif isinstance(item, ListObject):
            flow.state.heap[identity] = replace(item, items=(*item.items, value), exact=False)


def _with_item(item: DictObject, key: Value, value: Value, *, certain: bool) -> DictObject:
    if not isinstance(key, Const) or not certain:
        items = tuple((name, join(old, value)) for name, old in item.items)
        return DictObject(items, open=True, default=join(item.default, value) if item.open else value)
    return replace(item, items=tuple({**dict(item.items), key.value: value}.items()))


def column_labels(flow: Flow, key: Value) -> Labels | None:
    """Return the columns that storing to `frame[key]` sets; None when it sets rows."""
    labels = read_labels(key, flow.state.heap)
    if isinstance(key, Const) and isinstance(key.value, bool):
        return None
    if labels is not None and labels.required and all(isinstance(name, bool) for name in labels.required):
        return None
    return Labels(open=True) if isinstance(key, Unknown) and not key.mask else labels


def _open_owner(flow: Flow, node: ast.expr) -> None:
    """Writing into `df.columns.values` changes labels that are not followed."""
    while isinstance(node, ast.Attribute):
        node = node.value
    flow.expose([flow.evaluate(node)])


def _store_unseen(flow: Flow, key: Value, value: Value) -> None:
    """Storing an item of an unknown value: it may be one of the frames that the program was given."""
    flow.expose([value])
    if isinstance(key, Const):
        flow.log.mentioned.add(key.value)
        for identity in flow.given:
            old = flow.state.heap[identity]
            if isinstance(old, Table):
                flow.state.heap[identity] = replace(old, possible_names=old.possible_names | {key.value})


def store_attribute(flow: Flow, target: ast.Attribute, value: Value) -> None:
    """Follow `target = value`: new labels, a new index, a column that is there, or a plain attribute."""
    base = flow.evaluate(target.value)
    table = flow.table(base)
    if isinstance(base, Ref) and table is not None:
        if table.lookup(target.attr) != "present":
            flow.update(base, _attribute_change(flow, target.attr, value))
    elif isinstance(base, Member) and base.name == "index" and isinstance(base.base, Ref):
        _name_index(flow, base.base, target.attr, value)
    elif isinstance(base, Series) and isinstance(target.value, ast.Name) and target.attr == "name":
        flow.bind(target.value.id, replace(base, name=value.value if isinstance(value, Const) else HIDDEN))
    elif isinstance(base, Unknown | Member):
        flow.expose([value])


def _attribute_change(flow: Flow, name: str, value: Value) -> Callable[[Table], Table]:
    if name == "columns":
        labels = read_labels(value, flow.state.heap)
        if isinstance(value, Const) and isinstance(value.value, tuple):
            labels = Labels(value.value)
        return lambda table: set_columns(table, labels)
    if name == "index":
        index = _assigned_index(flow, value)
        return lambda table: replace(table, index=index)
    return lambda table: replace(table, attributes=table.attributes | {name})


def _assigned_index(flow: Flow, value: Value) -> IndexNames:
    """Return the names of an index that is assigned: a list or range brings none."""
    if isinstance(value, Series):
        return (value.name,)
    items = known_items(value, flow.state.heap) if isinstance(value, Ref) else None
    plain = items is not None and all(isinstance(item, Const | Unknown) for item in items)
    return (None,) if plain else None


def _name_index(flow: Flow, base: Ref, attribute_name: str, value: Value) -> None:
    labels = read_labels(value, flow.state.heap)
    names = (None,) if value == Const(None) else labels.required if labels and labels.exact else None
    if attribute_name in {"name", "names"}:
        flow.update(base, lambda table: replace(table, index=names))


def delete_subscript(flow: Flow, target: ast.Subscript) -> None:
    """Follow `del target`."""
    base, key = flow.evaluate(target.value), flow.evaluate(target.slice)
    table = flow.table(base)
    labels = read_labels(key, flow.state.heap) or Labels(open=True)
    if isinstance(base, Ref) and table is not None:
        flow.log.refer_all(labels, table, target.value)
        flow.update(base, lambda old: remove(old, labels))
    elif isinstance(base, Ref):
        flow.expose([base])
