"""What calamine does not tell about the sheets of an ods file, from its content.xml."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass, field
from typing import IO
from xml.etree import ElementTree

from mindatlas.nodes.atlassplit.parts.raw_sheets import Lost, MergedRange
from mindatlas.nodes.atlassplit.parts.xlsx_scan import SheetScan

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_VALUE_TYPE = "value-type"
_HIDDEN = ("collapse", "filter")
_NOT_REPEATED_HIDDEN = 100_000  # hidden rows beyond are the sheet's empty end


@dataclass(kw_only=True)
class OdsScan(SheetScan):
    """Findings of one sheet, with its merged ranges."""

    merges: list[MergedRange] = field(default_factory=list)


def scan_ods(archive: zipfile.ZipFile) -> dict[str, OdsScan]:
    """Return the findings of each sheet by name; a damaged file gives what comes before the damage."""
    scans: dict[str, OdsScan] = {}
    try:
        with archive.open("content.xml") as stream:
            _scan_content(stream, scans)
    except (KeyError, zipfile.BadZipFile, zlib.error, EOFError, ElementTree.ParseError):
        pass  # calamine reads the same part and says what is wrong with it
    return scans


def _scan_content(stream: IO[bytes], scans: dict[str, OdsScan]) -> None:
    scan = OdsScan()
    row = column = 0
    for event, element in ElementTree.iterparse(stream, ("start", "end")):
        if event == "start" and element.tag == f"{_TABLE}table":
            scan = scans.setdefault(element.get(f"{_TABLE}name", ""), OdsScan())
            row = column = 0
        elif event == "end" and element.tag == f"{_TABLE}table-column":
            count = _count(element, "number-columns-repeated")
            if element.get(f"{_TABLE}visibility") in _HIDDEN:
                scan.hidden_columns.update(range(column, min(column + count, 16_384)))
            column += count
        elif event == "end" and element.tag == f"{_TABLE}table-row":
            row += _scan_row(scan, element, row)
            element.clear()


def _scan_row(scan: OdsScan, element: ElementTree.Element, row: int) -> int:
    """Note what a row holds; returns how many rows it stands for."""
    repeated = _count(element, "number-rows-repeated")
    if element.get(f"{_TABLE}visibility") in _HIDDEN and repeated < _NOT_REPEATED_HIDDEN:
        scan.hidden_rows.update(range(row, row + repeated))
    column = 0
    for cell in element:
        width = _count(cell, "number-columns-repeated")
        if len(cell) or cell.get(f"{_OFFICE}{_VALUE_TYPE}"):
            scan.cells += width * repeated
            scan.last_row = max(scan.last_row, row + repeated - 1)
            scan.last_column = max(scan.last_column, column + width - 1)
            _note_cell(scan, cell, row, column)
        column += width
    return repeated


def _note_cell(scan: OdsScan, cell: ElementTree.Element, row: int, column: int) -> None:
    height, width = _count(cell, "number-rows-spanned"), _count(cell, "number-columns-spanned")
    if height > 1 or width > 1:
        scan.merges.append((row, column, row + height - 1, column + width - 1))
    # LibreOffice says "error" in its own namespace beside an empty text
    if any(name.endswith("}" + _VALUE_TYPE) and value == "error" for name, value in cell.items()):
        scan.odd_cells.append((row, column, Lost.ERROR))


def _count(element: ElementTree.Element, attribute: str) -> int:
    text = element.get(f"{_TABLE}{attribute}", "1")
    return max(int(text), 1) if text.isascii() and text.isdigit() and len(text) < 12 else 1
