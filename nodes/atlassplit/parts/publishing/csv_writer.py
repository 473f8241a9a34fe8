"""Writing a normalised table as CSV that Excel opens rightly and harmlessly."""

from __future__ import annotations

import csv
import io
import re
from typing import IO, Final

from mindatlas.nodes.atlassplit.parts.publishing.normaliser import NormalTable
from mindatlas.nodes.atlassplit.parts.publishing.sheet_cells import DateCell, SheetCell

# OWASP, "CSV Injection": what a spreadsheet takes for the beginning of a formula, full-width forms too.
_FORMULA: Final = re.compile(r"[\s\x00-\x20]*[=+\-@＝＋－＠]")
_NUMBER: Final = re.compile(r"[+-]?(?:\d[\d,]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?%?|-+")


def write_csv(file: IO[bytes], table: NormalTable) -> list[str]:
    """Write a table as CSV and return what to tell: UTF-8 with a byte order mark, CRLF, dates as ISO 8601.

    Text that a spreadsheet would take for a formula (it begins with =, +, - or @) gets an apostrophe in front:
    opening a file must not run what stood in a cell. A text that is a plain number, like -5, or a dash has none.
    """
    text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([_guarded(column.header) for column in table.columns])
    guarded = 0
    for row in range(table.rows):
        cells = [column.cells[row] for column in table.columns]
        guarded += sum(isinstance(cell, str) and _is_formula(cell) for cell in cells)
        writer.writerow(list(map(_field, cells)))
    text.flush()
    text.detach()
    if not guarded:
        return []
    return [
        f"{table.name!r}: {guarded} texts that look like formulas begin with an apostrophe in the CSV file"
    ]


def _field(cell: SheetCell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return _guarded(cell)
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    return cell.text if isinstance(cell, DateCell) else repr(cell)


def _guarded(text: str) -> str:
    return f"'{text}" if _is_formula(text) else text


def _is_formula(text: str) -> bool:
    return bool(_FORMULA.match(text)) and not _NUMBER.fullmatch(text.strip())
