"""What an expression can stand for while a pandas program is read but not run.

Immutable values live in variables. What a program can change in place (a frame, a list, a dict) lives on the
heap of `state.State`, and a variable holds a `Ref` to it, so an alias sees the change too.

Two words recur. *Open*: more columns (elements, keys) may be there than are listed. *Exact*: all that is
listed is there, in this order; without it each entry is only possible.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from typing import Literal

Name = Hashable
Verdict = Literal["present", "absent", "unknown"]


class Hidden(Enum):
    """Stands for a name that exists but that the program text does not tell."""

    NAME = "hidden"


HIDDEN = Hidden.NAME
IndexNames = tuple[Name, ...] | None  # one name a level, None for an unnamed level; None: not known at all


@dataclass(frozen=True, slots=True)
class Unknown:
    """Any value.

    `about_columns`: it depends on which columns exist; `mask`: it selects rows where it is a subscript;
    `scalar`: it is one number or text, no column.
    """

    about_columns: bool = False
    mask: bool = False
    scalar: bool = False


@dataclass(frozen=True, slots=True)
class Const:
    """A constant of the program."""

    value: Hashable


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these constants."""

    values: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Ref:
    """One of these heap objects; `optional`: or None."""

    ids: tuple[int, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """A column; its subscripts are row labels. `name` is None for an unnamed one."""

    name: Name | None = HIDDEN
    index: IndexNames = None
    mask: bool = False


@dataclass(frozen=True, slots=True)
class ColumnIndex:
    """The column labels of a frame, as `df.columns` gives them."""

    names: tuple[Name, ...]
    open: bool = False
    exact: bool = True


@dataclass(frozen=True, slots=True)
class TupleValue:
    """A tuple whose elements are not all constants."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class SliceValue:
    """`lower:upper` inside a subscript."""

    lower: Value
    upper: Value


@dataclass(frozen=True, slots=True)
class Stream:
    """An iterable of unknown length whose elements all look like `element`."""

    element: Value


@dataclass(frozen=True, slots=True)
class Function:
    """A function or lambda of the program with the scope it was defined in."""

    node: ast.FunctionDef | ast.Lambda
    scope: int


@dataclass(frozen=True, slots=True)
class Module:
    """An imported module by its full name; `builtins` holds the built-in functions."""

    path: str


@dataclass(frozen=True, slots=True)
class Member:
    """An attribute of a value: a bound method, an indexer such as `df.loc`, an accessor such as `s.str`."""

    base: Value
    name: str


@dataclass(frozen=True, slots=True)
class Grouper:
    """`pd.Grouper(key=…)`; the name is HIDDEN where the key is not a constant, None where there is none."""

    name: Name | None


@dataclass(frozen=True, slots=True)
class Expression:
    """`pd.col('a') + 1`: looks for its columns in the frame that it is handed to."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class NamedAgg:
    """`pd.NamedAgg(column=…)`."""

    column: Value


@dataclass(frozen=True, slots=True)
class Table:
    """A heap object: a frame, or (`row`) a Series whose index is a frame's columns.

    `possible_names` hold columns that may be there although nothing lists them (a grouping column inside
    `groupby.apply` on pandas 2). `axis_named`: the column axis may carry a name, as after a pivot.
    `renames` maps a name to the absent column that `rename` was told to make it from.
    """

    columns: tuple[Name, ...]
    open: bool = False
    exact: bool = True
    index: IndexNames = (None,)
    row: bool = False
    axis_named: bool = False
    possible_names: frozenset[Name] = frozenset()
    attributes: frozenset[str] = frozenset()
    renames: tuple[tuple[Name, Name], ...] = ()

    def lookup(self, name: Name, *, levels: bool = False) -> Verdict:
        """Return whether `name` selects a column, exactly as pandas compares; `levels`: or an index level."""
        if name in self.columns or name in self.possible_names or self._is_outer(name):
            return "present"
        if self.open or self._is_converted(name):
            return "unknown"
        if levels and (self.index is None or HIDDEN in self.index):
            return "unknown"
        return "present" if levels and self.index and name in self.index else "absent"

    def _is_outer(self, name: Name) -> bool:
        """Return whether `name` is the beginning of a column of several levels."""
        prefix = name if isinstance(name, tuple) else (name,)
        return any(isinstance(label, tuple) and label[: len(prefix)] == prefix for label in self.columns)

    def _is_converted(self, name: Name) -> bool:
        """Return whether pandas may read the text `name` as a date: it does where all columns are dates."""
        return (
            isinstance(name, str)
            and bool(self.columns)
            and not any(isinstance(label, str | int | float | tuple) for label in self.columns)
        )


@dataclass(frozen=True, slots=True)
class ListObject:
    """A heap object: a list or set; `certain` are surely in it although it is not exact."""

    items: tuple[Value, ...]
    exact: bool = True
    open: bool = False
    certain: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class DictObject:
    """A heap object: a dict; `default` is what a key that is not listed gives."""

    items: tuple[tuple[Hashable, Value], ...]
    open: bool = False
    default: Value = Unknown()


@dataclass(frozen=True, slots=True)
class Groups:
    """A groupby, resample or window over a frame.

    `keys` name the levels of a result's index (None: not known); `selected` the columns picked from it;
    `scalar`: one column was picked, so a reduction gives a Series. `doubtful`: keys that may be values too.
    `adds_keys`: `apply` puts the keys before the index of what its function returns; None: not known.
    """

    table: Table
    keys: IndexNames
    as_index: bool = True
    selected: tuple[Name, ...] | None = None
    scalar: bool = False
    doubtful: frozenset[Name] = frozenset()
    adds_keys: bool | None = True


Value = (
    Unknown
    | Const
    | Choice
    | Ref
    | Series
    | ColumnIndex
    | TupleValue
    | SliceValue
    | Stream
    | Function
    | Module
    | Member
    | Grouper
    | NamedAgg
    | Expression
    | Groups
)
HeapObject = Table | ListObject | DictObject
UNKNOWN = Unknown()
MASK = Unknown(mask=True)
SCALAR = Unknown(scalar=True)
ABOUT_COLUMNS = Unknown(about_columns=True)
NONE = Const(None)
