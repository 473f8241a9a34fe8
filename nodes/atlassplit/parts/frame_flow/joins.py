"""`merge`, `join` and `concat`: the columns of several frames side by side or stacked."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import OPEN_TABLE, combine, subset
from mindatlas.nodes.atlassplit.parts.frame_flow.state import union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    NONE,
    UNKNOWN,
    Const,
    DictObject,
    IndexNames,
    ListObject,
    Name,
    Ref,
    Series,
    Table,
    Value,
)

_MERGE_SUFFIXES = ("_x", "_y")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sides:
    """Two tables to be joined; of `shared` key columns only one is kept."""

    left: Table
    right: Table
    shared: tuple[Name, ...]
    suffixes: tuple[Name, ...] | None
    certain: bool = True

    def joined(self) -> Table:
        """Return the table with the columns of both, overlapping ones with their suffixes."""
        overlap = {name for name in self.left.columns if name in self.right.columns} - set(self.shared)
        suffixes = self.suffixes or ("", "")
        left = [_suffixed(name, suffixes[0]) if name in overlap else name for name in self.left.columns]
        right = [
            _suffixed(name, suffixes[1]) if name in overlap else name
            for name in self.right.columns
            if name not in self.shared
        ]
        exact = self.left.exact and self.right.exact and self.certain
        names = union((name for name in (*left, *right) if name is not HIDDEN), () if exact else overlap)
        is_open = (
            self.left.open
            or self.right.open
            or (self.suffixes is None and bool(overlap))
            or HIDDEN in (*left, *right)
        )
        return Table(names, open=is_open, exact=exact and not is_open, index=None)


def _suffixed(name: Name, suffix: Name) -> Name:
    if suffix is None:
        return name
    return f"{name}{suffix}" if isinstance(name, str | int) and isinstance(suffix, str) else HIDDEN


def as_table(call: Call, value: Value | None) -> Table | None:
    """Return a frame, or a column as a frame of one column; None for anything else."""
    if isinstance(value, Series):
        known = value.name is not None and value.name is not HIDDEN
        return Table((value.name,) if known else (), open=not known, exact=known, index=value.index)
    return None if value is None else call.flow.table(value)


def merge(call: Call) -> Value:
    """Follow `left.merge(right, …)`."""
    return merge_tables(call, call.table, call.arg(0, "right"), shift=0)


def merge_tables(call: Call, left: Table, right_value: Value | None, *, shift: int) -> Value:
    """Return the merged frame; `shift`: positional arguments before those of the method."""
    right = as_table(call, right_value) or OPEN_TABLE
    on = call.arg(2 + shift, "on") or NONE
    left_on, right_on = call.arg(3 + shift, "left_on") or NONE, call.arg(4 + shift, "right_on") or NONE
    by_left = call.require(left_on if on == NONE else on, left, levels=True)
    by_right = call.require(right_on if on == NONE else on, right, levels=True, node=_right_node(call, shift))
    how = call.constant(1 + shift, "how", "inner")
    by_index = (
        call.flag(5 + shift, "left_index") is not False or call.flag(6 + shift, "right_index") is not False
    )
    natural = on == left_on == right_on == NONE and not by_index and how != "cross"
    shared = _shared_keys(left, right, by_left, by_right, natural=natural)
    known = how is not HIDDEN and all(side is None or side.exact for side in (by_left, by_right))
    certain = (
        known
        and (on == left_on == NONE or by_left is not None)
        and (right_on == NONE or by_right is not None)
    )
    sides = _Sides(
        left=left, right=right, shared=() if how == "cross" else shared, certain=certain,
        suffixes=_suffixes(call, 8 + shift),
    )  # fmt: skip
    return call.give(_finished(call, sides, by_index=by_index, certain=certain))


def _finished(call: Call, sides: _Sides, *, by_index: bool, certain: bool) -> Table:
    table = sides.joined()
    if not certain:
        table = replace(
            table, columns=union(table.columns, sides.left.columns, sides.right.columns), open=True
        )
    indicator = call.constant(None, "indicator", False)
    if indicator is not False:
        names = ("_merge",) if indicator is True else (indicator,) if isinstance(indicator, str) else ()
        table = replace(table, columns=union(table.columns, names), open=table.open or not names)
    in_columns = all(name in sides.left.columns or name in sides.right.columns for name in sides.shared)
    return replace(table, index=None if by_index or not in_columns or not certain else (None,))


def _right_node(call: Call, shift: int) -> ast.expr | None:
    """Return the expression of the right frame, which names it in messages."""
    given = call.node.args[shift] if len(call.node.args) > shift else None
    named = next((keyword.value for keyword in call.node.keywords if keyword.arg == "right"), None)
    return given or named


def _shared_keys(
    left: Table, right: Table, by_left: Labels | None, by_right: Labels | None, *, natural: bool
) -> tuple[Name, ...]:
    if natural:
        return tuple(name for name in left.columns if name in right.columns)
    if by_left is None or by_right is None:
        return ()
    pairs = zip(by_left.names, by_right.names, strict=False)
    return tuple(first for first, second in pairs if first == second)


def _suffixes(call: Call, position: int | None) -> tuple[Name, ...] | None:
    value = call.arg(position, "suffixes")
    if value is None:
        return _MERGE_SUFFIXES
    items = known_items(value, call.heap)
    names = tuple(item.value for item in items or () if isinstance(item, Const))
    return names if len(names) == 2 else None


def _join(call: Call) -> Value:
    """Follow `left.join(other, on=…, lsuffix=…, rsuffix=…)`; other may be a list of frames."""
    left = call.table
    call.require(call.arg(1, "on"), levels=True)
    other = call.arg(0, "other")
    single = as_table(call, other)
    others = [single] if single is not None else [as_table(call, item) for item in _members(call, other)]
    suffixes = (call.constant(3, "lsuffix", ""), call.constant(4, "rsuffix", ""))
    joined = left
    for right in others or [OPEN_TABLE]:
        sides = _Sides(left=joined, right=right or OPEN_TABLE, shared=(), suffixes=suffixes)
        joined = sides.joined()
    how_keeps = call.constant(2, "how", "left") == "left"
    return call.give(replace(joined, index=left.index if how_keeps else None))


def _members(call: Call, value: Value | None) -> Sequence[Value]:
    return (known_items(value, call.heap) if value is not None else None) or ()


def concat(call: Call) -> Value:
    """Follow `pd.concat(objects, …)`."""
    objects = call.arg(0, "objs") or UNKNOWN
    names, members, known = _concatenated(call, objects)
    keys = call.arg(None, "keys")
    by_columns = call.by_columns(1)
    if by_columns is None or not members:
        return call.give(OPEN_TABLE)
    if by_columns:
        labels = call.labels(keys) if keys is not None else names
        return call.give(
            _side_by_side(call, members, labels, keyed=keys is not None or names is not None, known=known)
        )
    return _stacked(call, members, keyed=keys is not None or names is not None, known=known)


def _concatenated(call: Call, objects: Value) -> tuple[Labels | None, Sequence[Value], bool]:
    """Return the dict keys if any, the members, and whether these are all there are."""
    item = call.heap[objects.ids[0]] if isinstance(objects, Ref) and len(objects.ids) == 1 else None
    if isinstance(item, DictObject):
        keys = tuple(key for key, _ in item.items)
        return Labels(keys, open=item.open), [value for _, value in item.items], not item.open
    if isinstance(item, ListObject):
        return None, item.items, item.exact and not item.open
    items = known_items(objects, call.heap)
    return None, [value for value in items or () if value != NONE], items is not None


def _stacked(call: Call, members: Sequence[Value], *, keyed: bool, known: bool) -> Value:
    members = [member for member in members if member != NONE]
    if all(isinstance(member, Series) for member in members):
        names = {member.name for member in members if isinstance(member, Series)}
        return Series(names.pop() if len(names) == 1 else HIDDEN, None)
    tables = [as_table(call, member) or OPEN_TABLE for member in members]
    stacked = tables[0]
    for table in tables[1:]:
        stacked = combine(stacked, table)
    if any(table.row for table in tables) or any(isinstance(member, Series) for member in members):
        stacked = OPEN_TABLE
    index: IndexNames = (None,) if call.flag(None, "ignore_index") else None if keyed else stacked.index
    exact = stacked.exact and known and call.constant(2, "join", "outer") == "outer"
    return call.give(replace(stacked, index=index, exact=exact))


def _side_by_side(
    call: Call, members: Sequence[Value], labels: Labels | None, *, keyed: bool, known: bool
) -> Table:
    tables = [as_table(call, member) for member in members]
    if call.flag(None, "ignore_index") is not False or None in tables or any(t.row for t in tables if t):
        return OPEN_TABLE
    certain = [table for table in tables if table is not None]
    index = certain[0].index if all(table.index == certain[0].index for table in certain) else None
    if not keyed:
        names = union(*(table.columns for table in certain))
        doubled = len(names) < sum(len(table.columns) for table in certain)
    elif labels is None or not labels.exact or len(labels.required) != len(members):
        return OPEN_TABLE
    else:
        names, doubled = _keyed_names(labels.required, members, certain), False
    is_open = any(table.open for table in certain)
    exact = known and not doubled and all(table.exact for table in certain)
    joined = Table(names, open=is_open, exact=exact and not is_open, index=index)
    return subset(joined) if doubled else joined


def _keyed_names(keys: Sequence[Name], members: Sequence[Value], tables: Sequence[Table]) -> tuple[Name, ...]:
    if all(isinstance(member, Series) for member in members):
        return tuple(keys)
    return tuple((key, name) for key, table in zip(keys, tables, strict=True) for name in table.columns)


JOIN_METHODS: Mapping[str, Method] = {"join": _join, "merge": merge}
