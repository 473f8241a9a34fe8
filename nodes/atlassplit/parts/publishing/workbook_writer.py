"""Writing normalised tables as sheets of a new workbook."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_range
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

from mindatlas.nodes.atlassplit.parts.publishing.charts import ChartPlan, draw_chart
from mindatlas.nodes.atlassplit.parts.publishing.column_widths import column_width
from mindatlas.nodes.atlassplit.parts.publishing.normaliser import NormalColumn, NormalTable
from mindatlas.nodes.atlassplit.parts.publishing.number_formats import (
    GENERAL,
    TEXT,
    date_formats,
    number_format,
)
from mindatlas.nodes.atlassplit.parts.publishing.sheet_cells import DateCell, DateKind
from mindatlas.nodes.atlassplit.parts.publishing.sheet_names import legal_sheet_names
from mindatlas.nodes.atlassplit.parts.publishing.templates import Template
from mindatlas.nodes.atlassplit.parts.workbook_model import HeaderStyle
from mindatlas.nodes.errors import UsageError

MOST_ROWS: Final = 1_048_576  # of a sheet, the header among them
MOST_COLUMNS: Final = 16_384
_STREAMED_CELLS: Final = 1_000_000  # from here on rows go to disk as they are written
# A fixed moment, so that the same result gives the same bytes.
_CREATED: Final = dt.datetime(2000, 1, 1)  # noqa: DTZ001 (workbook properties have no time zone)
_OPTIONS: Final[Mapping[str, Any]] = {"strings_to_formulas": False, "strings_to_urls": False}
_DEFAULT_HEADER: Final = HeaderStyle(bold=True)
_ALIGNMENTS: Final = {"centerContinuous": "center_across", "general": None}


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A sheet to write: rows `start` up to, not including, `end` of a table, under a legal name."""

    name: str
    asked: str
    table: NormalTable
    start: int
    end: int


@dataclass(frozen=True, kw_only=True)
class _ColumnStyle:
    width: float
    numbers: Format | None
    texts: Format | None
    dates: Mapping[DateKind, Format]


def plan_sheets(tables: Sequence[NormalTable]) -> list[Sheet]:
    """Return the sheets that the tables take; one with more rows than a sheet holds takes several.

    Raises:
        UsageError: A table has more columns than a sheet.
    """
    parts: list[tuple[str, NormalTable, int]] = []
    for table in tables:
        if len(table.columns) > MOST_COLUMNS:
            raise UsageError(
                f"{table.name!r} has {len(table.columns)} columns and a sheet {MOST_COLUMNS}; "
                "let the output be a .csv file"
            )
        starts = range(0, max(table.rows, 1), MOST_ROWS - 1)
        parts += [
            (table.name if number == 1 else f"{table.name} ({number})", table, start)
            for number, start in enumerate(starts, 1)
        ]
    names = legal_sheet_names([asked for asked, _, _ in parts])
    return [
        Sheet(name=name, asked=asked, table=table, start=start, end=min(start + MOST_ROWS - 1, table.rows))
        for name, (asked, table, start) in zip(names, parts, strict=True)
    ]


def write_workbook(
    file: IO[bytes], sheets: Sequence[Sheet], *, template: Template, chart: ChartPlan | None = None
) -> None:
    """Write a new workbook: header style, widths and formats of the sources, frozen header, filter, chart.

    No text becomes a formula or a link.
    """
    cells = sum((sheet.end - sheet.start) * len(sheet.table.columns) for sheet in sheets)
    book = xlsxwriter.Workbook(file, {**_OPTIONS, "constant_memory": cells >= _STREAMED_CELLS})
    book.set_properties({"created": _CREATED})
    formats = _Formats(book)
    for number, sheet in enumerate(sheets):
        worksheet = book.add_worksheet(sheet.name)
        _write_sheet(worksheet, sheet, template, formats)
        if chart is not None and chart.sheet == number:
            draw_chart(book, worksheet, chart, beside=len(sheet.table.columns))
    book.close()


class _Formats:
    """The formats of a workbook, each made once."""

    def __init__(self, book: Workbook) -> None:
        self._book = book
        self._made: dict[str, Format] = {}

    def number(self, code: str) -> Format | None:
        if code == GENERAL:
            return None
        if code not in self._made:
            self._made[code] = self._book.add_format({"num_format": code})
        return self._made[code]

    def header(self, style: HeaderStyle) -> Format:
        look = style if style != HeaderStyle() else _DEFAULT_HEADER
        key = repr(look)
        if key not in self._made:
            self._made[key] = self._book.add_format(_header_properties(look))
        return self._made[key]


def _header_properties(style: HeaderStyle) -> dict[str, Any]:
    properties = {
        "bold": style.bold,
        "font_name": style.font,
        "font_size": style.size,
        "font_color": f"#{style.color}" if style.color else None,
        "bg_color": f"#{style.fill}" if style.fill else None,
        "align": _ALIGNMENTS.get(style.horizontal or "", style.horizontal),
        "text_wrap": True,
        "valign": "vcenter",
    }
    return {key: value for key, value in properties.items() if value is not None}


def _write_sheet(worksheet: Worksheet, sheet: Sheet, template: Template, formats: _Formats) -> None:
    columns = sheet.table.columns
    styles = [_style(column, template, formats) for column in columns]
    header = formats.header(template.header)
    for at, (column, style) in enumerate(zip(columns, styles, strict=True)):
        worksheet.set_column(at, at, style.width)
        worksheet.write_string(0, at, column.header, header)
    for row in range(sheet.start, sheet.end):
        for at, (column, style) in enumerate(zip(columns, styles, strict=True)):
            _write_cell(worksheet, row - sheet.start + 1, at, column.cells[row], style)
    worksheet.freeze_panes(1, 0)
    if columns:
        last = sheet.end - sheet.start
        worksheet.autofilter(0, 0, last, len(columns) - 1)
        # Identifiers are text on purpose: no green corner in every cell.
        worksheet.ignore_errors({"number_stored_as_text": xl_range(0, 0, last, len(columns) - 1)})


def _style(column: NormalColumn, template: Template, formats: _Formats) -> _ColumnStyle:
    look = template.look(column.header)
    code = number_format(column.header, column.cells, look)
    dates: dict[DateKind, Any] = {}
    for kind, pattern in date_formats(column.cells, look).items():
        if (made := formats.number(pattern)) is not None:
            dates[kind] = made
    return _ColumnStyle(
        width=column_width(column.header, column.cells, look, code),
        numbers=formats.number(code) if code != TEXT else None,
        texts=formats.number(code) if code == TEXT else None,
        dates=dates,
    )


def _write_cell(worksheet: Worksheet, row: int, at: int, cell: object, style: _ColumnStyle) -> None:
    if cell is None:
        return
    if isinstance(cell, str):
        worksheet.write_string(row, at, cell, style.texts)
    elif isinstance(cell, bool):
        worksheet.write_boolean(row, at, cell)
    elif isinstance(cell, DateCell):
        worksheet.write_number(row, at, cell.serial, style.dates.get(cell.kind))
    elif isinstance(cell, int | float):
        worksheet.write_number(row, at, cell, style.numbers)
