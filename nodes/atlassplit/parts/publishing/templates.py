"""What a result takes over from the looks of its sources: by column name, and the style of the header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from mindatlas.nodes.atlassplit.parts.assertions.evidence import label_text
from mindatlas.nodes.atlassplit.parts.workbook_model import (
    Books,
    ColumnType,
    HeaderStyle,
    TableCard,
    TableFormat,
)
from mindatlas.nodes.text import fold

# A file stores 5 pixels more than the characters shown, of 7 pixels each (ECMA-376 part 1, 18.3.1.13).
_PADDING: Final = 5 / 7


@dataclass(frozen=True, kw_only=True)
class ColumnLook:
    """The looks of a source column; `width` in characters as Excel shows it, None for the default."""

    width: float | None = None
    number_format: str = "General"
    type: ColumnType = "text"


@dataclass(frozen=True, kw_only=True)
class Template:
    """The looks of the sources' columns by folded name, and the header style of the active table."""

    columns: Mapping[str, ColumnLook] = field(default_factory=dict)
    header: HeaderStyle = field(default_factory=HeaderStyle)

    @classmethod
    def of(cls, books: Books) -> Template:
        """Return the template of the tables that were read; where names repeat, the active table's wins."""
        active = books.card.active
        looks: dict[str, ColumnLook] = {}
        for table in sorted(books.card.tables, key=lambda table: table.key != active):
            looks = _looks_of(table, books.format_of(table.key)) | looks
        return cls(columns=looks, header=books.format_of(active).header)

    def look(self, header: str) -> ColumnLook | None:
        """Return the looks of the source column of this name, None when there is none."""
        return self.columns.get(fold(header))


def _looks_of(table: TableCard, formats: TableFormat) -> dict[str, ColumnLook]:
    columns = zip(table.columns, formats.widths, formats.number_formats, strict=True)
    return {
        fold(label_text(column.name)): ColumnLook(
            width=None if width is None else max(0.0, width - _PADDING),
            number_format=number_format,
            type=column.type,
        )
        for column, width, number_format in columns
    }
