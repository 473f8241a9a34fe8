"""What a loop over a value goes through: its items where the program text tells them, else a typical one."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.state import choose_among, join_values
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    ABOUT_COLUMNS,
    UNKNOWN,
    ColumnIndex,
    Const,
    DictObject,
    Groups,
    HeapObject,
    ListObject,
    Ref,
    Series,
    Stream,
    Table,
    TupleValue,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow

MOST_UNROLLED = 40  # items; a longer loop is followed once with any of its items


def known_items(value: Value, heap: Mapping[int, HeapObject]) -> tuple[Value, ...] | None:
    """Return all items of `value` in order, None when they are not known exactly."""
    match value:
        case Const(tuple() as items):
            return tuple(map(Const, items))
        case TupleValue(items):
            return items
        case ColumnIndex(names, False, True):
            return tuple(map(Const, names))
        case Ref((single,)):
            return _items_of_object(heap[single])
        case _:
            return None


def _items_of_object(item: HeapObject) -> tuple[Value, ...] | None:
    if isinstance(item, ListObject):
        return item.items if item.exact and not item.open else None
    if isinstance(item, DictObject):
        return None if item.open else tuple(Const(key) for key, _ in item.items)
    if item.row or item.open or not item.exact:
        return None
    return tuple(map(Const, item.columns))


def possible_items(flow: Flow, value: Value, node: ast.AST) -> tuple[Value, ...]:
    """Return values of which every item of `value` is one: the listed ones where no other may come."""
    listed: tuple[Value, ...] = ()
    if isinstance(value, ColumnIndex) and not value.open:
        listed = tuple(map(Const, value.names))
    elif isinstance(value, Ref) and len(value.ids) == 1:
        item = flow.state.heap[value.ids[0]]
        listed = item.items if isinstance(item, ListObject) and not item.open else ()
    return listed if 0 < len(listed) <= MOST_UNROLLED else (typical_item(flow, value, node),)


def typical_item(flow: Flow, value: Value, node: ast.AST) -> Value:
    """Return one value that stands for every item of `value`."""
    match value:
        case Stream(element):
            return element
        case ColumnIndex(names, is_open, _):
            return ABOUT_COLUMNS if is_open or not names else choose_among(names)
        case Groups(table, scalar=scalar):
            return TupleValue((UNKNOWN, Series() if scalar else flow.allocate(table, node, "group")))
        case Ref(ids):
            return join_values(_typical_of_object(flow.state.heap[key]) for key in ids)
    items = known_items(value, flow.state.heap)
    return join_values(items) if items else UNKNOWN


def _typical_of_object(item: HeapObject) -> Value:
    if isinstance(item, Table):
        return UNKNOWN if item.row or item.open or not item.columns else choose_among(item.columns)
    if item.open or not item.items:
        return UNKNOWN
    if isinstance(item, DictObject):
        return choose_among(key for key, _ in item.items)
    return join_values(item.items)
