"""Several tables below each other on one sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.header_names import column_labels
from mindatlas.nodes.atlassplit.parts.headers import LEAST_FILL, find_header, has_values_below, usual_fill
from mindatlas.nodes.atlassplit.parts.raw_sheets import RawSheet, is_blank
from mindatlas.nodes.atlassplit.parts.sheet_area import used_area
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName

MOST_BLOCKS = 200  # runs of filled rows that are looked at; a sheet with more is one table with gaps


def split_sheet(sheet: RawSheet) -> list[RawSheet]:
    """Return the tables of a sheet from top to bottom, each as a sheet of its own.

    A table begins after blank rows where a header stands over values, above it stands a table too, and the
    two headers differ. All else belongs to the table above: notes, totals, and rows that go on after a gap.
    """
    blocks = list(_blocks(sheet))
    if len(blocks) > MOST_BLOCKS:
        return [sheet]
    starts, above = [0], None
    for start, end in blocks:
        names = _table_names(_part(sheet, start, end))
        if names and above and names != above:
            starts.append(start)
        above = names or above
    ends = [*starts[1:], len(sheet.rows)]
    return [_part(sheet, start, end) for start, end in zip(starts, ends, strict=True)]


def _blocks(sheet: RawSheet) -> Iterator[tuple[int, int]]:
    """Yield the first row of each run of filled rows and the row after it."""
    start: int | None = None
    for row, cells in enumerate(sheet.rows):
        blank = all(map(is_blank, cells))
        if blank and start is not None:
            yield start, row
        start = None if blank else row if start is None else start
    if start is not None:
        yield start, len(sheet.rows)


def _part(sheet: RawSheet, start: int, end: int) -> RawSheet:
    return replace(sheet, rows=sheet.rows[start:end], first_row=sheet.first_row + start)


def _table_names(part: RawSheet) -> tuple[ColumnName, ...] | None:
    """Return the labels of a part that is a table beyond doubt, None for any other."""
    area = used_area(part)
    if area is None:
        return None
    header = find_header(area.rows, area.merges, text_only=part.text_only)
    if not header.levels or not has_values_below(area.rows, header.levels[-1]):
        return None
    labels = column_labels(area.rows, header.levels, area.merges)
    least = max(2, LEAST_FILL * sum(label != "" for label in labels))
    return labels if usual_fill(area.rows, header.body - 1) >= least else None
