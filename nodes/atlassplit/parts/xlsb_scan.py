"""What calamine does not tell about an xlsb sheet, from its records (MS-XLSB 2.1.4)."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Iterator

from mindatlas.nodes.atlassplit.parts.archives import read_part
from mindatlas.nodes.atlassplit.parts.raw_sheets import Lost
from mindatlas.nodes.atlassplit.parts.xlsx_parts import relations
from mindatlas.nodes.atlassplit.parts.xlsx_scan import SheetScan

_BOOK_PART = "xl/workbook.bin"
_SHEET_LISTED = 156
_ROW_HEADER = 0
_BLANK_CELL, _LAST_CELL = 1, 11
_ERROR_CELLS = (3, 11)  # BrtCellError, BrtFmlaError
_ROW_FLAGS_AT, _ROW_HIDDEN = 11, 0x10
_COLUMN_INFO, _COLUMN_HIDDEN = 60, 0x1
_SHEET_DATA_END = 146


def scan_binary_sheets(archive: zipfile.ZipFile) -> dict[str, SheetScan]:
    """Return the findings of each worksheet by its name; parts that are absent or damaged give fewer."""
    parts = relations(archive, _BOOK_PART)
    scans = {}
    for kind, record in _records(read_part(archive, _BOOK_PART) or b""):
        if kind == _SHEET_LISTED and len(record) >= 12:
            identity, at = _read_text(record, 8)
            name, _ = _read_text(record, at)
            part = parts.get(identity, ("", ""))[0]
            scans[name] = scan_binary_sheet(read_part(archive, part) or b"")
    return scans


def scan_binary_sheet(data: bytes) -> SheetScan:
    """Return the findings of one binary worksheet part; a damaged part gives what comes before the damage."""
    scan = SheetScan()
    row = -1
    for kind, record in _records(data):
        if kind == _SHEET_DATA_END:
            break
        if kind == _ROW_HEADER and len(record) > _ROW_FLAGS_AT:
            row = struct.unpack_from("<I", record)[0]
            if record[_ROW_FLAGS_AT] & _ROW_HIDDEN:
                scan.hidden_rows.add(row)
        elif _BLANK_CELL < kind <= _LAST_CELL and len(record) >= 8:
            _note_cell(scan, kind, row, struct.unpack_from("<I", record)[0])
        elif kind == _COLUMN_INFO and len(record) >= 18:
            _note_columns(scan, record)
    return scan


def _records(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(data):
        kind, at = _read_number(data, at, most_bytes=2)
        size, at = _read_number(data, at, most_bytes=4)
        record = data[at : at + size]
        if len(record) < size:
            return
        yield kind, record
        at += size


def _read_text(record: bytes, at: int) -> tuple[str, int]:
    """Return a counted UTF-16 text and the position after it."""
    (count,) = struct.unpack_from("<I", record.ljust(at + 4, b"\0"), at)
    end = min(at + 4 + 2 * count, len(record))
    return record[at + 4 : end].decode("utf-16-le", "replace"), end


def _read_number(data: bytes, at: int, *, most_bytes: int) -> tuple[int, int]:
    """Return a number of 7 bits a byte, low bits first, and the position after it."""
    number = 0
    for index, byte in enumerate(data[at : at + most_bytes]):
        number |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return number, at + index + 1
    return number, at + most_bytes


def _note_cell(scan: SheetScan, kind: int, row: int, column: int) -> None:
    scan.cells += 1
    scan.last_row = max(scan.last_row, row)
    scan.last_column = max(scan.last_column, column)
    if kind in _ERROR_CELLS:
        scan.odd_cells.append((row, column, Lost.ERROR))


def _note_columns(scan: SheetScan, record: bytes) -> None:
    first, last, width, _, flags = struct.unpack_from("<IIIIH", record)
    columns = range(first, min(last + 1, 16_384))
    if flags & _COLUMN_HIDDEN:
        scan.hidden_columns.update(columns)
    scan.widths.update((column, width / 256) for column in columns)
