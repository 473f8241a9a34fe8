"""Tables: rows under a header, from CSV text or Excel sheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from mindatlas.nodes.mindtrip.parts.documents_bytes import read_text, unreadable
from mindatlas.nodes.mindtrip.parts.documents_records import Record, stays_text
from mindatlas.nodes.mindtrip.parts.documents_values import is_code_column, parse_number

_SEPARATORS = (",", "\t", ";", "|")
_SAMPLE_ROWS = 50


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row of a table and where it stands, for messages ("line 3")."""

    place: str
    cells: Sequence[object]


def read_csv(path: Path) -> Iterator[Record]:
    """Yield a record for each row below the header; blank rows are skipped.

    The separator (comma, tab, semicolon, bar) is the one that cuts the first rows into most cells of one
    count. A column whose cells are plainly numbers holds numbers, except ids, codes, titles, texts and lists.

    Raises:
        FileReadError: a quote is left open, a row has more or fewer cells than the header, a header cell is
            empty or stands twice; the message names the line.
    """
    rows = list(_csv_rows(path, read_text(path)))
    width = len(rows[0].cells)
    for row in rows:
        if len(row.cells) != width:
            reason = f"{len(row.cells)} cells where the header has {width}"
            raise unreadable(path, reason, "quote cells that hold the separator", place=row.place)
    names, body = header_and_body(path, rows)
    columns = {name: [str(row.cells[index]) for row in body] for index, name in names.items()}
    numeric = {
        name for name, cells in columns.items() if not (stays_text(name) or is_code_column(name, cells))
    }
    for row in body:
        cells = {name: str(row.cells[index]) for index, name in names.items()}
        fields = {name: parse_number(cell) if name in numeric else cell for name, cell in cells.items()}
        yield Record(place=row.place, fields=fields)


def header_and_body(path: Path, rows: Sequence[Row]) -> tuple[dict[int, str], Sequence[Row]]:
    """Return the column names by index, from the first row, and the other rows.

    Columns at the right edge without any cell are left out: programs leave them behind.

    Raises:
        FileReadError: a header cell is empty or stands twice.
    """
    header, body = rows[0], rows[1:]
    names = {index: str(cell).strip() for index, cell in enumerate(header.cells)}
    while names and not names[last := len(names) - 1] and all(row.cells[last] == "" for row in body):
        del names[last]
    seen: set[str] = set()
    for index, name in names.items():
        if not name:
            reason = f"column {index + 1} has no name"
            raise unreadable(path, reason, "name every column in the first row", place=header.place)
        if name in seen:
            reason = f"the column {name!r} stands twice"
            raise unreadable(path, reason, "give each column its own name", place=header.place)
        seen.add(name)
    return names, body


def _csv_rows(path: Path, text: str) -> Iterator[Row]:
    """Yield the rows that are not blank, cells stripped, with the line that each starts on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    line = 1
    try:
        for cells in reader:
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                yield Row(place=f"line {line}", cells=stripped)
            line = reader.line_num + 1
    except csv.Error as error:
        remedy = "close its quotes, and double the quotes inside a cell"
        raise unreadable(path, str(error), remedy, place=f"row from line {line}") from error


def _separator(text: str) -> str:
    """Return the separator whose first rows all have one count of cells, the highest; a comma in doubt."""

    def evenness(separator: str) -> tuple[bool, int]:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        try:
            widths = [len(row) for row in islice(rows, _SAMPLE_ROWS) if row]
        except csv.Error:
            return False, 0
        width = widths[0] if widths else 0
        return width > 1 and set(widths) == {width}, width

    return max(_SEPARATORS, key=evenness)
