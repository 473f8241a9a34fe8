"""Methods of a frame that keep its columns or go through its rows; and the table of all methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from mindatlas.nodes.atlassplit.parts.frame_flow.aggregates import AGGREGATE_METHODS
from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.column_methods import COLUMN_METHODS
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.groups import group_frame, resample_frame
from mindatlas.nodes.atlassplit.parts.frame_flow.joins import JOIN_METHODS
from mindatlas.nodes.atlassplit.parts.frame_flow.queries import QUERY_METHODS
from mindatlas.nodes.atlassplit.parts.frame_flow.reshapes import RESHAPE_METHODS
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import (
    OPEN_TABLE,
    add,
    combine,
    select,
    subset,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.state import opened, union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    UNKNOWN,
    Const,
    Function,
    ListObject,
    Series,
    Stream,
    Table,
    TupleValue,
    Value,
)

# What they return has the columns of the receiver, whatever their arguments.
_SAME = (
    "abs", "asfreq", "astype", "bfill", "clip", "convert_dtypes", "copy", "cummax", "cummin", "cumprod", "cumsum",
    "diff", "ffill", "fillna", "head", "infer_objects", "interpolate", "isin", "isna", "isnull", "mask", "notna",
    "notnull", "pct_change", "rank", "replace", "round", "sample", "shift", "sort_index", "tail", "truncate",
    "tz_convert", "tz_localize", "where", "eq", "ne", "lt", "le", "gt", "ge", "set_flags",
)  # fmt: skip
_ARITHMETIC = (
    "add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "radd", "rsub", "rmul", "rdiv", "rtruediv",
    "rfloordiv", "rmod", "rpow", "multiply", "divide", "subtract", "combine_first", "reindex_like",
)  # fmt: skip


def _same(call: Call) -> Value:
    return call.finish(call.table)


def _same_checked(call: Call) -> Value:
    """Follow `astype`, whose dict must name columns; an `errors="ignore"` does not excuse absent ones."""
    if call.dict_argument(call.arg(0, "dtype")) is not None:
        call.require(call.arg(0, "dtype"))
    return call.give(call.table)


def _map_cells(call: Call) -> Value:
    call.run_all()
    return call.give(call.table)


def _arithmetic(call: Call) -> Value:
    other = call.arg(0, "other")
    table = call.flow.table(other) if other is not None else None
    if isinstance(other, Const):
        return call.give(call.table)
    by_rows = isinstance(other, Series) and call.constant(1, "axis", "columns") in {0, "index"}
    if table is not None or by_rows:
        return call.give(combine(call.table, table) if table is not None else call.table)
    widened = opened(subset(call.table))
    return call.give(widened if isinstance(widened, Table) else OPEN_TABLE)


def _sort_values(call: Call) -> Value:
    by_columns = call.by_columns(1)
    if by_columns is False:
        call.require(call.arg(0, "by"), levels=True)
    return call.finish(call.table)


def _subset_rows(call: Call) -> Value:
    """Follow `drop_duplicates` and `dropna`, whose `subset` names columns."""
    table = call.table
    if call.name == "dropna" and call.by_columns(0) is not False:
        return call.finish(subset(table))
    call.require(call.arg(0 if call.name == "drop_duplicates" else None, "subset"))
    if call.flag(None, "ignore_index"):
        table = replace(table, index=(None,))
    return call.finish(table)


def _duplicated(call: Call) -> Value:
    call.require(call.arg(0, "subset"))
    return Series(None, call.table.index, mask=True)


def _largest(call: Call) -> Value:
    call.require(call.arg(1, "columns"))
    return call.give(call.table)


def _explode(call: Call) -> Value:
    call.require(call.arg(0, "column"))
    return call.give(call.table)


def _assign(call: Call) -> Value:
    """Follow `assign`: each function sees the columns assigned before it."""
    made = call.give(call.table, "assign")
    for name, value in call.keywords.items():
        call.run(value, made)
        call.apply_expression(value)
        call.flow.log.mentioned.add(name)
        call.flow.update(made, partial(add, labels=Labels((name,))))
    if call.spread:
        call.flow.expose([made])
    return made


def _items(call: Call) -> Value:
    table = call.table
    pairs = tuple(TupleValue((Const(name), Series(name, table.index))) for name in table.columns)
    exact = table.exact and not table.open
    return call.flow.allocate(ListObject(pairs, exact=exact, open=table.open), call.node)


def _iterate_rows(call: Call) -> Value:
    row = call.give(replace(call.table, row=True), "row")
    return Stream(row if call.name == "itertuples" else TupleValue((UNKNOWN, row)))


def _pipe(call: Call) -> Value:
    function = call.arg(0, "func")
    if isinstance(function, Function):
        return call.run(function, call.base, *call.args[1:], **call.keywords)
    call.flow.expose([call.base, *call.args])
    return UNKNOWN


def _to_records(call: Call) -> Value:
    """Follow `to_dict`: records have the columns as keys."""
    if call.constant(0, "orient", "dict") != "records":
        return UNKNOWN
    record = call.give(replace(call.table, row=True, index=None), "record")
    return call.flow.allocate(ListObject((record,), exact=False), call.node)


def _write(call: Call) -> Value:
    call.require(call.arg(None, "columns"))
    return UNKNOWN


def _select(call: Call) -> Value:
    """Follow `select('a', 'b')`."""
    labels = [call.require(value) or Labels(open=True) for value in call.args]
    names = Labels(union(*(item.names for item in labels)), open=any(item.open for item in labels))
    return call.give(select(call.table, names))


def _plot(call: Call) -> Value:
    for name in ("x", "y"):
        call.require(call.arg(None, name))
    return UNKNOWN


def _getitem(call: Call) -> Value:
    call.require(call.arg(0, "key"))
    return UNKNOWN


FRAME_METHODS: Mapping[str, Method] = {
    **dict.fromkeys(_SAME, _same),
    **dict.fromkeys(_ARITHMETIC, _arithmetic),
    **AGGREGATE_METHODS,
    **COLUMN_METHODS,
    **JOIN_METHODS,
    **QUERY_METHODS,
    **RESHAPE_METHODS,
    "__getitem__": _getitem,
    "applymap": _map_cells,
    "assign": _assign,
    "astype": _same_checked,
    "drop_duplicates": _subset_rows,
    "dropna": _subset_rows,
    "duplicated": _duplicated,
    "explode": _explode,
    "ewm": resample_frame,
    "expanding": resample_frame,
    "groupby": group_frame,
    "items": _items,
    "iterrows": _iterate_rows,
    "itertuples": _iterate_rows,
    "map": _map_cells,
    "nlargest": _largest,
    "nsmallest": _largest,
    "pipe": _pipe,
    "plot": _plot,
    "resample": resample_frame,
    "rolling": resample_frame,
    "select": _select,
    "sort_values": _sort_values,
    "to_csv": _write,
    "to_dict": _to_records,
    "to_excel": _write,
    "to_html": _write,
    "to_string": _write,
}
