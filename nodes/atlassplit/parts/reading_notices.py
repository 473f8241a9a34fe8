"""What a user is told about how a table was read: what was set apart, and what is missing though it looks filled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mindatlas.nodes.atlassplit.parts.workbook_model import TableCard

_MOST_ROWS_NAMED: Final = 5


def reading_notices(table: TableCard) -> list[str]:
    """Return one notice for each kind of row set apart, and for formulas and errors that are read as missing.

    No cell value is told, so they are fit for private runs.
    """
    return [*table.notes, *_rows_apart(table), *_cells_missing(table)]


def _rows_apart(table: TableCard) -> Iterator[str]:
    for kind in dict.fromkeys(row.kind for row in table.set_aside):
        rows = [row.row for row in table.set_aside if row.kind == kind]
        named = ", ".join(map(str, rows[:_MOST_ROWS_NAMED])) + (", …" if len(rows) > _MOST_ROWS_NAMED else "")
        yield f"sheet {table.sheet!r}: {len(rows)} {kind.removesuffix('_row').replace('_', ' ')} row(s) left out as no data (row {named})"


def _cells_missing(table: TableCard) -> Iterator[str]:
    for column in table.columns:
        if column.uncached:
            yield f"column {column.name!r}: {column.uncached} formula(s) without a stored value, read as missing"
        if column.errors:
            yield f"column {column.name!r}: {column.errors} error cell(s) such as #DIV/0!, read as missing"
