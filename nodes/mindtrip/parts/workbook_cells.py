"""Cells of an Excel workbook, as JSON on standard output; a script, run in a process of its own."""

from __future__ import annotations

import json
import sys
from datetime import date, datetime, time, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, PasswordError, SheetTypeEnum

_MEMORY_BYTES = 4 * 2**30


def main(path: str) -> None:
    """Write `{"sheets": [{"name", "captions", "first_row", "rows"}]}` or `{"error": reason}`."""
    _limit_memory()
    try:
        reply: dict[str, Any] = {"sheets": _read(path)}
    except PasswordError:
        reply = {"error": "it is protected by a password"}
    except CalamineError as error:
        reply = {"error": f"it is damaged ({error})"}
    json.dump(reply, sys.stdout)


def _read(path: str) -> list[dict[str, Any]]:
    with (
        Path(path).open("rb") as file,
        CalamineWorkbook.from_filelike(file) as workbook,
    ):  # by content, not suffix
        tables = [sheet.name for sheet in workbook.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        return [_sheet(workbook.get_sheet_by_name(name)) for name in tables]


def _sheet(sheet: CalamineSheet) -> dict[str, Any]:
    """Return the sheet below its captions: rows at the top that are merged over all columns, or blank.

    `first_row` counts from 1. Every cell of a merged range has its value.
    """
    top, left = sheet.start or (0, 0)
    rows = [[_plain(cell) for cell in row] for row in sheet.to_python()]
    wide: set[int] = set()
    for (first_row, first_column), (last_row, last_column) in sheet.merged_cell_ranges or ():
        if top <= first_row < top + len(rows) and left <= first_column < left + len(rows[0]):
            value = rows[first_row - top][first_column - left]
            columns = slice(first_column - left, last_column - left + 1)
            for row in rows[first_row - top : last_row - top + 1]:
                row[columns] = [value] * len(row[columns])
            if len(rows[0][columns]) == len(rows[0]) > 1:
                wide.update(range(first_row - top, last_row - top + 1))
    above = len(list(takewhile(lambda index: index in wide or not any(rows[index]), range(len(rows) - 1))))
    captions = dict.fromkeys(str(row[0]) for row in rows[:above] if any(row))
    return {
        "name": sheet.name,
        "captions": list(captions),
        "first_row": top + above + 1,
        "rows": rows[above:],
    }


def _plain(cell: object) -> str | int | float | bool:
    """Return the cell as JSON holds it: dates and times as ISO 8601, whole floats as integers."""
    if isinstance(cell, date | datetime | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return int(cell)
    return cell if isinstance(cell, bool | int | float) else str(cell)


def _limit_memory() -> None:
    """Keep a sheet that claims a giant size from taking all memory; Windows has no such limit."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))


if __name__ == "__main__":
    main(sys.argv[1])
