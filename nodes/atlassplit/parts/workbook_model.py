"""What is known about the workbooks of a run: the schema card, its tables and columns, and their formats.

The card is what a code writer sees, so it holds nothing that must be recomputed from the file: a card read
from the cache and one made afresh are equal.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from typing import Any, Literal

from mindatlas.nodes.atlassplit.parts.card_text import card_to_text
from mindatlas.nodes.atlassplit.parts.value_patterns import pattern_of

ColumnType = Literal["integer", "number", "text", "date", "datetime", "duration", "boolean", "empty", "mixed"]
ColumnName = str | int | float | datetime
SetAsideKind = Literal["title", "total", "repeated_header", "note", "hidden_row"]


@dataclass(frozen=True, kw_only=True)
class ColumnCard:
    """One column, as it stands in the frame.

    Attributes:
        name: Label in the frame's columns, unique over the table.
        original: The header cell (or cells, joined by `/`) before it was made unique.
        position: 0-based place in the frame.
        samples: At most three distinct values, as shown to a reader; patterns on a private card.
        null_rate: Share of missing cells, 0 to 1; 0 for a table without rows.
        distinct: Number of distinct values, missing ones not counted.
        minimum: Smallest value as text, None for text, mixed and empty columns and on a private card.
        maximum: Largest value, likewise.
        warnings: Codes in a fixed order; a detail follows a colon (`number_as_text:千分位`).
        values: All distinct values as text when there are at most 50; empty on a private card.
        errors: Cells that hold a spreadsheet error such as #DIV/0!; missing in the frame.
        uncached: Formula cells stored without a value; missing in the frame, never 0.
    """

    name: ColumnName
    original: str
    position: int
    type: ColumnType
    samples: tuple[str, ...]
    null_rate: float
    distinct: int
    minimum: str | None
    maximum: str | None
    warnings: tuple[str, ...]
    values: tuple[str, ...]
    errors: int = 0
    uncached: int = 0

    def private(self) -> ColumnCard:
        """Return the column with patterns instead of samples and without any value."""
        samples = tuple(dict.fromkeys(map(pattern_of, self.samples)))
        return replace(self, samples=samples, minimum=None, maximum=None, values=())


@dataclass(frozen=True, kw_only=True)
class SetAside:
    """A row that is no data: `row` is its 1-based number in the sheet, `text` its first words."""

    kind: SetAsideKind
    row: int
    text: str


@dataclass(frozen=True, kw_only=True)
class TableCard:
    """One table: the sheet `sheet` of the file `book`, known to programs as `sheets[key]`.

    `parquet` is the path of its cached frame, for `frames.read_frame`; `key` is unique over all books. Of the
    hidden rows only the first 100 are listed in `set_aside`; `notes` tell their number.
    """

    book: str
    sheet: str
    key: str
    rows: int
    columns: tuple[ColumnCard, ...]
    hidden: bool
    notes: tuple[str, ...]
    parquet: str
    set_aside: tuple[SetAside, ...]

    def private(self) -> TableCard:
        """Return the table without any cell value but the headers."""
        return replace(
            self,
            columns=tuple(column.private() for column in self.columns),
            set_aside=tuple(replace(row, text=pattern_of(row.text)) for row in self.set_aside),
        )


@dataclass(frozen=True, kw_only=True)
class SchemaCard:
    """All tables that a request may use; `active` is the key of the one that programs see as `df`."""

    tables: tuple[TableCard, ...]
    active: str
    notices: tuple[str, ...]

    @property
    def active_table(self) -> TableCard:
        """The table that programs see as `df`."""
        return next(table for table in self.tables if table.key == self.active)

    def private(self) -> SchemaCard:
        """Return the card that may leave the machine: patterns instead of values, headers kept."""
        return replace(self, tables=tuple(table.private() for table in self.tables))

    def to_text(self, private: bool = False) -> str:
        """Return the form for prompts and people; columns to be careful with are marked ⚠️."""
        card: SchemaCard = self.private() if private else self
        return card_to_text(card)  # pyright: ignore[reportArgumentType]

    def to_json(self, private: bool = False) -> dict[str, Any]:
        """Return plain JSON values; a header that is a date becomes ISO 8601 text."""
        card = asdict(self.private() if private else self)
        for column in (column for table in card["tables"] for column in table["columns"]):
            if isinstance(column["name"], date):
                column["name"] = column["name"].isoformat()
        return card


@dataclass(frozen=True, kw_only=True)
class HeaderStyle:
    """How the header cells look; colours are `RRGGBB`, None where the file leaves the default."""

    bold: bool = False
    font: str | None = None
    size: float | None = None
    color: str | None = None
    fill: str | None = None
    horizontal: str | None = None


@dataclass(frozen=True, kw_only=True)
class TableFormat:
    """The looks of a table that a result may take over; one entry a column, in the frame's order.

    `widths` are in characters, None for the default; `number_formats` are Excel codes such as `#,##0.00`.
    """

    key: str
    widths: tuple[float | None, ...]
    number_formats: tuple[str, ...]
    header: HeaderStyle = field(default_factory=HeaderStyle)


@dataclass(frozen=True, kw_only=True)
class BookFile:
    """A file that was read; `book` is its name on the card, unique over one run."""

    book: str
    path: str
    kind: str
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Books:
    """What reading gives: the card, the formats of its tables in the same order, and the files."""

    card: SchemaCard
    formats: tuple[TableFormat, ...]
    files: tuple[BookFile, ...]

    def format_of(self, key: str) -> TableFormat:
        """Return the format of the table `key`; KeyError when there is no such table."""
        for table_format in self.formats:
            if table_format.key == key:
                return table_format
        raise KeyError(key)
