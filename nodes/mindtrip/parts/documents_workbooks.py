"""Excel workbooks: every sheet is a table."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mindatlas.nodes.mindtrip.parts.documents_bytes import kind_of, read_bytes, unreadable
from mindatlas.nodes.mindtrip.parts.documents_records import Record
from mindatlas.nodes.mindtrip.parts.documents_tables import Row, header_and_body

_READER = Path(__file__).with_name("workbook_cells.py")
_SECONDS = 300
_SAVE_AGAIN = "open it in Excel and save it as .xlsx"


def read_workbook(path: Path) -> Iterator[Record]:
    """Yield a record for each row below the header of each sheet; blank rows and sheets are skipped.

    The header is the first row with a cell in it, below captions merged over the whole width. Numbers, dates
    and booleans keep their kind, and every cell of a merged range has its value. The field `sheet` names the
    sheet when several hold rows; the field `caption` holds the captions.

    Raises:
        FileReadError: no workbook, protected by a password, damaged, or a sheet's header has an empty or
            repeated cell; the message names sheet and row.
    """
    sheets = [(sheet, rows) for sheet in _read_sheets(path) if (rows := _rows(sheet))]
    for sheet, rows in sheets:
        names, body = header_and_body(path, rows)
        about = {"sheet": sheet["name"] if len(sheets) > 1 else "", "caption": "; ".join(sheet["captions"])}
        for row in body:
            yield Record(place=row.place, fields=about | {field: row.cells[i] for i, field in names.items()})


def _rows(sheet: dict[str, Any]) -> list[Row]:
    """Return the rows of a sheet that are not blank, all of one width."""
    first = sheet["first_row"]
    cells_by_row = [
        [cell.strip() if isinstance(cell, str) else cell for cell in row] for row in sheet["rows"]
    ]
    return [
        Row(place=f"sheet {sheet['name']!r} row {number}", cells=cells)
        for number, cells in enumerate(cells_by_row, start=first)
        if any(cell != "" for cell in cells)
    ]


def _read_sheets(path: Path) -> list[dict[str, Any]]:
    """Return the sheets of the workbook, read in a process of its own.

    A damaged file makes the native code of calamine abort the process, and one stray cell at the far corner
    makes it ask for hundreds of gigabytes; neither may end the caller.
    """
    _require_workbook(path)
    command = [sys.executable, "-P", str(_READER), str(path)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise unreadable(path, f"it took over {_SECONDS} s", "split it into smaller workbooks") from error
    if done.returncode:
        reason = "it is damaged, or a stray cell far from the others makes a sheet too large"
        raise unreadable(path, reason, f"delete stray cells, or {_SAVE_AGAIN}")
    reply: dict[str, Any] = json.loads(done.stdout)
    if "error" in reply:
        raise unreadable(path, reply["error"], _SAVE_AGAIN)
    sheets: list[dict[str, Any]] = reply["sheets"]
    return sheets


def _require_workbook(path: Path) -> None:
    data = read_bytes(path)
    kind = kind_of(data)
    if kind is None or "Office" not in kind[0]:
        found = f"a {kind[0]} file" if kind else "text (HTML or CSV?)" if b"\0" not in data else "not Excel"
        raise unreadable(path, f"its content is {found}, no Excel workbook", f"rename it, or {_SAVE_AGAIN}")
    if data.startswith(b"PK"):
        _require_spreadsheet(path)


def _require_spreadsheet(path: Path) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            names = {name.lower() for name in archive.namelist()}
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise unreadable(path, f"it is damaged ({error})", "get it again from its source") from error
    if not any(name.endswith("workbook.xml") for name in names):
        raise unreadable(path, "it is a zip file, but no .xlsx workbook", _SAVE_AGAIN)
