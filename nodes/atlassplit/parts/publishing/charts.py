"""Native Excel charts from a small declarative spec, checked against the tables they are to show."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

from mindatlas.nodes.atlassplit.parts.publishing.normaliser import NormalColumn, NormalTable
from mindatlas.nodes.atlassplit.parts.publishing.sheet_cells import DateCell, SheetCell
from mindatlas.nodes.text import fold

ChartType = Literal["line", "bar", "column", "pie", "scatter"]
CHART_TYPES: Final[tuple[ChartType, ...]] = get_args(ChartType)
CHART_KEYS: Final = ("type", "x", "y", "series", "title", "table")
MOST_SERIES: Final = 255
_WIDTH, _HEIGHT = 720, 400
# XlsxWriter takes a text of this form for a reference to a cell.
_REFERENCE: Final = re.compile(r"=?[^!]+!\$?[A-Z]+\$?\d")
_LONGEST_TITLE: Final = 255


@dataclass(frozen=True, kw_only=True)
class Series:
    """One line or set of bars: the column of its values and its rows, 0-based, both ends included."""

    name: str
    column: int
    first: int
    last: int


@dataclass(frozen=True, kw_only=True)
class ChartPlan:
    """A chart that fits its table; `sheet` counts the sheets of the workbook from 0."""

    type: ChartType
    sheet: int
    title: str
    x: int
    x_name: str
    series: tuple[Series, ...]


class _UnfitError(Exception):
    """The spec does not fit the result; the message says how."""


def plan_chart(
    spec: Mapping[str, Any] | None, tables: Sequence[NormalTable], *, rows: Sequence[int]
) -> tuple[ChartPlan | None, list[str]]:
    """Return the chart that a spec asks for, None when there is none or it does not fit, and what to tell.

    Args:
        spec: {"type": line, bar, column, pie or scatter; "x": column; "y": column or list of columns; and
            optionally "series": column whose values make a line each (the rows of one must stand together),
            "title", "table": name of the table when there are several, else the first that has these columns}.
        tables: What is written, one for each sheet.
        rows: The rows on each sheet.
    """
    if spec is None:
        return None, []
    try:
        notices = [f"chart: unknown key {key!r} ignored" for key in spec if key not in CHART_KEYS]
        return _plan(spec, tables, rows), notices
    except _UnfitError as error:
        return None, [f"no chart was drawn: {error}"]


def draw_chart(book: Workbook, worksheet: Worksheet, plan: ChartPlan, *, beside: int) -> None:
    """Draw the chart on the sheet of its table, to the right of `beside` columns."""
    chart: Any = book.add_chart({"type": plan.type})
    for series in plan.series:
        rows = (series.first + 1, series.last + 1)  # below the header
        chart.add_series(
            {
                "name": _literal(series.name),
                "categories": [worksheet.name, rows[0], plan.x, rows[1], plan.x],
                "values": [worksheet.name, rows[0], series.column, rows[1], series.column],
            }
        )
    chart.set_title({"name": _literal(plan.title)} if plan.title else {"none": True})
    if plan.type != "pie":
        chart.set_x_axis({"name": _literal(plan.x_name)})
        if len(plan.series) == 1:
            chart.set_y_axis({"name": _literal(plan.series[0].name)})
            chart.set_legend({"none": True})
    chart.set_size({"width": _WIDTH, "height": _HEIGHT})
    worksheet.insert_chart(1, beside + 1, chart)


def _plan(spec: Mapping[str, Any], tables: Sequence[NormalTable], rows: Sequence[int]) -> ChartPlan:
    kind = spec.get("type")
    if kind not in CHART_TYPES:
        raise _UnfitError(f"its type {kind!r} is none of {', '.join(CHART_TYPES)}")
    sheet = _sheet(spec, tables)
    table, count = tables[sheet], rows[sheet]
    if not count:
        raise _UnfitError(f"{table.name!r} has no rows")
    x = _column(spec.get("x"), "x", table)
    ys = spec.get("y")
    values = [_column(name, "y", table) for name in (ys if isinstance(ys, list) else [ys])]
    if not values:
        raise _UnfitError("its y names no column")
    for at in values:
        if not any(map(_is_number, table.columns[at].cells[:count])):
            raise _UnfitError(f"column {table.columns[at].header!r} holds no number")
    return ChartPlan(
        type=kind,
        sheet=sheet,
        title=_text(spec.get("title")),
        x=x,
        x_name=table.columns[x].header,
        series=_series(spec.get("series"), table, values[:1] if kind == "pie" else values, count),
    )


def _sheet(spec: Mapping[str, Any], tables: Sequence[NormalTable]) -> int:
    name = spec.get("table")
    if name is None:
        return _first_with({*_names(spec.get("x")), *_names(spec.get("y"))}, tables)
    for same in (str, lambda text: fold(str(text))):
        found = [at for at, table in enumerate(tables) if same(table.name) == same(name)]
        if found:
            return found[0]
    raise _UnfitError(
        f"there is no table {name!r}; there are {', '.join(repr(table.name) for table in tables)}"
    )


def _first_with(names: set[str], tables: Sequence[NormalTable]) -> int:
    """Return the first table that has all columns of these names, the first of all when none has."""
    having = (
        at for at, table in enumerate(tables) if names <= {fold(column.header) for column in table.columns}
    )
    return next(having, 0)


def _names(axis: object) -> list[str]:
    return [fold(str(name)) for name in (axis if isinstance(axis, list) else [axis])]


def _column(name: object, axis: str, table: NormalTable) -> int:
    if not isinstance(name, str | int | float) or isinstance(name, bool):
        raise _UnfitError(f"its {axis} is {name!r}; name a column of {table.name!r}")
    headers = [column.header for column in table.columns]
    found = [at for at, header in enumerate(headers) if header == str(name)]
    found = found or [at for at, header in enumerate(headers) if fold(header) == fold(str(name))]
    if len(found) == 1:
        return found[0]
    real = ", ".join(map(repr, headers[:30]))
    raise _UnfitError(
        f"{len(found)} columns are called {name!r}"
        if found
        else f"there is no column {name!r}; there are {real}"
    )


def _series(name: object, table: NormalTable, values: Sequence[int], rows: int) -> tuple[Series, ...]:
    if name is None:
        whole = [Series(name=table.columns[at].header, column=at, first=0, last=rows - 1) for at in values]
        return tuple(whole[:MOST_SERIES])
    if len(values) > 1:
        raise _UnfitError("with series it takes one y")
    groups = _runs(table.columns[_column(name, "series", table)], rows)
    names = [label for label, _, _ in groups]
    if len({*names}) < len(names):
        raise _UnfitError(f"the rows of one {name!r} do not stand together; sort the result by it")
    if len(groups) > MOST_SERIES:
        raise _UnfitError(f"{len(groups)} series are more than the {MOST_SERIES} that a chart holds")
    return tuple(
        Series(name=label, column=values[0], first=first, last=last) for label, first, last in groups
    )


def _runs(column: NormalColumn, rows: int) -> list[tuple[str, int, int]]:
    """Return the stretches of rows with the same value: its text, first and last row."""
    runs: list[tuple[str, int, int]] = []
    for row, cell in enumerate(column.cells[:rows]):
        label = _label(cell)
        if runs and runs[-1][0] == label:
            runs[-1] = (label, runs[-1][1], row)
        else:
            runs.append((label, row, row))
    return runs


def _label(cell: SheetCell) -> str:
    if cell is None:
        return "(blank)"
    return cell.text if isinstance(cell, DateCell) else str(cell)


def _is_number(cell: SheetCell) -> bool:
    return isinstance(cell, int | float | DateCell) and not isinstance(cell, bool)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _literal(text: str) -> str:
    """Return a text that is shown as it is, never read as a reference or a formula."""
    shown = text[:_LONGEST_TITLE]
    return shown.replace("!", "！") if _REFERENCE.match(shown) else shown
