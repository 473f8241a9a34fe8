"""The part of a sheet that shows something, with merges and hidden rows in its own positions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from mindatlas.nodes.atlassplit.parts.raw_sheets import (
    BLANK,
    Cell,
    MergedRange,
    RawSheet,
    filled_count,
    is_blank,
)


@dataclass(frozen=True, kw_only=True)
class SheetArea:
    """Rows of equal length, whose first row and column are not blank.

    `merges`, `hidden_rows` and `hidden_columns` are positions in `rows`; adding `first_row` or `first_column`
    gives those of the sheet, from 0.
    """

    rows: list[list[Cell]]
    first_row: int
    first_column: int
    merges: tuple[MergedRange, ...]
    hidden_rows: frozenset[int]
    hidden_columns: frozenset[int]


def used_area(sheet: RawSheet) -> SheetArea | None:
    """Return the rows and columns of a sheet from the first that shows something, None when none does."""
    top = next((index for index, row in enumerate(sheet.rows) if not all(map(is_blank, row))), None)
    if top is None:
        return None
    bottom = next(i for i in range(len(sheet.rows), 0, -1) if not all(map(is_blank, sheet.rows[i - 1])))
    rows = sheet.rows[top:bottom]
    left = next(column for column in range(len(rows[0])) if any(not is_blank(row[column]) for row in rows))
    first_row, first_column = sheet.first_row + top, sheet.first_column + left
    height, width = len(rows), len(rows[0]) - left
    return SheetArea(
        rows=[row[left:] for row in rows] if left else rows,
        first_row=first_row,
        first_column=first_column,
        merges=tuple(
            (
                r0 - first_row,
                c0 - first_column,
                min(r1 - first_row, height - 1),
                min(c1 - first_column, width - 1),
            )
            for r0, c0, r1, c1 in sheet.merges
            if first_row <= r0 < first_row + height and first_column <= c0 < first_column + width
        ),
        hidden_rows=frozenset(row - first_row for row in sheet.hidden_rows),
        hidden_columns=frozenset(column - first_column for column in sheet.hidden_columns),
    )


def fill_down(area: SheetArea, body: int) -> dict[int, int]:
    """Give the rows beside a downwards merged text or date that value; returns the filled cells by column.

    Such a cell names a group of rows (a region, a month). A merged number stays where it is: it is one amount
    for several rows and would count several times.
    """
    counts: dict[int, int] = {}
    for top, left, bottom, _ in area.merges:
        value = area.rows[top][left]
        if top < body or bottom == top or is_blank(value) or not isinstance(value, str | date):
            continue
        for row in range(top + 1, bottom + 1):
            if area.rows[row][left] == BLANK and filled_count(area.rows[row]):
                area.rows[row][left] = value
                counts[left] = counts.get(left, 0) + 1
    return counts
