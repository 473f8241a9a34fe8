"""Writes tables as workbooks look in offices: numbers and dates as text, titles, merged cells, totals, notes."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import xlsxwriter
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

Row = Mapping[str, Any]
Look = Callable[[Any], Any]
_CREATED = dt.datetime(2024, 7, 1)  # noqa: DTZ001 (workbook properties have no time zone)


@dataclass(frozen=True, kw_only=True)
class Page:
    """One sheet.

    Attributes:
        looks: how a column's values are written, where not as they are; a blank value stays blank.
        title: a line over the header, merged across all columns.
        two_levels: headers such as `Q1/收入` stand in two rows, the upper one merged.
        merged: a column whose equal neighbours are merged into one cell.
        total: columns that a last row adds up.
        note: a line under the table.
        hidden: the sheet is not visible.
    """

    name: str
    rows: Sequence[Row]
    looks: Mapping[str, Look] = field(default_factory=dict)
    title: str = ""
    two_levels: bool = False
    merged: str = ""
    total: Sequence[str] = ()
    note: str = ""
    hidden: bool = False


def write_workbook(path: Path, *pages: Page) -> None:
    """Write pages as one Excel workbook, the same bytes each time."""
    with xlsxwriter.Workbook(path) as book:
        book.set_properties({"created": _CREATED})
        for page in pages:
            sheet = book.add_worksheet(page.name)
            _write_page(book, sheet, page)
            if page.hidden:
                sheet.hide()


def write_csv(path: Path, page: Page, *, encoding: str, separator: str = ",", repeat_header: int = 0) -> None:
    """Write a page as separated text; the header comes again after `repeat_header` rows, as in pasted exports."""
    columns = list(page.rows[0])
    lines = [[_text(_look(page, name, row[name])) for name in columns] for row in page.rows]
    if repeat_header:
        lines.insert(repeat_header, columns)
    lines += [[_text(_look(page, name, value)) for name, value in _total(page).items()]] if page.total else []
    lines += [[], [page.note]] if page.note else []
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\r\n").writerows([columns, *lines])
    path.write_bytes(text.getvalue().encode(encoding))


def _write_page(book: Workbook, sheet: Worksheet, page: Page) -> None:
    columns, top = list(page.rows[0]), 0
    bold, day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd"})
    if page.title:
        sheet.merge_range(0, 0, 0, len(columns) - 1, page.title, bold)
        top = 1
    top = _write_header(sheet, top, columns, bold, two_levels=page.two_levels)
    rows = [*page.rows, _total(page)] if page.total else list(page.rows)
    for at, row in enumerate(rows, top):
        for across, name in enumerate(columns):
            _write_cell(sheet, at, across, _look(page, name, row[name]), day)
    if page.merged:
        _merge(sheet, top, columns.index(page.merged), [row[page.merged] for row in page.rows], bold)
    if page.note:
        sheet.write_string(top + len(page.rows) + 2, 0, page.note)


def _write_header(sheet: Worksheet, top: int, columns: Sequence[str], bold: Any, *, two_levels: bool) -> int:
    """Write the header and return the first row below it."""
    if not two_levels:
        sheet.write_row(top, 0, columns, bold)
        return top + 1
    uppers = [name.partition("/")[0] for name in columns]
    for across, (upper, name) in enumerate(zip(uppers, columns, strict=True)):
        if "/" not in name:
            sheet.merge_range(top, across, top + 1, across, name, bold)
            continue
        sheet.write_string(top + 1, across, name.partition("/")[2], bold)
        if uppers.index(upper) == across:
            sheet.merge_range(top, across, top, across + uppers.count(upper) - 1, upper, bold)
    return top + 2


def _merge(sheet: Worksheet, top: int, across: int, values: Sequence[Any], bold: Any) -> None:
    start = 0
    for at in range(1, len(values) + 1):
        if at == len(values) or values[at] != values[start]:
            sheet.merge_range(top + start, across, top + at - 1, across, values[start], bold)
            start = at


def _write_cell(sheet: Worksheet, at: int, across: int, value: Any, day: Any) -> None:
    if isinstance(value, dt.date):
        sheet.write_datetime(at, across, dt.datetime(value.year, value.month, value.day), day)  # noqa: DTZ001
    elif isinstance(value, str):
        sheet.write_string(at, across, value)
    elif value is not None:
        sheet.write_number(at, across, float(value))


def _look(page: Page, name: str, value: Any) -> Any:
    look = page.looks.get(name)
    return value if look is None else look(value)


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _total(page: Page) -> dict[str, Any]:
    """Return the row of totals, marked 合计 in the first column."""
    first, *others = page.rows[0]
    sums = {name: sum((row[name] or Decimal(0) for row in page.rows), Decimal(0)) for name in page.total}
    return {first: "合计", **{name: sums.get(name) for name in others}}
