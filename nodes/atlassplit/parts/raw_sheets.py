"""A sheet before anything is understood of it: its cells as stored, and what values alone do not tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import Enum

from mindatlas.nodes.atlassplit.parts.workbook_model import HeaderStyle


class Lost(Enum):
    """A cell that is not blank but has no value to compute with; both are missing in the frame."""

    ERROR = "error"
    UNCACHED = "uncached"


Cell = str | int | float | bool | date | datetime | time | timedelta | Lost
BLANK = ""
ERROR_TEXTS = frozenset(
    {
        *("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"),
        *("#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!", "#GETTING_DATA"),
    }
)

MergedRange = tuple[int, int, int, int]  # first row, first column, last row, last column, inclusive


@dataclass(frozen=True, kw_only=True)
class SheetLooks:
    """Column widths and cell formats by 0-based sheet position; empty where the file kind tells none."""

    widths: Mapping[int, float] = field(default_factory=dict)
    number_formats: Mapping[tuple[int, int], str] = field(default_factory=dict)
    header_styles: Mapping[tuple[int, int], HeaderStyle] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RawSheet:
    """The used range of a sheet.

    Attributes:
        rows: Rows of equal length; blank cells are empty text.
        first_row: 0-based sheet row of `rows[0]`; all other positions are sheet positions, too.
        first_column: 0-based sheet column of the first cell of each row.
        text_only: All cells are text because the file kind has no types (CSV, HTML).
    """

    name: str
    rows: list[list[Cell]]
    first_row: int = 0
    first_column: int = 0
    hidden: bool = False
    text_only: bool = False
    merges: tuple[MergedRange, ...] = ()
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    looks: SheetLooks = field(default_factory=SheetLooks)
    notices: tuple[str, ...] = ()


def is_blank(cell: Cell) -> bool:
    """Return whether a cell shows nothing: empty, or white space only."""
    return isinstance(cell, str) and (not cell or cell.isspace())


def filled_count(row: list[Cell]) -> int:
    """Return the number of cells that are not empty text."""
    return len(row) - row.count(BLANK)
