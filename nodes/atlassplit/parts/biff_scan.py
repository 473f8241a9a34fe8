"""What calamine does not tell about the sheets of an .xls file, from its records (MS-XLS)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from mindatlas.nodes.atlassplit.parts.ole_container import find_stream
from mindatlas.nodes.atlassplit.parts.raw_sheets import Lost
from mindatlas.nodes.atlassplit.parts.xlsx_scan import SheetScan

_BOUND_SHEET, _END = 0x85, 0x0A
_ROW, _COLUMNS, _BOOL_OR_ERROR, _FORMULA = 0x208, 0x7D, 0x205, 0x06
_MANY_NUMBERS = 0xBD
# number, text by index, text, short number, rich text, and those above
_CELLS = frozenset({0x203, 0xFD, 0x204, 0x27E, 0xD6, _MANY_NUMBERS, _BOOL_OR_ERROR, _FORMULA})
_ROW_HIDDEN, _COLUMN_HIDDEN = 0x20, 0x01
_FORMULA_ERROR = 2


def scan_biff_sheets(data: bytes) -> list[SheetScan]:
    """Return the findings of each sheet in the workbook's order; a damaged file gives fewer.

    Args:
        data: The whole file. Without a workbook stream of Excel 5 or later the list is empty.
    """
    stream = find_stream(data, "Workbook", "Book") or b""
    starts = [
        struct.unpack_from("<I", record)[0]
        for kind, record in _records(stream, 0)
        if kind == _BOUND_SHEET and len(record) >= 4
    ]
    return [_scan_sheet(stream, start) for start in starts]


def _records(stream: bytes, at: int) -> Iterator[tuple[int, bytes]]:
    """Yield the records from a position up to the end of their substream."""
    while at + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, at)
        if kind == _END:
            return
        yield kind, stream[at + 4 : at + 4 + size]
        at += 4 + size


def _scan_sheet(stream: bytes, start: int) -> SheetScan:
    scan = SheetScan()
    for kind, record in _records(stream, start):
        if kind == _ROW and len(record) >= 14:
            row, flags = struct.unpack_from("<H10xH", record)
            if flags & _ROW_HIDDEN:
                scan.hidden_rows.add(row)
        elif kind == _COLUMNS and len(record) >= 10:
            first, last, width, _, flags = struct.unpack_from("<5H", record)
            columns = range(first, min(last, 255) + 1)
            scan.widths.update((column, width / 256) for column in columns)
            scan.hidden_columns.update(columns if flags & _COLUMN_HIDDEN else ())
        elif kind in _CELLS and len(record) >= 6:
            _note_cell(scan, kind, record)
    return scan


def _note_cell(scan: SheetScan, kind: int, record: bytes) -> None:
    row, column = struct.unpack_from("<HH", record)
    (last_column,) = struct.unpack_from("<H", record, len(record) - 2 if kind == _MANY_NUMBERS else 2)
    scan.cells += max(last_column - column, 0) + 1
    scan.last_row = max(scan.last_row, row)
    scan.last_column = max(scan.last_column, column, last_column)
    if _is_error(kind, record):
        scan.odd_cells.append((row, column, Lost.ERROR))


def _is_error(kind: int, record: bytes) -> bool:
    if kind == _BOOL_OR_ERROR:
        return len(record) >= 8 and record[7] == 1
    # a formula's stored value is a double, or by its last two bytes something else
    is_other = kind == _FORMULA and len(record) >= 14 and record[12:14] == b"\xff\xff"
    return is_other and record[6] == _FORMULA_ERROR
