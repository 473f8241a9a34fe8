"""Methods of a column, and of its `str`, `dt` and `cat` accessors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.access import note_chained
from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call
from mindatlas.nodes.atlassplit.parts.frame_flow.keys import read_keys
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import OPEN_TABLE, reset_index
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    NONE,
    SCALAR,
    UNKNOWN,
    Const,
    Groups,
    IndexNames,
    Name,
    Ref,
    Series,
    Table,
    Unknown,
    Value,
)

_SAME = frozenset(
    {
        "abs", "add", "astype", "bfill", "clip", "convert_dtypes", "copy", "cumcount", "cummax", "cummin", "cumprod",
        "cumsum", "diff", "div", "divide", "drop", "drop_duplicates", "dropna", "explode", "ffill", "fillna", "floordiv",
        "head", "infer_objects", "interpolate", "mask", "mod", "mul", "multiply", "nlargest", "nsmallest", "pct_change",
        "pow", "radd", "rank", "rdiv", "reindex", "replace", "rmul", "round", "rsub", "sample", "shift", "sort_index",
        "sort_values", "sub", "subtract", "tail", "transform", "truediv", "update", "where",
    }
)  # fmt: skip
_MASKS = frozenset(
    {
        "between",
        "duplicated",
        "eq",
        "ge",
        "gt",
        "isin",
        "isna",
        "isnull",
        "le",
        "lt",
        "ne",
        "notna",
        "notnull",
    }
)
_TEXT_MASKS = frozenset(
    {"contains", "endswith", "fullmatch", "isalnum", "isalpha", "isdecimal", "isdigit", "islower", "isnumeric",
     "isspace", "isupper", "match", "startswith"}
)  # fmt: skip


def series_method(call: Call, series: Series, accessor: str | None = None) -> Value:
    """Return what a method of a column (or of one of its accessors) gives."""
    if accessor is not None:
        return _accessor_method(call, series)
    if call.flag(None, "inplace"):
        note_chained(call.flow, series, call.owner)
    method = _METHODS.get(call.name)
    if method is not None:
        return method(call, series)
    call.run_all()
    if call.name in _MASKS:
        return Series(series.name, series.index, mask=True)
    return series if call.name in _SAME else UNKNOWN


def _accessor_method(call: Call, series: Series) -> Value:
    call.run_all()
    if call.name in _TEXT_MASKS:
        return Series(series.name, series.index, mask=True)
    if call.name == "extract":
        return _extracted(call, series)
    if call.name in {"isocalendar", "components"}:
        columns = ("year", "week", "day")
        return call.give(Table(columns, index=series.index)) if call.name == "isocalendar" else UNKNOWN
    widens = call.name in {"extractall", "get_dummies", "partition", "rpartition"}
    if widens or call.flag(None, "expand") is not False:
        return call.give(replace(OPEN_TABLE, index=series.index))
    return Series(series.name, series.index)


def _extracted(call: Call, series: Series) -> Value:
    """Return the columns that the named groups of a pattern make; numbers for the others."""
    pattern = call.constant(0, "pat", HIDDEN)
    if call.flag(None, "expand", default=True) is not True:
        return Series(HIDDEN, series.index)
    names = _group_names(pattern) if isinstance(pattern, str) else None
    if names is None:
        return call.give(replace(OPEN_TABLE, index=series.index))
    return call.give(Table(names, index=series.index))


def _group_names(pattern: str) -> tuple[Name, ...] | None:
    """Return the column that each group of a pattern makes: its name or its number from 0 on."""
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None
    named = {position: name for name, position in compiled.groupindex.items()}
    return tuple(named.get(position, position - 1) for position in range(1, compiled.groups + 1))


def _reset_index(call: Call, series: Series) -> Value:
    if call.flag(None, "drop"):
        return Series(series.name, (None,))
    given = call.arg(None, "name")
    name: Name = series.name if given is None else given.value if isinstance(given, Const) else HIDDEN
    if name is None:
        name = 0
    known = name is not HIDDEN
    table = Table((name,) if known else (), open=not known, exact=known, index=series.index)
    named = call.labels(call.arg(None, "names"))
    back = reset_index(table, named.required if named is not None and named.exact else None)
    if call.arg(0, "level") is not None or call.flag(None, "drop") is None:
        back = replace(back, exact=False, index=None)
    return call.give(back)


def _to_frame(call: Call, series: Series) -> Value:
    given = call.arg(0, "name")
    name: Name = series.name if given is None else given.value if isinstance(given, Const) else HIDDEN
    if name is HIDDEN:
        return call.give(replace(OPEN_TABLE, index=series.index))
    return call.give(Table((0 if name is None else name,), index=series.index))


def _rename(call: Call, series: Series) -> Value:
    given = call.arg(0, "index")
    if isinstance(given, Ref):
        return series
    return Series(given.value if isinstance(given, Const) else HIDDEN, series.index)


def _rename_axis(call: Call, series: Series) -> Value:
    given = call.arg(0, "mapper") or call.arg(None, "index")
    labels = call.labels(given)
    names: IndexNames = (None,) if given == NONE else labels.required if labels and labels.exact else None
    return Series(series.name, None if isinstance(given, Ref) and call.dict_argument(given) else names)


def _count_values(call: Call, series: Series) -> Value:
    name = "proportion" if call.flag(0, "normalize") else "count"
    return Series(name, (series.name,))


def _unstack(call: Call, series: Series) -> Value:
    return call.give(replace(OPEN_TABLE, axis_named=True))


def _group(call: Call, series: Series) -> Value:
    """Follow `column.groupby(other)`; keys are not column names here."""
    name = HIDDEN if series.name is None else series.name
    table = replace(OPEN_TABLE, columns=(name,) if name is not HIDDEN else ())
    with call.flow.log.guarded():
        keys = read_keys(call, call.arg(0, "by"), table)
    return Groups(table, keys, selected=(name,), scalar=True)


def _values(call: Call, series: Series) -> Value:
    return Unknown(mask=True)


def _describe(call: Call, series: Series) -> Value:
    return Series(series.name, (None,))


def _shorten(call: Call, series: Series) -> Value:
    """Follow `sort_values`, `drop_duplicates` and the like, which may number the rows anew."""
    return Series(series.name, (None,)) if call.flag(None, "ignore_index") else series


def _window(call: Call, series: Series) -> Value:
    """Follow `resample`, `rolling` and the like on a column."""
    name = HIDDEN if series.name is None else series.name
    table = replace(OPEN_TABLE, columns=(name,) if name is not HIDDEN else (), index=series.index)
    return Groups(table, series.index, selected=(name,), scalar=True)


def _reduce(call: Call, series: Series) -> Value:
    return SCALAR


_REDUCTIONS = ("all", "any", "count", "max", "mean", "median", "min", "nunique", "prod", "std", "sum", "var")
_METHODS: Mapping[str, Callable[[Call, Series], Value]] = {
    **dict.fromkeys(_REDUCTIONS, _reduce),
    **dict.fromkeys(("ewm", "expanding", "resample", "rolling"), _window),
    "describe": _describe,
    "drop_duplicates": _shorten,
    "groupby": _group,
    "rename": _rename,
    "rename_axis": _rename_axis,
    "reset_index": _reset_index,
    "sort_values": _shorten,
    "to_frame": _to_frame,
    "to_numpy": _values,
    "unstack": _unstack,
    "value_counts": _count_values,
}
