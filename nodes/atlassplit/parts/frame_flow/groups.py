"""`groupby`, `resample` and windows: what they select, and the columns of what they give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.aggregates import REDUCTIONS
from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.group_aggregates import (
    aggregate,
    count_values,
    describe,
    reduce,
    size,
    value_columns,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.keys import key_labels, read_keys
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import remove, select, subset
from mindatlas.nodes.atlassplit.parts.frame_flow.state import union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
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

_KEPT_ROWS = ("head", "tail", "nth", "sample", "filter", "get_group")
_SAME_ROWS = (
    "transform", "cumsum", "cumprod", "cummax", "cummin", "shift", "diff", "pct_change", "rank", "fillna", "ffill",
    "bfill",
)  # fmt: skip
_REDUCING = (*REDUCTIONS, "first", "last", "quantile", "ohlc")


def group_frame(call: Call) -> Value:
    """Follow `frame.groupby(by, …)`."""
    table = call.table
    if call.by_columns(1) is not False:
        return UNKNOWN
    keys = read_keys(call, call.arg(0, "by"), table)
    as_index = call.flag(None, "as_index", default=True)
    if as_index is None:
        return Groups(replace(subset(table), open=True), None)
    adds_keys = call.flag(None, "group_keys", default=True)
    return Groups(table, keys, as_index=as_index, doubtful=_doubtful_keys(call), adds_keys=adds_keys)


def _doubtful_keys(call: Call) -> frozenset[Name]:
    """Return the names of columns given as keys themselves: one computed from a column leaves it among the values."""
    by = call.arg(0, "by")
    items = known_items(by, call.heap) if isinstance(by, Ref) else (by,)
    return frozenset(item.name for item in items or () if isinstance(item, Series))


def resample_frame(call: Call) -> Value:
    """Follow `frame.resample(rule, on=…)`, `rolling(window, on=…)` and the like: windows over the rows."""
    on = call.arg(None, "on")
    labels = call.require(on)
    if labels is None or call.name != "resample":
        return Groups(call.table, call.table.index)
    return Groups(call.table, labels.required if labels.exact else None)


def group_method(call: Call, groups: Groups) -> Value:
    """Return what a method of a groupby object gives."""
    method = _METHODS.get(call.name)
    if method is not None:
        return method(call, groups)
    call.run_all()
    return UNKNOWN


def _keep_rows(call: Call, groups: Groups) -> Value:
    call.run(call.arg(0, "func"), call.give(_group_table(groups), "group"))
    if groups.scalar:
        return Series(groups.selected[0] if groups.selected else HIDDEN, groups.table.index)
    return call.give(subset(groups.table) if groups.selected else groups.table)


def _same_rows(call: Call, groups: Groups) -> Value:
    call.run(call.arg(0, "func"), Series(HIDDEN))
    if groups.scalar:
        return Series(groups.selected[0] if groups.selected else HIDDEN, groups.table.index)
    return call.give(replace(subset(value_columns(groups)), index=groups.table.index))


def _group_table(groups: Groups) -> Table:
    """Return one group; pandas 2 has the grouping columns in it, pandas 3 has not: they stay possible."""
    table = select(groups.table, Labels(groups.selected)) if groups.selected else groups.table
    keys = frozenset(key_labels(groups.keys).required)
    rows = remove(table, Labels(tuple(keys)))
    return replace(rows, possible_names=keys, attributes=table.attributes | {"name"})


def _apply(call: Call, groups: Groups) -> Value:
    function = call.arg(0, "func")
    own = {"func", "include_groups", "engine", "engine_kwargs"}
    keywords = {name: value for name, value in call.keywords.items() if name not in own}
    if groups.scalar:
        call.run(
            function, Series(groups.selected[0] if groups.selected else HIDDEN), *call.args[1:], **keywords
        )
        return UNKNOWN
    group = call.give(_group_table(groups), "group")
    returned = call.run(function, group, *call.args[1:], **keywords)
    table = call.flow.table(returned)
    if table is None:
        one = isinstance(returned, Const) or (isinstance(returned, Unknown) and returned.scalar)
        return Series(None, groups.keys) if one else UNKNOWN
    columns = union(table.columns, table.possible_names)
    if not groups.as_index:
        keys = key_labels(groups.keys)
        is_open = table.open or keys.open or not table.row
        columns = union(keys.required, columns)
        return call.give(replace(table, row=False, open=is_open, exact=False, columns=columns, index=None))
    index = groups.keys if table.row else _stacked_index(groups, table)
    return call.give(replace(table, row=False, exact=False, columns=columns, index=index))


def _stacked_index(groups: Groups, returned: Table) -> IndexNames:
    """Return the index of the frames that `apply` got back, one below the other."""
    if returned.index is None or groups.keys is None or groups.adds_keys is None:
        return None
    return (*groups.keys, *returned.index) if groups.adds_keys else returned.index


def _window(call: Call, groups: Groups) -> Value:
    """Follow a window or resampling within groups: its result is indexed by the keys and the rows."""
    on = call.require(call.arg(None, "on"), groups.table)
    rows = groups.table.index if on is None else on.required if call.name == "resample" and on.exact else None
    keys = (*groups.keys, *rows) if groups.keys is not None and rows is not None else None
    return replace(groups, keys=keys, doubtful=groups.doubtful | frozenset(key_labels(groups.keys).required))


def _pipe(call: Call, groups: Groups) -> Value:
    return call.run(call.arg(0, "func"), groups, *call.args[1:])


_METHODS: Mapping[str, Callable[[Call, Groups], Value]] = {
    **dict.fromkeys(_KEPT_ROWS, _keep_rows),
    **dict.fromkeys(_SAME_ROWS, _same_rows),
    **dict.fromkeys(_REDUCING, reduce),
    "agg": aggregate,
    "aggregate": aggregate,
    "apply": _apply,
    "describe": describe,
    "expanding": _window,
    "ewm": _window,
    "pipe": _pipe,
    "resample": _window,
    "rolling": _window,
    "size": size,
    "value_counts": count_values,
}
