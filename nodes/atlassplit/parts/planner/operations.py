"""The operations that plans are made of, and what rows are grouped by and counted in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.conditions import Condition
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column, Expression, Unit
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName

Function = Literal["sum", "mean", "max", "min", "median", "distinct", "rows"]


@dataclass(frozen=True, kw_only=True)
class Key:
    """What rows are grouped by: a column, or the calendar unit that its dates lie in.

    With `folded`, texts that differ only in case, width and outer spaces are one group, labelled by the first.
    """

    column: Column
    name: ColumnName
    unit: Unit | None = None
    folded: bool = False


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A figure per group; `column` is None for the number of rows.

    With `missing_if_empty` the sum over nothing is missing, not 0: its cells could not be read. With `folded`,
    different texts are those that differ in more than case, width and outer spaces.
    """

    function: Function
    column: Column | None
    name: ColumnName
    missing_if_empty: bool = False
    folded: bool = False


@dataclass(frozen=True, kw_only=True)
class Filter:
    """Keep the rows that meet a condition."""

    condition: Condition


@dataclass(frozen=True, kw_only=True)
class Clean:
    """Turn the numbers or dates that a column stores as text into real ones."""

    column: Column


@dataclass(frozen=True, kw_only=True)
class Derive:
    """Add a column; a division by zero gives a missing value."""

    name: str
    expression: Expression


@dataclass(frozen=True, kw_only=True)
class Join:
    """Look up columns of another table by a key that is unique there; rows without a match get missing values."""

    table: str
    left_on: Column
    right_on: Column
    columns: tuple[ColumnName, ...]
    folded: bool


@dataclass(frozen=True, kw_only=True)
class Aggregate:
    """One row per group, missing keys too; without keys the figures over all rows."""

    keys: tuple[Key, ...]
    measures: tuple[Measure, ...]


@dataclass(frozen=True, kw_only=True)
class Growth:
    """Growth of a measure over the period before, or over the same period of the year before.

    A period that is missing from the data has no value, so the one after it has no growth. Rates are fractions;
    a rate over zero is missing. `by` are the other keys.
    """

    measure: ColumnName
    period: ColumnName
    unit: Unit
    by: tuple[ColumnName, ...]
    over: Literal["previous", "year"]
    as_rate: bool
    name: str


@dataclass(frozen=True, kw_only=True)
class Share:
    """The fraction of a measure in its total over all rows."""

    measure: ColumnName
    name: str


@dataclass(frozen=True, kw_only=True)
class Pivot:
    """A cross table: one row per `rows`, one column per `columns`, the figure where they meet."""

    rows: Key
    columns: Key
    measure: Measure


@dataclass(frozen=True, kw_only=True)
class Order:
    """One sort key; missing values come last either way."""

    column: Column
    ascending: bool


@dataclass(frozen=True, kw_only=True)
class Sort:
    """Order the rows, first key first; equal rows keep their order."""

    by: tuple[Order, ...]


@dataclass(frozen=True, kw_only=True)
class Top:
    """The first `count` rows by a column, within each group of `within`; equal rows keep their order.

    Without `by` the rows as they are ordered now, from the end with `from_end`. With `all_ties` every row that
    equals the last one taken is taken, too. Rows where `by` is missing are never taken.
    """

    count: int
    by: Column | None
    ascending: bool = False
    within: tuple[Key, ...] = ()
    from_end: bool = False
    all_ties: bool = False


@dataclass(frozen=True, kw_only=True)
class Distinct:
    """The different values of columns, in the order in which they first occur; missing ones are left out."""

    columns: tuple[Column, ...]


@dataclass(frozen=True, kw_only=True)
class Deduplicate:
    """Keep one row of those that agree in `columns` (in all of them when there are none)."""

    columns: tuple[Column, ...]
    keep: Literal["first", "last"]


@dataclass(frozen=True, kw_only=True)
class Split:
    """One table per value of a column (or calendar unit), rows without a value in a table of their own."""

    key: Key
    into: Literal["sheets", "files"]


@dataclass(frozen=True, kw_only=True)
class Select:
    """Keep only these columns, in this order."""

    columns: tuple[ColumnName, ...]


@dataclass(frozen=True, kw_only=True)
class Round:
    """Round figures to a number of decimals: those of `columns`, all of a single result, of a cross table all but the first."""

    columns: tuple[ColumnName, ...]

    decimals: int


Operation = (
    Filter
    | Clean
    | Derive
    | Join
    | Aggregate
    | Growth
    | Share
    | Pivot
    | Sort
    | Top
    | Distinct
    | Deduplicate
    | Split
    | Select
    | Round
)
