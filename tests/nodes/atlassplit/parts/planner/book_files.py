"""The workbooks of `books` as files."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import xlsxwriter

from tests.nodes.atlassplit.parts.planner.books import (
    Rows,
    goods,
    messy,
    monthly,
    orders,
    quarters,
    routes,
    sales,
    shipments,
    shops,
    staff,
    students,
    yearly,
)
from tests.nodes.atlassplit.parts.planner.rides import rides

FILES: Mapping[str, str] = {
    "sales": "sales.xlsx",
    "orders": "orders.xlsx",
    "goods": "orders.xlsx",
    "shops": "orders.xlsx",
    "students": "students.xlsx",
    "quarters": "quarters.xlsx",
    "messy": "messy.csv",
    "shipments": "shipments.xlsx",
    "routes": "routes.xlsx",
    "staff": "staff.xlsx",
    "yearly": "yearly.xlsx",
    "monthly": "monthly.csv",
    "rides": "rides.xlsx",
}


def write_books(folder: Path) -> None:
    """Write all workbooks into `folder`."""
    text = {"销售额": lambda amount: f"{amount:,.2f}"}
    _write_xlsx(folder / "sales.xlsx", {"销售明细": sales()}, text)
    _write_xlsx(folder / "orders.xlsx", {"订单": orders(), "商品": goods(), "店铺": shops()})
    _write_xlsx(folder / "students.xlsx", {"成绩单": students()})
    _write_quarters(folder / "quarters.xlsx")
    _write_messy(folder / "messy.csv")
    _write_xlsx(folder / "shipments.xlsx", {"Orders": shipments()})
    _write_xlsx(folder / "routes.xlsx", {"运单": routes()})
    _write_xlsx(folder / "staff.xlsx", {"员工表": staff()})
    _write_xlsx(folder / "yearly.xlsx", {"年报": yearly()})
    _write_xlsx(folder / "rides.xlsx", {"行程": rides()})
    rows = [list(row.values()) for row in monthly()]
    _write_csv(folder / "monthly.csv", [list(monthly()[0]), *rows])


def _write_xlsx(
    path: Path, sheets: Mapping[str, Rows], as_text: Mapping[str, Callable[[Any], str]] | None = None
) -> None:
    with xlsxwriter.Workbook(path) as book:
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, list(rows[0]))
            for at, row in enumerate(rows, 1):
                for column, (title, value) in enumerate(row.items()):
                    if value is None:
                        continue
                    if as_text and title in as_text:
                        sheet.write_string(at, column, as_text[title](value))
                    elif isinstance(value, dt.date):
                        sheet.write_datetime(at, column, dt.datetime.combine(value, dt.time()), day)
                    else:
                        sheet.write(at, column, value)


def _write_quarters(path: Path) -> None:
    rows = quarters()
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("季度报表")
        bold = book.add_format({"bold": True})
        sheet.merge_range(0, 0, 0, 5, "2024年上半年门店收支表", bold)
        for column, title in enumerate(("门店", "城市")):
            sheet.merge_range(1, column, 2, column, title, bold)
        for column, quarter in ((2, "Q1"), (4, "Q2")):
            sheet.merge_range(1, column, 1, column + 1, quarter, bold)
            sheet.write_row(2, column, ["收入", "成本"], bold)
        for at, row in enumerate(rows, 3):
            sheet.write_row(at, 0, list(row.values()))
        totals = [sum(row[title] for row in rows) for title in list(rows[0])[2:]]
        sheet.write_row(3 + len(rows), 0, ["合计", "", *totals], bold)


def _write_messy(path: Path) -> None:
    def cell(title: str, value: Any) -> str:
        if value is None:
            return "待定" if title == "金额 " else ""
        if title == "签约日期":
            return f"{value.year}年{value.month}月{value.day}日"
        if title == "金额 ":
            return f"￥{value:,.2f}"
        if title == "折扣":
            return f"{value * 100:g}%"
        return f"({-value})" if title == "余额" and value < 0 else str(value)

    rows = [[cell(title, value) for title, value in row.items()] for row in messy()]
    _write_csv(path, [list(messy()[0]), *rows], encoding="gb18030")


def _write_csv(path: Path, rows: Sequence[Sequence[Any]], encoding: str = "utf-8") -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
