"""The parts of an xlsx archive: which part holds which sheet, and what the workbook says of itself."""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from mindatlas.nodes.atlassplit.parts.archives import find_part, parse_xml, read_part
from mindatlas.nodes.atlassplit.parts.raw_sheets import SheetLooks
from mindatlas.nodes.atlassplit.parts.xlsx_scan import SheetScan, scan_sheet
from mindatlas.nodes.atlassplit.parts.xlsx_styles import GENERAL, CellStyle, read_styles

_TRUE = ("1", "true")


@dataclass(frozen=True, kw_only=True)
class XlsxParts:
    """An open archive with its sheet parts by sheet name.

    `stale_zeros` says that the workbook asks to be calculated on loading (see `xlsx_scan.scan_sheet`).
    """

    archive: zipfile.ZipFile
    sheets: dict[str, str]
    styles: tuple[CellStyle, ...]
    stale_zeros: bool

    def scan(self, sheet: str) -> SheetScan | None:
        """Return what values lack on `sheet`, None when its part cannot be found or read."""
        part = find_part(self.archive, self.sheets.get(sheet, ""))
        if part is None:
            return None
        try:
            with self.archive.open(part) as stream:
                return scan_sheet(stream, stale_zeros=self.stale_zeros)
        except (zipfile.BadZipFile, zlib.error, EOFError):
            return None

    def looks(self, scan: SheetScan) -> SheetLooks:
        """Return the looks of a scanned sheet's top rows."""
        styled = {cell: self.styles[style] for cell, style in scan.styles.items() if style < len(self.styles)}
        return SheetLooks(
            widths=scan.widths,
            number_formats={
                cell: style.number_format for cell, style in styled.items() if style.number_format != GENERAL
            },
            header_styles={cell: style.look for cell, style in styled.items()},
        )


def read_parts(archive: zipfile.ZipFile) -> XlsxParts:
    """Return the parts of a checked archive; what is absent or odd is left out, never an error."""
    root_links = relations(archive, "")
    book_part = next(
        (part for part, kind in root_links.values() if kind == "officeDocument"), "xl/workbook.xml"
    )
    book = parse_xml(read_part(archive, book_part))
    links = relations(archive, book_part)
    by_kind = {kind: part for part, kind in links.values()}
    return XlsxParts(
        archive=archive,
        sheets=_sheet_parts(book, links),
        styles=read_styles(
            parse_xml(read_part(archive, by_kind.get("styles", ""))),
            parse_xml(read_part(archive, by_kind.get("theme", ""))),
        ),
        stale_zeros=_asks_to_calculate(book),
    )


def relations(archive: zipfile.ZipFile, part: str) -> dict[str, tuple[str, str]]:
    """Return the relations of a part: id to (target part, last word of the relation's type)."""
    folder, file = posixpath.split(part)
    found = parse_xml(read_part(archive, posixpath.join(folder, "_rels", f"{file}.rels")))
    if found is None:
        return {}
    return {
        link.get("Id", ""): (
            _resolve(folder, link.get("Target", "")),
            link.get("Type", "").rpartition("/")[2],
        )
        for link in found
    }


def _resolve(folder: str, target: str) -> str:
    target = target.replace("\\", "/")
    return posixpath.normpath(target if target.startswith("/") else posixpath.join(folder, target)).lstrip(
        "/"
    )


def _sheet_parts(book: Element | None, links: dict[str, tuple[str, str]]) -> dict[str, str]:
    parts = {}
    for sheet in book.iterfind("{*}sheets/{*}sheet") if book is not None else ():
        identity = next((value for key, value in sheet.items() if key.endswith("}id")), "")
        if identity in links:
            parts[sheet.get("name", "")] = links[identity][0]
    return parts


def _asks_to_calculate(book: Element | None) -> bool:
    settings = book.find("{*}calcPr") if book is not None else None
    return settings is not None and settings.get("fullCalcOnLoad") in _TRUE
