"""What phrases ask for that changes the table as a whole: its shape, its columns, how it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.operations import Key
from mindatlas.nodes.atlassplit.parts.planner.plan import ChartKind
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column, Expression
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName


@dataclass(frozen=True, kw_only=True)
class PivotAsk:
    """The word for a cross table."""

    text: str


@dataclass(frozen=True, kw_only=True)
class AxisAsk:
    """What goes on an axis of a cross table, or into its cells."""

    axis: Literal["rows", "columns", "values"]
    key: Key | None
    measure: MeasureAsk | None


@dataclass(frozen=True, kw_only=True)
class SplitAsk:
    """What to split by, and into what; `into` is None where it is not said."""

    text: str
    key: Key
    into: Literal["sheets", "files"] | None


@dataclass(frozen=True, kw_only=True)
class DedupeAsk:
    """Rows that agree in these fields are duplicates; in all of them when there are none."""

    text: str
    fields: tuple[Field, ...]
    keep: Literal["first", "last"] | None


@dataclass(frozen=True, kw_only=True)
class DistinctAsk:
    """The different values of some columns."""

    text: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, kw_only=True)
class FieldsAsk:
    """Columns that were only named."""

    text: str
    fields: tuple[Field, ...]
    as_columns: bool


@dataclass(frozen=True, kw_only=True)
class CleanAsk:
    """Columns to turn into real numbers or dates; `to` is None where it is not said."""

    text: str
    fields: tuple[Field, ...]
    to: Literal["number", "date"] | None


@dataclass(frozen=True, kw_only=True)
class DeriveAsk:
    """A new column."""

    name: str
    expression: Expression


@dataclass(frozen=True, kw_only=True)
class JoinAsk:
    """A lookup in another table; `base` is the table that gets the columns."""

    text: str
    base: str
    table: str
    left_on: Column
    right_on: Column
    columns: tuple[ColumnName, ...]
    folded: bool


@dataclass(frozen=True, kw_only=True)
class ChartAsk:
    """A chart of the result."""

    kind: ChartKind


@dataclass(frozen=True, kw_only=True)
class RoundAsk:
    """How many decimals to keep."""

    decimals: int
