"""What calamine does not tell about an xlsx sheet, found in one streaming pass over its XML.

A full parse by openpyxl takes 20 s on 100,000 x 20 cells. Spreadsheet XML is regular enough for patterns: a
raw `<` never stands inside text, so tags cannot be mistaken, and only rows that hold something odd are looked
at closely. The caller has checked sizes and refused entities (archives.open_archive).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import IO, NamedTuple

from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, Lost
from mindatlas.nodes.atlassplit.parts.stray_cells import has_strays

STYLED_ROWS = 64  # rows from the top whose cell formats are kept: header and first data
_CHUNK = 2**21
_EXACT_DIGITS = 15  # what a double, and so Excel itself, always keeps
_TRUE = (b"1", b"true", b"on")

_ERROR_MARKS = (b't="e"', b"t='e'")
_NO_VALUE = rb"\s*(?:<~v\s*/>|<~v(?:\s[^>]*)?>\s*(0?)\s*</~v>)?\s*</~c>"
_ATTRIBUTE = re.compile(rb"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_ROW_NUMBER = re.compile(rb"""\br\s*=\s*["'](\d+)["']""")


@dataclass(kw_only=True)
class SheetScan:
    """Findings by 0-based position.

    Attributes:
        odd_cells: Error cells, formulas without a stored value, and integers too long for a double.
        styles: Style index of each cell of the first `STYLED_ROWS` rows.
        last_row: Last row that holds a value, -1 for an empty sheet.
        last_column: Likewise.
        cells: Number of cells that hold a value.
        strays: A cell may lie beyond `last_row` or `last_column`, because its reference is not where it stands.
    """

    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    widths: dict[int, float] = field(default_factory=dict)
    odd_cells: list[tuple[int, int, Cell]] = field(default_factory=list)
    styles: dict[tuple[int, int], int] = field(default_factory=dict)
    last_row: int = -1
    last_column: int = -1
    cells: int = 0
    strays: bool = False


class _Tags(NamedTuple):
    """The patterns for one namespace prefix."""

    row: re.Pattern[bytes]
    cell: re.Pattern[bytes]
    reference: re.Pattern[bytes]
    column: re.Pattern[bytes]
    error: re.Pattern[bytes]
    formula_end: re.Pattern[bytes]
    formula_tag: re.Pattern[bytes]
    long_integer: re.Pattern[bytes]
    cell_start: bytes
    cell_end: bytes
    row_start: bytes
    row_end: bytes
    data_end: bytes


@cache
def _tags(prefix: bytes) -> _Tags:
    p = re.escape(prefix)

    def pattern(text: bytes) -> re.Pattern[bytes]:
        return re.compile(text.replace(b"~", p))

    return _Tags(
        row=pattern(rb"<~row\b([^>]*)>"),
        cell=pattern(rb"<~c\b([^>]*)>"),
        reference=pattern(rb"""<~c\b[^>]*?\br\s*=\s*["']([A-Z]+)\d+["']"""),
        column=pattern(rb"<~col\b([^>]*)>"),
        error=pattern(rb"""<~c\b[^>]*\bt=["']e["'][^>]*>"""),
        # two patterns, since one that starts with a fixed text is found ten times faster
        formula_end=pattern(rb"</~f>" + _NO_VALUE),
        formula_tag=pattern(rb"<~f\b[^>]*/>" + _NO_VALUE),
        long_integer=pattern(rb"<~v>(-?\d{%d,300})(?:\.0*)?</~v>" % (_EXACT_DIGITS + 1)),
        cell_start=b"<" + prefix + b"c",
        cell_end=b"</" + prefix + b"c>",
        row_start=b"<" + prefix + b"row",
        row_end=b"</" + prefix + b"row>",
        data_end=b"</" + prefix + b"sheetData>",
    )


def scan_sheet(stream: IO[bytes], *, stale_zeros: bool = False) -> SheetScan:
    """Return the findings of one worksheet part.

    Args:
        stream: The part, inflated.
        stale_zeros: The workbook asks to be calculated on loading, so a formula's stored 0 is only a
            placeholder (XlsxWriter writes it) and counts as no value.
    """
    scan = SheetScan()
    head = stream.read(_CHUNK)
    prefix = re.search(rb"<(\w+:)?worksheet\b", head)
    tags = _tags((prefix and prefix.group(1)) or b"")
    for match in tags.column.finditer(head):
        _note_columns(scan, _attributes(match.group(1)))
    row = -1
    for piece in _row_pieces(stream, head, tags):
        row = _scan_rows(scan, piece, tags, row, stale_zeros)
    return scan


def _row_pieces(stream: IO[bytes], head: bytes, tags: _Tags) -> Iterator[bytes]:
    """Yield the sheet data in pieces that end where a row ends."""
    rest = head
    while True:
        end = rest.find(tags.data_end)
        if end >= 0:
            yield rest[:end]
            return
        # a row without cells has no end tag, so the start of the last row is a place to cut, too
        cut = max(rest.rfind(tags.row_start), rest.rfind(tags.row_end) + len(tags.row_end))
        if cut >= len(tags.row_end):
            yield rest[:cut]
            rest = rest[cut:]
        more = stream.read(_CHUNK)
        if not more:
            yield rest
            return
        rest += more


def _scan_rows(scan: SheetScan, piece: bytes, tags: _Tags, row: int, stale_zeros: bool) -> int:
    """Scan the rows of a piece; returns the number of the last one."""
    marks = list(tags.row.finditer(piece))
    odd = _odd_patterns(piece, tags)
    scan.cells += piece.count(tags.cell_end)
    for index, mark in enumerate(marks):
        end = marks[index + 1].start() if index + 1 < len(marks) else len(piece)
        number = _ROW_NUMBER.search(mark.group(1))
        row = int(number.group(1)) - 1 if number else row + 1
        if b"hidden" in mark.group(1) and _attributes(mark.group(1)).get(b"hidden") in _TRUE:
            scan.hidden_rows.add(row)
        _note_extent(scan, piece, mark.end(), end, tags, row)
        if row < STYLED_ROWS:
            _note_styles(scan, piece, mark.end(), end, tags, row)
        for pattern in odd:
            for match in pattern.finditer(piece, mark.end(), end):
                _note_odd_cell(scan, piece, mark.end(), match, tags, row, stale_zeros)
    last_column = column_letters(max(scan.last_column, 0)).encode()
    scan.strays |= has_strays(piece, last_row=b"%d" % (scan.last_row + 1), last_column=last_column)
    return row


def _odd_patterns(piece: bytes, tags: _Tags) -> list[re.Pattern[bytes]]:
    patterns = [tags.formula_end, tags.formula_tag, tags.long_integer]
    if any(mark in piece for mark in _ERROR_MARKS):
        patterns.append(tags.error)
    return [pattern for pattern in patterns if pattern.search(piece)]


def _note_extent(scan: SheetScan, piece: bytes, start: int, end: int, tags: _Tags, row: int) -> None:
    last_end = piece.rfind(tags.cell_end, start, end)
    if last_end < 0:
        return
    last_start = piece.rfind(tags.cell_start, start, last_end)
    scan.last_row = max(scan.last_row, row)
    scan.last_column = max(scan.last_column, _column_at(piece, start, last_start, tags))


def _note_styles(scan: SheetScan, piece: bytes, start: int, end: int, tags: _Tags, row: int) -> None:
    for match in tags.cell.finditer(piece, start, end):
        style = _attributes(match.group(1)).get(b"s", b"0")
        if style.isdigit():
            scan.styles[row, _column_at(piece, start, match.start(), tags)] = int(style)


def _note_odd_cell(
    scan: SheetScan,
    piece: bytes,
    row_start: int,
    match: re.Match[bytes],
    tags: _Tags,
    row: int,
    stale_zeros: bool,
) -> None:
    cell_at = piece.rfind(tags.cell_start, row_start, match.start() + len(tags.cell_start))
    opening = tags.cell.match(piece, cell_at)
    kind = _attributes(opening.group(1)).get(b"t", b"n") if opening else b"n"
    column = _column_at(piece, row_start, cell_at, tags)
    if match.re is tags.error:
        scan.odd_cells.append((row, column, Lost.ERROR))
    elif match.re is tags.long_integer and kind == b"n":
        scan.odd_cells.append((row, column, int(match.group(1))))
    elif match.re is not tags.long_integer and kind == b"n" and (stale_zeros or match.group(1) != b"0"):
        scan.odd_cells.append((row, column, Lost.UNCACHED))


def _column_at(piece: bytes, row_start: int, cell_at: int, tags: _Tags) -> int:
    """Return the column of the cell that starts at `cell_at`, from its reference or by counting cells."""
    reference = tags.reference.match(piece, cell_at)
    if reference:
        return column_number(reference.group(1))
    return len(tags.cell.findall(piece, row_start, cell_at))


@cache
def column_number(letters: bytes) -> int:
    """Return the 0-based number of a column: 0 for A, 26 for AA."""
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number - 1


def column_letters(number: int) -> str:
    """Return the letters of a 0-based column number: A for 0, AA for 26."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _note_columns(scan: SheetScan, attributes: dict[bytes, bytes]) -> None:
    first, last = attributes.get(b"min", b""), attributes.get(b"max", b"")
    if not (first.isdigit() and last.isdigit()):
        return
    columns = range(int(first) - 1, min(int(last), 16_384))
    if attributes.get(b"hidden", b"") in _TRUE:
        scan.hidden_columns.update(columns)
    try:
        width = float(attributes.get(b"width", b""))
    except ValueError:
        return
    scan.widths.update((column, width) for column in columns)


def _attributes(text: bytes) -> dict[bytes, bytes]:
    return {match[1]: match[2] or match[3] or b"" for match in _ATTRIBUTE.finditer(text)}
