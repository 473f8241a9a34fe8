"""Pure changes of a table's columns: selecting, adding, removing, renaming, moving to and from the index."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.state import union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import HIDDEN, ColumnIndex, IndexNames, Name, Table

OPEN_TABLE = Table((), open=True, exact=False, index=None)
Renamer = Callable[[Name], Name]  # gives HIDDEN for a name that it makes but that cannot be told


def map_names(labels: ColumnIndex, renamer: Renamer) -> ColumnIndex:
    """Return the labels mapped one by one; one that cannot be told leaves the result open."""
    mapped = [renamer(name) for name in labels.names]
    known = tuple(name for name in mapped if name is not HIDDEN)
    lost = len(known) < len(mapped)
    return ColumnIndex(known, labels.open or lost, labels.exact and not lost)


def subset(table: Table) -> Table:
    """Return a table with some of the columns of `table`, it is not known which."""
    return replace(table, exact=False)


def select(table: Table, labels: Labels) -> Table:
    """Return `table[[…labels…]]`: labels that are not known can only be columns of `table`."""
    if labels.open:
        return replace(table, columns=union(labels.names, table.columns), exact=False)
    names = tuple(inner for name in labels.names for inner in _inner_columns(table, name))
    exact = labels.exact and not has_doubles(names) and not has_doubles(table.columns)
    return replace(table, columns=names, open=False, exact=exact, possible_names=frozenset())


def _inner_columns(table: Table, name: Name) -> tuple[Name, ...]:
    """Return the columns of several levels below `name`, or the name itself."""
    if name in table.columns:
        return (name,)
    inner = tuple(label for label in table.columns if isinstance(label, tuple) and label[:1] == (name,))
    return inner or (name,)


def add(table: Table, labels: Labels) -> Table:
    """Return `table` after an assignment to `labels`: new ones at the end."""
    exact = table.exact and labels.exact
    names = (_at_depth(table, name) for name in dict.fromkeys(labels.names))
    new = tuple(name for name in names if name not in table.columns)
    return replace(
        table,
        columns=table.columns + new,
        open=table.open or labels.open,
        exact=exact,
    )


def _at_depth(table: Table, name: Name) -> Name:
    """Return a new label as a table of several column levels holds it: filled up with empty texts."""
    depths = {len(label) if isinstance(label, tuple) else 1 for label in table.columns}
    depth = depths.pop() if len(depths) == 1 else 1
    parts = name if isinstance(name, tuple) else (name,)
    return (*parts, *[""] * (depth - len(parts))) if depth > len(parts) else name


def has_doubles(names: Sequence[Name]) -> bool:
    """Return whether a name stands twice in `names`: then positions and counts are not followed."""
    return len(set(names)) < len(names)


def remove(table: Table, labels: Labels) -> Table:
    """Return `table` without what is surely removed; a column that is perhaps removed stays possible."""
    gone = set(labels.required)
    if labels.possible or labels.open:
        table = subset(table)
    kept = tuple(
        label
        for label in table.columns
        if label not in gone and not (isinstance(label, tuple) and label[:1] and label[0] in gone)
    )
    return replace(table, columns=kept, possible_names=table.possible_names - gone)


def rename(table: Table, renamer: Renamer) -> Table:
    """Return `table` with each label mapped; two that meet in one name stay two columns, as in pandas."""
    mapped = [renamer(label) for label in table.columns]
    known = tuple(label for label in mapped if label is not HIDDEN)
    lost = len(known) < len(mapped)
    return replace(
        table,
        columns=known,
        open=table.open or lost,
        exact=table.exact and not lost and not has_doubles(known),
        possible_names=frozenset(),
    )


def rename_by(table: Table, mapping: Mapping[Name, Name]) -> Table:
    """Return `table` renamed by a mapping; absent keys are remembered, for they do nothing now but fail later."""
    renamed = rename(
        table,
        lambda label: (
            tuple(mapping.get(part, part) for part in label)
            if isinstance(label, tuple)
            else mapping.get(label, label)
        ),
    )
    lost = tuple((new, old) for old, new in mapping.items() if table.lookup(old) == "absent")
    possible = [new for old, new in mapping.items() if table.lookup(old) == "unknown" and new is not HIDDEN]
    return replace(
        renamed, columns=union(renamed.columns, possible) if possible else renamed.columns,
        exact=renamed.exact and not possible, renames=union(table.renames, lost),
    )  # fmt: skip


def set_columns(table: Table, labels: Labels | None) -> Table:
    """Return `table` with new column labels."""
    if labels is None:
        return replace(table, columns=(), open=True, exact=False)
    return replace(
        table,
        columns=labels.names,
        open=labels.open,
        exact=labels.exact and not table.open and not has_doubles(labels.names),
        axis_named=False,
        possible_names=frozenset(),
        renames=(),
    )


def set_index(table: Table, labels: Labels | None, *, drop: bool | None, append: bool | None) -> Table:
    """Return `table.set_index(labels)`; a flag of None is not known."""
    if labels is None:
        return replace(table, index=None)
    index: IndexNames = labels.required if labels.exact else None
    if append is not False:
        index = (table.index or ()) + index if append and index is not None and table.index else None
    if drop is False:
        return replace(table, index=index)
    gone = labels if drop else Labels(possible=labels.names, open=labels.open)
    return replace(remove(table, gone), index=index)


def index_columns(index: IndexNames, columns: Iterable[Name]) -> tuple[Name, ...] | None:
    """Return the names that `reset_index` gives the levels of `index`; None when one is not known.

    An unnamed single level becomes `index`, or `level_0` where that name is taken; unnamed ones of several
    become `level_0`, `level_1`, …
    """
    if index is None or HIDDEN in index:
        return None
    if index == (None,):
        return ("level_0",) if "index" in columns else ("index",)
    return tuple(f"level_{level}" if name is None else name for level, name in enumerate(index))


def reset_index(table: Table, names: tuple[Name, ...] | None = None) -> Table:
    """Return `table.reset_index()`, its levels as columns in front; `names` overrides their names."""
    levels = names or index_columns(table.index, table.columns)
    if levels is None:
        known = tuple(name for name in table.index or () if name is not None and name is not HIDDEN)
        return replace(table, columns=union(known, table.columns), open=True, exact=False, index=(None,))
    if any(isinstance(label, tuple) for label in table.columns):
        width = next(len(label) for label in table.columns if isinstance(label, tuple))
        levels = tuple((level, *[""] * (width - 1)) for level in levels)
    return replace(table, columns=union(levels, table.columns), index=(None,))


def combine(first: Table, second: Table) -> Table:
    """Return a table with the columns of both, as arithmetic and stacking by rows give it."""
    return replace(
        first,
        columns=union(first.columns, second.columns),
        open=first.open or second.open,
        exact=first.exact and second.exact and first.columns == second.columns,
        index=first.index if first.index == second.index else None,
        row=first.row and second.row,
        axis_named=first.axis_named or second.axis_named,
        possible_names=first.possible_names | second.possible_names,
    )
