"""Methods of a frame that reduce or apply: sums, `agg`, `apply`, `describe`, counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import subset
from mindatlas.nodes.atlassplit.parts.frame_flow.state import union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    UNKNOWN,
    Const,
    ListObject,
    Member,
    Module,
    NamedAgg,
    Ref,
    Series,
    Table,
    Unknown,
    Value,
)

REDUCTIONS = (
    "all", "any", "count", "idxmax", "idxmin", "kurt", "kurtosis", "max", "mean", "median", "min", "nunique",
    "prod", "product", "sem", "skew", "std", "sum", "var",
)  # fmt: skip


_REDUCING_BUILTINS = tuple(Member(Module("builtins"), name) for name in ("len", "max", "min", "sum"))


def _reduce(call: Call) -> Value:
    """Return one value a column (a row), or one a row (a column) along the columns."""
    axis = call.constant(0, "axis", 0)
    if axis in {1, "columns"}:
        return Series(None, call.table.index, mask=call.name in {"all", "any"})
    return call.give(replace(subset(call.table), row=True)) if axis in {0, "index"} else UNKNOWN


def _quantile(call: Call) -> Value:
    if call.by_columns(1) is not False:
        return UNKNOWN
    several = isinstance(call.arg(0, "q"), Ref)
    return call.give(replace(subset(call.table), row=not several, index=(None,)))


def _describe(call: Call) -> Value:
    """Follow what keeps (some of) the columns and makes new rows: `describe`, `corr`, `mode`."""
    return call.give(replace(subset(call.table), index=(None,)))


def _count_values(call: Call) -> Value:
    labels = call.require(call.arg(0, "subset"))
    name = "proportion" if call.flag(1, "normalize") else "count"
    if labels is not None:
        return Series(name, labels.required if labels.exact else None)
    return Series(name, call.table.columns if call.table.exact and not call.table.open else None)


def _aggregate(call: Call) -> Value:
    function = call.arg(0, "func")
    mapping = call.dict_argument(function)
    if call.by_columns(1) is not False:
        call.run_all()
        return UNKNOWN
    if mapping is not None:
        labels = call.require(function) or Labels(open=True)
        for _, value in mapping.items:
            call.run(value, Series(HIDDEN, call.table.index))
        several = any(isinstance(value, Ref) for _, value in mapping.items)
        if not several and not all(isinstance(value, Const) for _, value in mapping.items):
            return UNKNOWN
        return call.give(Table(labels.names, open=labels.open, exact=labels.exact, row=not several))
    if function is None and call.keywords:
        return _aggregate_named(call)
    return _aggregate_all(call, function)


def _aggregate_all(call: Call, function: Value | None) -> Value:
    if isinstance(function, Const) and isinstance(function.value, str):
        return call.give(replace(subset(call.table), row=True))
    if isinstance(function, Ref) and isinstance(call.heap[function.ids[0]], ListObject):
        return call.give(replace(subset(call.table), index=(None,)))
    call.run(function, Series(HIDDEN, call.table.index))
    return UNKNOWN


def _aggregate_named(call: Call) -> Value:
    """Follow `agg(total=("amount", "sum"))` on a frame: the columns stay, the names become rows."""
    names = union(*(named_column(call, value, call.table).names for value in call.keywords.values()))
    return call.give(Table(names, exact=False, open=call.spread))


def named_column(call: Call, value: Value, table: Table, *, levels: bool = False) -> Labels:
    """Log and return the column that a named aggregation takes."""
    if isinstance(value, NamedAgg):
        return call.require(value.column, table, levels=levels) or Labels(open=True)
    items = known_items(value, call.heap) if not isinstance(value, Ref) else None
    if items is None or len(items) != 2:
        return Labels(open=True)
    call.run(items[1], Series(HIDDEN))
    return call.require(items[0], table, levels=levels) or Labels(open=True)


def _apply(call: Call) -> Value:
    function, by_columns = call.arg(0, "func"), call.by_columns(1)
    rest = known_items(call.arg(None, "args") or UNKNOWN, call.heap) or ()
    own = {"func", "axis", "raw", "result_type", "args", "by_row", "engine", "engine_kwargs"}
    keywords = {name: value for name, value in call.keywords.items() if name not in own}
    if by_columns is None:
        call.run(function, UNKNOWN, *rest, **keywords)
        return UNKNOWN
    if by_columns:
        row = call.give(replace(call.table, row=True), "row")
        return _applied_to_rows(call, call.run(function, row, *rest, **keywords))
    if isinstance(function, Member) and function.base == Module("pandas"):
        return call.give(call.table)
    reduces = isinstance(function, Const) and function.value in REDUCTIONS
    if reduces or (isinstance(function, Member) and function in _REDUCING_BUILTINS):
        return call.give(replace(subset(call.table), row=True))
    returned = call.run(function, Series(HIDDEN, call.table.index), *rest, **keywords)
    if isinstance(returned, Series):
        return call.give(replace(call.table, index=None))
    return call.give(replace(call.table, row=True)) if _is_scalar(returned) else UNKNOWN


def _is_scalar(value: Value) -> bool:
    return isinstance(value, Const) or (isinstance(value, Unknown) and value.scalar)


def _applied_to_rows(call: Call, returned: Value) -> Value:
    """Return the frame made of rows, or the column made of single values; both only where that is sure."""
    table = call.flow.table(returned)
    if table is not None and table.row and call.arg(None, "result_type") is None:
        return call.give(replace(table, row=False, index=call.table.index))
    return Series(None, call.table.index) if _is_scalar(returned) else UNKNOWN


def _transform(call: Call) -> Value:
    call.run(call.arg(0, "func"), Series(HIDDEN, call.table.index))
    return call.give(subset(call.table))


AGGREGATE_METHODS: Mapping[str, Method] = {
    **dict.fromkeys(REDUCTIONS, _reduce),
    "agg": _aggregate,
    "aggregate": _aggregate,
    "apply": _apply,
    "corr": _describe,
    "cov": _describe,
    "describe": _describe,
    "mode": _describe,
    "quantile": _quantile,
    "transform": _transform,
    "value_counts": _count_values,
}
