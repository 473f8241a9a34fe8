"""What the reductions of a groupby object give: one row a group, its keys as index or columns."""

from __future__ import annotations

from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.aggregates import named_column
from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.keys import key_labels
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import remove, reset_index, select, subset
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    NONE,
    UNKNOWN,
    Const,
    Groups,
    IndexNames,
    ListObject,
    Name,
    Ref,
    Series,
    Table,
    Value,
)

_STATISTICS = ("count", "mean", "std", "min", "25%", "50%", "75%", "max", "unique", "top", "freq")


def aggregate(call: Call, groups: Groups) -> Value:
    """Follow `agg` in all its forms: by name, by column, several ways, one function."""
    function = call.arg(0, "func")
    if function is None or function == NONE:
        return _aggregate_named(call, groups)
    mapping = call.dict_argument(function)
    if mapping is not None:
        return _aggregate_by_column(call, groups, function)
    item = call.heap[function.ids[0]] if isinstance(function, Ref) else None
    if isinstance(item, ListObject):
        return _aggregate_all_ways(call, groups, item)
    call.run(function, Series(HIDDEN))
    return reduce(call, groups)


def _aggregate_named(call: Call, groups: Groups) -> Value:
    names = tuple(name for name in call.keywords if name not in {"engine", "engine_kwargs"})
    for name in names:
        value = call.keywords[name]
        call.flow.log.mentioned.add(name)
        if groups.scalar:
            call.run(value, Series(HIDDEN))
        else:
            named_column(call, value, groups.table, levels=True)
    return _reduced(call, groups, Table(names, open=call.spread, exact=not call.spread))


def _aggregate_by_column(call: Call, groups: Groups, function: Value) -> Value:
    mapping = call.dict_argument(function)
    labels = call.require(function, groups.table, levels=True) or Labels(open=True)
    items = mapping.items if mapping is not None else ()
    for _, value in items:
        call.run(value, Series(HIDDEN))
    several = any(isinstance(value, Ref) for _, value in items)
    if not several:
        return _reduced(call, groups, Table(labels.names, open=labels.open, exact=labels.exact))
    pairs = tuple((name, way) for name, value in items for way in _ways(call, value) or ())
    known = labels.exact and all(_ways(call, value) is not None for _, value in items)
    return _reduced(call, groups, Table(pairs, open=not known, exact=known))


def _aggregate_all_ways(call: Call, groups: Groups, item: ListObject) -> Value:
    ways = _way_names(item)
    for value in item.items:
        call.run(value, Series(HIDDEN))
    if groups.scalar:
        return _reduced(call, groups, Table(ways or (), open=ways is None, exact=ways is not None))
    values = value_columns(groups)
    pairs = tuple((name, way) for name in values.columns for way in ways or ())
    known = ways is not None and not values.open
    return _reduced(call, groups, Table(pairs, open=not known, exact=known and values.exact))


def _ways(call: Call, value: Value) -> tuple[Name, ...] | None:
    """Return the inner labels that the aggregations of one column make."""
    item = call.heap[value.ids[0]] if isinstance(value, Ref) else None
    if isinstance(item, ListObject):
        return _way_names(item)
    return (value.value,) if isinstance(value, Const) else None


def _way_names(item: ListObject) -> tuple[Name, ...] | None:
    names = tuple(
        value.value for value in item.items if isinstance(value, Const) and isinstance(value.value, str)
    )
    return names if len(names) == len(item.items) and item.exact and not item.open else None


def count_values(call: Call, groups: Groups) -> Value:
    """Follow `value_counts` of one picked column."""
    if not groups.scalar or not groups.selected or groups.keys is None:
        return UNKNOWN
    name = "proportion" if call.flag(1, "normalize") else "count"
    index: IndexNames = (*groups.keys, groups.selected[0])
    if not groups.as_index:
        return call.give(replace(reset_index(Table((name,), index=index)), exact=False))
    return Series(name, index)


def describe(call: Call, groups: Groups) -> Value:
    """Follow `describe`: a statistic of each column, or the statistics of the one that was picked."""
    values = value_columns(groups)
    names = (
        _STATISTICS if groups.scalar else tuple((name, way) for name in values.columns for way in _STATISTICS)
    )
    is_open = values.open or bool(call.args or call.keywords) or not groups.as_index
    return call.give(Table(names, open=is_open, exact=False, index=groups.keys))


def reduce(call: Call, groups: Groups) -> Value:
    """Follow `sum`, `mean` and the like."""
    if groups.scalar and groups.as_index:
        return Series(groups.selected[0] if groups.selected else HIDDEN, groups.keys)
    values = value_columns(groups)
    return _reduced(call, groups, values if call.arg(0, "numeric_only") is None else subset(values))


def size(call: Call, groups: Groups) -> Value:
    """Follow `size`, which counts the rows of each group."""
    if groups.as_index:
        name = groups.selected[0] if groups.scalar and groups.selected else None
        return Series(name, groups.keys)
    return _reduced(call, groups, Table(("size",)))


def value_columns(groups: Groups) -> Table:
    """Return the table of the columns that a reduction works on: those picked, or all but the keys."""
    if groups.selected is not None:
        return select(groups.table, Labels(groups.selected))
    keys = key_labels(groups.keys)
    values = remove(groups.table, Labels(keys.required, open=keys.open))
    if not groups.doubtful:
        return values
    return replace(values, exact=False, possible_names=values.possible_names | groups.doubtful)


def _reduced(call: Call, groups: Groups, values: Table) -> Value:
    """Return the frame of reduced columns, the keys as its index, or as columns if asked for."""
    result = replace(values, index=groups.keys, axis_named=False)
    if groups.as_index:
        return call.give(result)
    return call.give(replace(reset_index(result), exact=False))
