"""The typed plan that a request is read into: operations in the order in which they run."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, datetime
from typing import Any, Literal

from mindatlas.nodes.atlassplit.parts.planner.conditions import Condition
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column, Expression, Unit
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName

Function = Literal["sum", "mean", "max", "min", "median", "distinct", "rows"]
Language = Literal["zh", "en"]
ChartKind = Literal["line", "bar", "pie"]
RefusalKind = Literal["missing_column", "ambiguous", "outside", "contradictory"]


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why a request is not planned.

    Attributes:
        kind: What stands in the way.
        about: The words of the request, or the column, that it is about.
        candidates: What may have been meant, best first; may be empty.
        message: For the user: what is wrong and what to do about it.
    """

    kind: RefusalKind
    about: str
    candidates: tuple[str, ...]
    message: str


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
    within: tuple[ColumnName, ...] = ()
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
    """Round all figures to a number of decimals."""

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


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart of the result: `x` and `y` are its columns."""

    kind: ChartKind
    x: str
    y: str
    title: str


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to do with which table.

    Attributes:
        base: Key of the table that the operations start from.
        base_is_df: Whether programs see that table as `df`.
        operations: In the order in which they run.
        column_map: The words of the request for a column -> the column they were read as.
        notices: Decisions that the request left open, for the user.
        language: Of the request, and so of the names that the result gets.
        chart: The chart that was asked for.
    """

    base: str
    base_is_df: bool
    operations: tuple[Operation, ...]
    column_map: dict[str, str]
    notices: tuple[str, ...] = ()
    language: Language = "zh"
    chart: Chart | None = field(default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values; each operation and condition names its type as `kind`."""
        plain: dict[str, Any] = _plain(self)
        return plain


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        named = {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
        return {"kind": type(value).__name__.lower(), **named}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value.isoformat() if isinstance(value, date | datetime) else value
