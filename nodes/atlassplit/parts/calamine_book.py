"""The sheets of an xlsx, xlsb, xls or ods file: values by calamine, the rest by a scan of our own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeVar, cast

from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from mindatlas.nodes.atlassplit.parts.archives import open_archive
from mindatlas.nodes.atlassplit.parts.biff_scan import scan_biff_sheets
from mindatlas.nodes.atlassplit.parts.calamine_open import ways_to_open
from mindatlas.nodes.atlassplit.parts.file_kinds import FileKind
from mindatlas.nodes.atlassplit.parts.ods_scan import OdsScan, scan_ods
from mindatlas.nodes.atlassplit.parts.raw_sheets import BLANK, Cell, RawSheet
from mindatlas.nodes.atlassplit.parts.sheet_probe import SheetProbe
from mindatlas.nodes.atlassplit.parts.xlsb_scan import scan_binary_sheets
from mindatlas.nodes.atlassplit.parts.xlsx_parts import XlsxParts, read_parts
from mindatlas.nodes.atlassplit.parts.xlsx_scan import SheetScan
from mindatlas.nodes.errors import FileReadError

# calamine allocates the whole rectangle of a sheet, up to 64 bytes a cell: two stray cells in two corners
# would take half a terabyte. A large sheet is fine when most of it is filled.
MAX_ROWS, MAX_COLUMNS = 1_048_576, 16_384
MAX_CELLS = 32_000_000
MAX_SPARSE_CELLS = 4_000_000
LARGE_SHEET = 200_000  # cells with a value
LEAST_DENSITY = 8  # one filled cell in so many

_Read = TypeVar("_Read")


def read_book_sheets(data: bytes, kind: FileKind, name: str, *, include_hidden: bool) -> Iterator[RawSheet]:
    """Yield the worksheets in order; one that is left out or unreadable has no rows and says why.

    Args:
        data: The whole file.
        kind: One of xlsx, xlsb, xls and ods.
        name: The file's name, for messages.
        include_hidden: Read hidden sheets too.

    Raises:
        FileReadError: The file is password-protected, damaged or too large.
    """
    parts = read_parts(open_archive(data, name)) if kind == "xlsx" else None
    scans = _scans(data, kind, name)
    with (
        SheetProbe(data, kind) as probe,
        _open(data, kind, name, probe) as book,
    ):
        for place, meta in enumerate(book.sheets_metadata):
            raw = RawSheet(name=meta.name, rows=[], hidden=meta.visible != SheetVisibleEnum.Visible)
            if meta.typ != SheetTypeEnum.WorkSheet:
                continue
            if raw.hidden and not include_hidden:
                yield replace(raw, notices=(f"sheet {meta.name!r} is hidden and was left out",))
                continue
            scan = parts.scan(meta.name) if parts else scans.get(place if kind == "xls" else meta.name)
            safe = parts is not None and scan is not None and _is_safe(scan)
            reason = _unbearable(scan, repr(meta.name), partial(probe.reads, place) if not safe else None)
            yield replace(raw, notices=(reason,)) if reason else _read_sheet(book, raw, scan, parts)


def _open(data: bytes, kind: FileKind, name: str, probe: SheetProbe) -> CalamineWorkbook:
    if not probe.opens():
        raise FileReadError(
            f"{name!r} cannot be read: it is damaged, or made to use up memory; save it again"
        )
    problem = FileReadError(f"{name!r} cannot be read")
    for way in ways_to_open(data, kind):
        try:
            return _guarded(way, name)
        except FileReadError as error:
            problem = error
    raise problem


def _scans(data: bytes, kind: FileKind, name: str) -> Mapping[str | int, SheetScan]:
    """Return the scans that take all sheets at once, by name or, for xls, by place.

    The sheets of an xlsx file are scanned when their turn comes.
    """
    scans: dict[str | int, SheetScan] = {}
    if kind == "xlsb":
        scans.update(scan_binary_sheets(open_archive(data, name)))
    elif kind == "ods":
        scans.update(scan_ods(open_archive(data, name)))
    elif kind == "xls":
        scans.update(enumerate(scan_biff_sheets(data)))
    for sheet, scan in scans.items():
        title = f"number {sheet + 1}" if isinstance(sheet, int) else repr(sheet)
        if kind != "xlsb" and (reason := _too_large(scan, title)):
            raise FileReadError(f"{name!r}: {reason}")  # calamine reads all sheets when it opens the file
    return scans


def _read_sheet(
    book: CalamineWorkbook, empty: RawSheet, scan: SheetScan | None, parts: XlsxParts | None
) -> RawSheet:
    try:
        raw = _guarded(lambda: _with_values(empty, book.get_sheet_by_name(empty.name)), empty.name)
    except FileReadError as error:
        return replace(empty, notices=(f"sheet {error}",))
    return _with_scan(raw, scan, parts)


def _is_safe(scan: SheetScan) -> bool:
    """Return whether the scan of an xlsx sheet says enough: asking the child for a large sheet takes seconds."""
    return scan.cells > LARGE_SHEET and not scan.strays


def _unbearable(scan: SheetScan | None, sheet: str, survives: Callable[[], bool] | None) -> str:
    """Return why a sheet must not be handed to calamine, empty text when it may."""
    reason = _too_large(scan, sheet) if scan else ""
    if reason or survives is None or survives():
        return reason
    return f"sheet {sheet} is damaged, or made to use up memory"


def _too_large(scan: SheetScan, sheet: str) -> str:
    area = (scan.last_row + 1) * (scan.last_column + 1)
    if reason := _over_size(area, sheet):
        return reason
    if area > MAX_SPARSE_CELLS and scan.cells * LEAST_DENSITY < area:
        return f"sheet {sheet} has {scan.cells:,} values over {area:,} cells; delete stray cells far away"
    if scan.last_row >= MAX_ROWS or scan.last_column >= MAX_COLUMNS:
        return f"sheet {sheet} has cells beyond row {MAX_ROWS:,} or column XFD, the last ones; it is damaged"
    return ""


def _over_size(area: int, sheet: str) -> str:
    if area <= MAX_CELLS:
        return ""
    return f"sheet {sheet} spans more than {MAX_CELLS:,} cells; split it, or delete stray cells far away"


def _with_values(raw: RawSheet, sheet: CalamineSheet) -> RawSheet:
    if sheet.start is None:
        return raw
    if reason := _over_size(sheet.height * sheet.width, repr(raw.name)):
        return replace(raw, notices=(reason,))  # the scan had not met its farthest cells
    return replace(
        raw,
        rows=cast(list[list[Cell]], sheet.to_python(skip_empty_area=True)),
        first_row=sheet.start[0],
        first_column=sheet.start[1],
        merges=tuple((*first, *last) for first, last in sheet.merged_cell_ranges or ()),
    )


def _with_scan(sheet: RawSheet, scan: SheetScan | None, parts: XlsxParts | None) -> RawSheet:
    if scan is None:
        unknown = (
            f"sheet {sheet.name!r}: hidden rows, error cells and formulas without values were not looked for"
        )
        return replace(sheet, notices=(unknown,))
    inside = [odd for odd in scan.odd_cells if odd[0] >= sheet.first_row and odd[1] >= sheet.first_column]
    for row, column, value in inside:
        _put(sheet.rows, row - sheet.first_row, column - sheet.first_column, value)
    return replace(
        sheet,
        merges=tuple(scan.merges) if isinstance(scan, OdsScan) else sheet.merges,
        hidden_rows=frozenset(scan.hidden_rows),
        hidden_columns=frozenset(scan.hidden_columns),
        looks=parts.looks(scan) if parts else replace(sheet.looks, widths=scan.widths),
    )


def _put(rows: list[list[Cell]], row: int, column: int, value: Cell) -> None:
    """Set a cell; one below or right of the used range widens it, since calamine counts it as empty."""
    width = max(len(rows[0]) if rows else 0, column + 1)
    if rows and width > len(rows[0]):
        for line in rows:
            line.extend([BLANK] * (width - len(line)))
    while len(rows) <= row:
        rows.append([BLANK] * width)
    rows[row][column] = value


def _guarded(read: Callable[[], _Read], name: str) -> _Read:
    try:
        return read()
    except PasswordError as error:
        raise FileReadError(f"{name!r} is password-protected; save it without a password") from error
    except (CalamineError, OSError) as error:  # a stream of a part that ends too early is an OSError
        raise FileReadError(f"{name!r} cannot be read ({error}); save it again in Excel") from error
    except BaseException as error:  # a Rust panic is no Exception and has no importable type
        if type(error).__name__ != "PanicException":
            raise
        raise FileReadError(f"{name!r} cannot be read: it is damaged; save it again") from error
