"""Methods of a frame that rename columns or turn the table: `rename`, `melt`, `pivot_table`, `unstack`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.keys import read_keys
from mindatlas.nodes.atlassplit.parts.frame_flow.labels import renamer_of
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import rename, rename_by, set_columns, subset
from mindatlas.nodes.atlassplit.parts.frame_flow.state import union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    NONE,
    UNKNOWN,
    Const,
    Function,
    IndexNames,
    Member,
    Name,
    Ref,
    Table,
    Value,
)

_TURNED = Table((), open=True, exact=False, index=None, axis_named=True)  # columns come from cell values


def _rename(call: Call) -> Value:
    mapper = call.arg(None, "columns")
    by_columns = call.by_columns(None)
    if mapper is None and by_columns is not False:
        mapper = call.arg(0, "mapper")
    if mapper is None:
        return call.finish(call.table)
    if call.constant(None, "errors", "ignore") == "raise":
        call.require(mapper)
    renamed = _renamed(call, mapper)
    if by_columns is None:
        renamed = subset(replace(renamed, columns=union(renamed.columns, call.table.columns)))
    return call.finish(renamed)


def _renamed(call: Call, mapper: Value) -> Table:
    table = call.table
    mapping = call.dict_argument(mapper)
    if mapping is None:
        known = isinstance(mapper, Function | Member)
        return rename(table, renamer_of(call, mapper) if known else lambda _: HIDDEN)
    if mapping.open:
        return replace(table, open=True, exact=False)
    call.flow.log.mentioned.update(key for key, _ in mapping.items)
    return rename_by(
        table, {key: value.value if isinstance(value, Const) else HIDDEN for key, value in mapping.items}
    )


def _set_axis(call: Call) -> Value:
    by_columns = call.by_columns(1)
    if by_columns is False:
        return call.give(replace(call.table, index=None))
    return call.give(set_columns(call.table, call.labels(call.arg(0, "labels")) if by_columns else None))


def _affix(call: Call) -> Value:
    text = call.constant(0, "prefix" if call.name == "add_prefix" else "suffix", HIDDEN)
    if call.constant(1, "axis", None) in {0, "index"}:
        return call.give(call.table)

    def renamed(name: Name) -> Name:
        if not isinstance(text, str) or not isinstance(name, str | int):
            return HIDDEN
        return f"{text}{name}" if call.name == "add_prefix" else f"{name}{text}"

    return call.give(rename(call.table, renamed))


def _rename_axis(call: Call) -> Value:
    mapper, index = call.arg(0, "mapper"), call.arg(None, "index")
    given = index if index is not None else mapper
    if given is None or (index is None and call.by_columns(None) is not False):
        return call.finish(replace(call.table, axis_named=True))
    labels = call.labels(given)
    names: IndexNames = (None,) if given == NONE else labels.required if labels and labels.exact else None
    if call.dict_argument(given) is not None:
        names = None
    return call.finish(replace(call.table, index=names))


def melt(call: Call) -> Value:
    """Follow `frame.melt(id_vars, value_vars, …)`."""
    return call.give(melted(call, call.table, shift=0))


def melted(call: Call, table: Table, *, shift: int) -> Table:
    """Return the long table; `shift`: positional arguments before those of the method."""
    kept = call.require(call.arg(shift, "id_vars"), table)
    call.require(call.arg(1 + shift, "value_vars"), table)
    variable = call.constant(2 + shift, "var_name", None)
    value = call.constant(3 + shift, "value_name", "value")
    labels = kept or Labels(open=call.arg(shift, "id_vars") not in {None, NONE})
    named = [variable if variable is not None else HIDDEN if table.axis_named else "variable", value]
    known = tuple(name for name in named if name is not HIDDEN)
    is_open = labels.open or len(known) < len(named) or any(isinstance(name, tuple) for name in table.columns)
    names = union(labels.names, table.columns if labels.open else (), known)
    return Table(names, open=is_open, exact=labels.exact and not is_open)


def _pivot(call: Call) -> Value:
    for name in ("columns", "values"):
        call.require(call.arg(None, name))
    labels = call.require(call.arg(None, "index"))
    return call.give(replace(_TURNED, index=labels.required if labels and labels.exact else None))


def pivot_table(call: Call) -> Value:
    """Follow `frame.pivot_table(values, index, columns, aggfunc)`."""
    return call.give(pivoted(call, call.table, shift=0))


def pivoted(call: Call, table: Table, *, shift: int) -> Table:
    """Return the pivoted table; without `columns` its columns are the values, else they come from cells."""
    values = call.require(call.arg(shift, "values"), table)
    index = read_keys(call, call.arg(1 + shift, "index"), table)
    columns = call.arg(2 + shift, "columns")
    read_keys(call, columns, table)
    aggregation = call.arg(3 + shift, "aggfunc")
    by_column = call.dict_argument(aggregation)
    if by_column is not None:
        values = call.require(aggregation, table)
    ways = call.labels(aggregation) if isinstance(aggregation, Ref) and by_column is None else None
    if columns not in {None, NONE}:
        return replace(_TURNED, index=index)
    if ways is not None:
        pairs = tuple((way, name) for way in ways.names for name in (values.names if values else ()))
        return Table(pairs, open=ways.open or values is None or values.open, exact=False, index=index)
    if by_column is not None and any(isinstance(value, Ref) for _, value in by_column.items):
        return replace(_TURNED, index=index)
    if values is None or not values.exact:
        return replace(subset(table), index=index)
    return Table(tuple(sorted(values.required, key=str)), exact=False, index=index)


def _turn(call: Call) -> Value:
    return call.give(_TURNED)


def _drop_level(call: Call) -> Value:
    """Follow `droplevel`; only dropping one level of column tuples is known by name."""
    level = call.constant(0, "level", HIDDEN)
    tuples = [name for name in call.table.columns if isinstance(name, tuple)]
    if not call.by_columns(1):
        return call.give(replace(call.table, index=None))
    if not isinstance(level, int) or len(tuples) < len(call.table.columns):
        return call.give(_TURNED)
    rest = [tuple(part for at, part in enumerate(name) if at != level % len(name)) for name in tuples]
    names = tuple(name[0] if len(name) == 1 else name for name in rest)
    return call.give(replace(call.table, columns=names))


def _select_dtypes(call: Call) -> Value:
    return call.give(subset(call.table))


def _unknown(call: Call) -> Value:
    call.run_all()
    return UNKNOWN


RESHAPE_METHODS: Mapping[str, Method] = {
    "add_prefix": _affix,
    "add_suffix": _affix,
    "droplevel": _drop_level,
    "melt": melt,
    "pivot": _pivot,
    "pivot_table": pivot_table,
    "rename": _rename,
    "rename_axis": _rename_axis,
    "select_dtypes": _select_dtypes,
    "set_axis": _set_axis,
    "stack": _unknown,
    "transpose": _turn,
    "unstack": _turn,
}
