"""The columns that a request may speak of at one point of the plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.operations import Measure
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column, Kind, Stored, Unit
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnCard, ColumnName, ColumnType, TableCard

Role = Literal["raw", "joined", "derived", "key", "measure"]

_KINDS: dict[ColumnType, Kind] = {"integer": "number", "datetime": "date"}


@dataclass(frozen=True, kw_only=True)
class Field:
    """A column and what is known of it.

    Attributes:
        column: As the plan names it.
        title: As a person calls it: the header as written.
        card: Of the column in the workbook that it is or comes from; None for a derived one.
        role: What made it.
        measure: The figure that it holds, for the role measure.
        unit: The calendar unit whose labels it holds, for a key.
        is_fraction: Whether 0.1 in it means 10 %.
    """

    column: Column
    title: str
    card: ColumnCard | None = None
    role: Role = "raw"
    measure: Measure | None = None
    unit: Unit | None = None
    is_fraction: bool = False

    @property
    def name(self) -> ColumnName:
        """The label in the frame."""
        return self.column.name

    @property
    def is_number(self) -> bool:
        """Whether it can be compared with numbers."""
        return self.column.kind == "number"

    @property
    def is_date(self) -> bool:
        """Whether it can be compared with days."""
        return self.column.kind == "date"

    @property
    def is_code(self) -> bool:
        """Whether its values name things instead of counting them."""
        return (
            self.role in ("raw", "joined", "key")
            and self.card is not None
            and "id_like" in self.card.warnings
        )


def is_unique(item: Field, rows: int) -> bool:
    """Return whether each of the table's `rows` has a value of its own in a column."""
    return item.card is not None and item.card.null_rate == 0 and item.card.distinct == rows


def fields_of(table: TableCard) -> tuple[Field, ...]:
    """Return the fields of a table as read, in its order."""
    return tuple(_field(card) for card in table.columns)


def _field(card: ColumnCard) -> Field:
    kind: Kind = _KINDS.get(card.type) or card.type  # type: ignore[assignment]
    stored: Stored = "value"
    patterns: tuple[str, ...] = ()
    for warning in card.warnings:
        code, _, detail = warning.partition(":")
        if code == "number_as_text":
            kind, stored, patterns = "number", "number_text", tuple(detail.split("+"))
        elif code == "date_as_text":
            kind, stored, patterns = "date", "date_text", tuple(detail.split("+"))
    whole = card.type == "integer" and stored == "value" and card.null_rate > 0
    column = Column(name=card.name, kind=kind, stored=stored, patterns=patterns, whole=whole)
    return Field(column=column, title=card.original or str(card.name), card=card)
