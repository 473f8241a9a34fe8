"""The variables and heap of a program at one point, and what is left of them where two branches meet."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    NONE,
    UNKNOWN,
    Choice,
    ColumnIndex,
    Const,
    DictObject,
    HeapObject,
    ListObject,
    Name,
    Ref,
    Series,
    Table,
    TupleValue,
    Unknown,
    Value,
)

_Item = TypeVar("_Item", bound=Hashable)
MOST_CHOICES = 256  # more alternatives for one constant than this are "any value"


class OutOfStepsError(Exception):
    """The program is too large to follow to its end; what was logged so far holds."""


@dataclass(slots=True)
class State:
    """Values of variables by (scope, name), and the objects that they refer to by id."""

    names: dict[tuple[int, str], Value] = field(default_factory=dict)
    heap: dict[int, HeapObject] = field(default_factory=dict)

    def copy(self) -> State:
        """Return an independent copy; values and heap objects are immutable, so it is shallow."""
        return State(dict(self.names), dict(self.heap))


@dataclass(slots=True)
class Exits:
    """The states in which a loop or function is left early."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)
    returns: list[tuple[State, Value]] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)


def join_states(first: State | None, second: State | None) -> State | None:
    """Return what holds whichever of the two states the program came from; None is unreachable."""
    if first is None or second is None or first == second:
        return first if second is None else second
    joined = State(dict(first.names), dict(first.heap))
    for key, item in second.heap.items():
        joined.heap[key] = join_objects(first.heap[key], item) if key in first.heap else item
    for name, value in second.names.items():
        mine = first.names.get(name, value)
        if mine != value:
            joined.names[name] = join(mine, value)
            _open_lost_tables(joined, joined.names[name], mine, value)
    return joined


def join_all(states: Iterable[State | None]) -> State | None:
    """Return what holds whichever of the states the program came from."""
    joined: State | None = None
    for state in states:
        joined = join_states(joined, state)
    return joined


def _open_lost_tables(state: State, joined: Value, *values: Value) -> None:
    """Open the tables that a variable of unknown value may still refer to: a change through it is not seen."""
    if isinstance(joined, Unknown):
        for value in values:
            open_reachable(state, value)
    for position, item in enumerate(joined.items if isinstance(joined, TupleValue) else ()):
        _open_lost_tables(state, item, *(v.items[position] for v in values if isinstance(v, TupleValue)))


def open_reachable(state: State, value: Value) -> None:
    """Mark every object that `value` leads to as open: code that is not seen may change it."""
    if isinstance(value, TupleValue):
        for item in value.items:
            open_reachable(state, item)
    for key in value.ids if isinstance(value, Ref) else ():
        target = state.heap[key]
        if target.open:
            continue
        state.heap[key] = opened(target)
        for inner in _inner_values(target):
            open_reachable(state, inner)


def _inner_values(item: HeapObject) -> Iterable[Value]:
    if isinstance(item, ListObject):
        return item.items
    return [value for _, value in item.items] if isinstance(item, DictObject) else ()


def opened(item: HeapObject) -> HeapObject:
    """Return `item` as it is after a change that is not known."""
    if isinstance(item, Table):
        return replace(item, open=True, exact=False, index=None)
    if isinstance(item, ListObject):
        return replace(item, open=True, exact=False, certain=())
    return replace(item, open=True, default=UNKNOWN)


def join_objects(first: HeapObject, second: HeapObject) -> HeapObject:
    """Return the heap object that stands for either of two."""
    if first == second:
        return first
    if isinstance(first, Table) and isinstance(second, Table):
        return join_tables(first, second)
    if isinstance(first, ListObject) and isinstance(second, ListObject):
        return ListObject(union(first.items, second.items), exact=False, open=first.open or second.open)
    if isinstance(first, DictObject) and isinstance(second, DictObject):
        return _join_dicts(first, second)
    return opened(first)


def join_tables(first: Table, second: Table) -> Table:
    """Return a table in which every column of either is possible."""
    return Table(
        union(first.columns, second.columns),
        open=first.open or second.open,
        exact=first.exact and second.exact and first.columns == second.columns,
        index=first.index if first.index == second.index else None,
        row=first.row and second.row,
        axis_named=first.axis_named or second.axis_named,
        possible_names=first.possible_names | second.possible_names,
        attributes=first.attributes | second.attributes,
        renames=union(first.renames, second.renames),
    )


def _join_dicts(first: DictObject, second: DictObject) -> DictObject:
    items = dict(first.items)
    for key, value in second.items:
        items[key] = join(items[key], value) if key in items else value
    shared = {key for key, _ in first.items} == {key for key, _ in second.items}
    defaults = [side.default for side in (first, second) if side.open]
    is_open = bool(defaults) or not shared
    return DictObject(
        tuple(items.items()), open=is_open, default=join_values(defaults) if defaults else UNKNOWN
    )


def union(*groups: Iterable[_Item]) -> tuple[_Item, ...]:
    """Return the distinct items in the order they first come."""
    return tuple(dict.fromkeys(item for group in groups for item in group))


def join(first: Value, second: Value) -> Value:
    """Return the value that stands for either of two; None beside an object is the object."""
    if first == second:
        return first
    if isinstance(first, Ref) and isinstance(second, Ref):
        return Ref(tuple(sorted({*first.ids, *second.ids})), first.optional or second.optional)
    if NONE in (first, second):
        return _join_with_none(first if second == NONE else second)
    if isinstance(first, Const | Choice) and isinstance(second, Const | Choice):
        return choose_among(union(options(first), options(second)))
    return _join_unlike(first, second)


def _join_with_none(value: Value) -> Value:
    if isinstance(value, Const | Choice):
        return choose_among((None, *options(value)))
    return replace(value, optional=True) if isinstance(value, Ref) else value


def join_values(values: Iterable[Value]) -> Value:
    """Return the value that stands for any of several, None for none."""
    joined: Value | None = None
    for value in values:
        joined = value if joined is None else join(joined, value)
    return joined or NONE


def _join_unlike(first: Value, second: Value) -> Value:
    if isinstance(first, Series) and isinstance(second, Series):
        return Series(
            first.name if first.name == second.name else HIDDEN,
            first.index if first.index == second.index else None,
            first.mask and second.mask,
        )
    if isinstance(first, ColumnIndex) and isinstance(second, ColumnIndex):
        return ColumnIndex(union(first.names, second.names), first.open or second.open, exact=False)
    if (
        isinstance(first, TupleValue)
        and isinstance(second, TupleValue)
        and len(first.items) == len(second.items)
    ):
        return TupleValue(tuple(map(join, first.items, second.items)))
    return Unknown(about_columns=about_columns(first) or about_columns(second))


def options(value: Const | Choice) -> tuple[Name, ...]:
    """Return the constants that the value may be."""
    return (value.value,) if isinstance(value, Const) else value.values


def choose_among(values: Iterable[Hashable]) -> Value:
    """Return the value that is one of `values`: a constant, a choice, or unknown when there are too many."""
    distinct = union(values)
    if len(distinct) == 1:
        return Const(distinct[0])
    return Choice(distinct) if 0 < len(distinct) <= MOST_CHOICES else UNKNOWN


def about_columns(value: Value) -> bool:
    """Return whether a value tells which columns exist, so that a branch on it is a guard."""
    return isinstance(value, ColumnIndex) or (isinstance(value, Unknown) and value.about_columns)
