"""Methods of a row: a Series whose labels are the columns of a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import OPEN_TABLE, remove, subset
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    ABOUT_COLUMNS,
    UNKNOWN,
    Const,
    ListObject,
    TupleValue,
    Value,
)

_SAME = (
    "abs", "add", "apply", "astype", "clip", "copy", "cumsum", "diff", "div", "divide", "eq", "fillna", "ge", "gt",
    "infer_objects", "isin", "isna", "isnull", "le", "lt", "map", "mul", "ne", "notna", "notnull", "pct_change",
    "rank", "replace", "round", "shift", "sub",
)  # fmt: skip
_SOME = ("dropna", "head", "nlargest", "nsmallest", "sample", "sort_index", "sort_values", "tail", "where")


def _same(call: Call) -> Value:
    call.run_all()
    return call.finish(call.table)


def _some(call: Call) -> Value:
    return call.finish(subset(call.table))


def _drop(call: Call) -> Value:
    value = call.arg(0, "labels") or call.arg(None, "index")
    with call.flow.log.guarded(call.constant(None, "errors", "raise") != "raise"):
        labels = call.require(value)
    return call.finish(remove(call.table, labels) if labels is not None else subset(call.table))


def _get(call: Call) -> Value:
    return ABOUT_COLUMNS


def _items(call: Call) -> Value:
    table = call.table
    pairs = tuple(TupleValue((Const(name), UNKNOWN)) for name in table.columns)
    return call.flow.allocate(
        ListObject(pairs, exact=table.exact and not table.open, open=table.open), call.node
    )


def _apply(call: Call) -> Value:
    """Follow `apply`; its function may make a frame of every value, so only the labels are sure."""
    call.run_all()
    return call.finish(replace(call.table, open=True, exact=False))


def _to_frame(call: Call) -> Value:
    return call.give(OPEN_TABLE)


ROW_METHODS: Mapping[str, Method] = {
    **dict.fromkeys(_SAME, _same),
    **dict.fromkeys(_SOME, _some),
    "apply": _apply,
    "drop": _drop,
    "get": _get,
    "items": _items,
    "to_frame": _to_frame,
}
