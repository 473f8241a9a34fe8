"""The keys of `groupby`, `pivot_table` and `crosstab`: column names, columns, groupers, functions."""

from __future__ import annotations

from collections.abc import Sequence

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    NONE,
    UNKNOWN,
    Choice,
    ColumnIndex,
    Const,
    Function,
    Grouper,
    IndexNames,
    ListObject,
    Name,
    Ref,
    Series,
    Table,
    TupleValue,
    Value,
)


def read_keys(call: Call, value: Value | None, table: Table) -> IndexNames:
    """Log the columns among the keys and return the names of the index levels that they make.

    A list that repeats itself may be one value for each row, so what is absent in it is only unknown.
    """
    if value is None or value == NONE:
        return None
    items = _key_items(call, value, table)
    if items is None:
        return None
    names = [item.value for item in items if isinstance(item, Const)]
    with call.flow.log.guarded(len(set(names)) < len(names)):
        return tuple(_key_name(call, item, table) for item in items)


def _key_items(call: Call, value: Value, table: Table) -> Sequence[Value] | None:
    if isinstance(value, Const) and isinstance(value.value, tuple) and value.value not in table.columns:
        return tuple(map(Const, value.value))
    if isinstance(value, Ref) and isinstance(call.heap[value.ids[0]], ListObject):
        items = known_items(value, call.heap)
        if items is None:
            call.require(value, table, levels=True)
        return items
    if isinstance(value, TupleValue | ColumnIndex):
        return known_items(value, call.heap)
    return (value,)


def _key_name(call: Call, item: Value, table: Table) -> Name | None:
    match item:
        case Const(name):
            call.flow.log.refer(name, table, call.owner, levels=True)
            return name
        case Choice():
            call.require(item, table, levels=True)
        case Series(name):
            return name
        case Grouper(name):
            if name is not None and name is not HIDDEN:
                call.flow.log.refer(name, table, call.owner, levels=True)
            return HIDDEN if name is None else name
        case Function():
            call.run(item, UNKNOWN)
    return HIDDEN


def key_labels(keys: IndexNames) -> Labels:
    """Return the key names as labels; open where one is not known."""
    if keys is None:
        return Labels(open=True)
    known = tuple(name for name in keys if name is not None and name is not HIDDEN)
    return Labels(known, open=len(known) < len(keys))
