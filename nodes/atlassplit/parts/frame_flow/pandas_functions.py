"""Functions of pandas and numpy that take or make frames and columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.constructors import CONSTRUCTORS
from mindatlas.nodes.atlassplit.parts.frame_flow.joins import as_table, concat, merge_tables
from mindatlas.nodes.atlassplit.parts.frame_flow.keys import read_keys
from mindatlas.nodes.atlassplit.parts.frame_flow.reshapes import melted, pivoted
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import OPEN_TABLE, remove
from mindatlas.nodes.atlassplit.parts.frame_flow.state import union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    MASK,
    NONE,
    UNKNOWN,
    Const,
    Expression,
    Grouper,
    NamedAgg,
    Series,
    Table,
    Value,
)


def _read(call: Call) -> Value:
    """Follow `read_csv`, `read_excel` and the like: the columns are known only where the call names them."""
    names = call.labels(call.arg(None, "names"))
    if names is not None and names.exact and call.arg(None, "index_col") in {None, NONE}:
        return call.give(Table(names.required, index=None))
    if call.name == "read_excel" and "sheet_name" in call.keywords:
        sheet = call.keywords["sheet_name"]
        if not (isinstance(sheet, Const) and isinstance(sheet.value, str | int)):
            return UNKNOWN
    return call.give(OPEN_TABLE)


def _merge(call: Call) -> Value:
    left = as_table(call, call.arg(0, "left")) or OPEN_TABLE
    return merge_tables(call, left, call.arg(1, "right"), shift=1)


def _merge_ordered(call: Call) -> Value:
    """Follow `merge_asof` and `merge_ordered`, whose positional arguments differ from those of `merge`."""
    left, right = (
        as_table(call, call.arg(at, name)) or OPEN_TABLE for at, name in enumerate(("left", "right"))
    )
    for name, table in (("on", left), ("on", right), ("left_on", left), ("right_on", right)):
        call.require(call.arg(None, name), table, levels=True)
    call.require(call.arg(None, "by"), left)
    names = union(left.columns, right.columns)
    overlap = [name for name in left.columns if name in right.columns]
    suffixed = [f"{name}{suffix}" for name in overlap for suffix in ("_x", "_y")]
    is_open = left.open or right.open or call.arg(None, "suffixes") is not None
    return call.give(Table(union(names, suffixed), open=is_open, exact=False, index=None))


def _melt(call: Call) -> Value:
    frame = as_table(call, call.arg(0, "frame")) or OPEN_TABLE
    return call.give(melted(call, frame, shift=1))


def _pivot_table(call: Call) -> Value:
    return call.give(pivoted(call, as_table(call, call.arg(0, "data")) or OPEN_TABLE, shift=1))


def _pivot(call: Call) -> Value:
    table = as_table(call, call.arg(0, "data")) or OPEN_TABLE
    for name in ("index", "columns", "values"):
        call.require(call.arg(None, name), table)
    return call.give(replace(OPEN_TABLE, axis_named=True))


def _crosstab(call: Call) -> Value:
    with call.flow.log.guarded():
        index = read_keys(call, call.arg(0, "index"), OPEN_TABLE)
    return call.give(replace(OPEN_TABLE, index=index, axis_named=True))


def _get_dummies(call: Call) -> Value:
    table = as_table(call, call.arg(0, "data"))
    columns = call.arg(None, "columns") or call.arg(4, "columns")
    if table is None or columns is None:
        return call.give(OPEN_TABLE if table is None else replace(table, open=True, exact=False))
    labels = call.require(columns, table) or Labels(open=True)
    return call.give(replace(remove(table, labels), open=True, exact=False))


def _same_column(call: Call) -> Value:
    """Follow `to_numeric`, `to_datetime`, `cut` and the like: a column stays the column it is."""
    value = next(iter((*call.args, *call.keywords.values())), UNKNOWN)
    return Series(value.name, value.index) if isinstance(value, Series) else UNKNOWN


def _is_missing(call: Call) -> Value:
    value = call.args[0] if call.args else UNKNOWN
    if isinstance(value, Series):
        return replace(value, mask=True)
    return value if call.flow.table(value) is not None else MASK


def _grouper(call: Call) -> Value:
    key = call.arg(0, "key")
    if key is None or key == NONE:
        return Grouper(None)
    return Grouper(key.value if isinstance(key, Const) else HIDDEN)


def _column_expression(call: Call) -> Value:
    labels = call.labels(call.arg(0, "col_name"))
    return Expression(labels.required if labels is not None else ())


def _named_agg(call: Call) -> Value:
    return NamedAgg(call.arg(0, "column") or UNKNOWN)


def _json_normalize(call: Call) -> Value:
    return call.give(OPEN_TABLE)


def _mask(call: Call) -> Value:
    call.run_all()
    return MASK


_READERS = ("read_csv", "read_excel", "read_feather", "read_json", "read_parquet", "read_table", "read_fwf")
_COLUMN_FUNCTIONS = ("cut", "qcut", "to_datetime", "to_numeric", "to_timedelta")
_MASK_FUNCTIONS = (
    "isclose", "isfinite", "isin", "isinf", "isnan", "logical_and", "logical_not", "logical_or", "logical_xor",
)  # fmt: skip
PANDAS_FUNCTIONS: Mapping[str, Method] = {
    **CONSTRUCTORS,
    **dict.fromkeys(_READERS, _read),
    **dict.fromkeys(_COLUMN_FUNCTIONS, _same_column),
    "Grouper": _grouper,
    "NamedAgg": _named_agg,
    "col": _column_expression,
    "concat": concat,
    "crosstab": _crosstab,
    "get_dummies": _get_dummies,
    "isna": _is_missing,
    "isnull": _is_missing,
    "json_normalize": _json_normalize,
    "melt": _melt,
    "merge": _merge,
    "merge_asof": _merge_ordered,
    "merge_ordered": _merge_ordered,
    "notna": _is_missing,
    "notnull": _is_missing,
    "pivot": _pivot,
    "pivot_table": _pivot_table,
}
NUMPY_FUNCTIONS: Mapping[str, Method] = dict.fromkeys(_MASK_FUNCTIONS, _mask)
