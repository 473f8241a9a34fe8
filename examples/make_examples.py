"""Writes the example workbooks beside this file: `python examples/make_examples.py [FOLDER]`.

Fixed seeds and dates, so the files change only when this script does. What each of them has to teach is what
real workbooks hold: amounts stored as text, empty columns, merged headers, totals, notes, hidden sheets.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import xlsxwriter
from xlsxwriter.format import Format
from xlsxwriter.workbook import Workbook
from xlsxwriter.worksheet import Worksheet

STORES = {"朝阳店": "北京", "海淀店": "北京", "徐汇店": "上海", "浦东店": "上海", "天河店": "广州"}
GOODS = {
    "P001": ("气泡水", "饮料", 6.5),
    "P002": ("燕麦奶", "饮料", 18.0),
    "P003": ("坚果礼盒", "零食", 128.0),
    "P004": ("挂耳咖啡", "饮料", 59.9),
    "P005": ("海苔脆片", "零食", 15.8),
    "P006": ("保温杯", "日用", 89.0),
}
MONTHS = 6
ORDERS_A_MONTH = 8
CREATED = dt.datetime(2024, 7, 1)  # noqa: DTZ001 (workbook properties have no time zone)


def main(folder: Path) -> None:
    """Write all example files into `folder`."""
    write_sales_by_store(folder / "sales_by_store.xlsx")
    write_two_level_header(folder / "two_level_header.xlsx")
    write_several_sheets(folder / "several_sheets.xlsx")
    write_messy_csv(folder / "messy.csv")


def write_sales_by_store(path: Path) -> None:
    """Write one sheet of orders over six months; the amounts are text and the remarks are empty."""
    random_numbers = random.Random(7)
    with _workbook(path) as book:
        sheet = book.add_worksheet("销售明细")
        _header(book, sheet, ["订单号", "日期", "门店", "城市", "商品", "数量", "单价", "销售额", "备注"])
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        price_format = book.add_format({"num_format": "#,##0.00"})
        for row, (number, date, store) in enumerate(_orders(random_numbers), 1):
            name, _, price = random_numbers.choice(list(GOODS.values()))
            count = random_numbers.randint(5, 60)
            sheet.write_string(row, 0, f"SO{number:06d}")
            sheet.write_datetime(row, 1, date, day)
            sheet.write_row(row, 2, [store, STORES[store], name, count])
            sheet.write_number(row, 6, price, price_format)
            sheet.write_string(row, 7, f"{count * price:,.2f}")
        sheet.set_column(0, 1, 12)
        sheet.set_column(7, 8, 14)
        sheet.freeze_panes(1, 0)


def write_two_level_header(path: Path) -> None:
    """Write a quarterly report: a title, a merged two-level header, a total row and a note."""
    random_numbers = random.Random(11)
    with _workbook(path) as book:
        sheet = book.add_worksheet("季度报表")
        bold = book.add_format({"bold": True, "align": "center", "valign": "vcenter", "bg_color": "#DDEBF7"})
        money = book.add_format({"num_format": "#,##0.00"})
        sheet.merge_range(0, 0, 0, 5, "2024年上半年门店收支表（单位：元）", bold)
        for column, text in enumerate(["门店", "城市"]):
            sheet.merge_range(1, column, 2, column, text, bold)
        for column, quarter in ((2, "Q1"), (4, "Q2")):
            sheet.merge_range(1, column, 1, column + 1, quarter, bold)
            sheet.write_row(2, column, ["收入", "成本"], bold)
        bounds = [(80_000, 200_000), (50_000, 80_000)] * 2
        rows = [[round(random_numbers.uniform(*bound), 2) for bound in bounds] for _ in STORES]
        for row, (store, amounts) in enumerate(zip(STORES, rows, strict=True), 3):
            sheet.write_row(row, 0, [store, STORES[store]])
            sheet.write_row(row, 2, amounts, money)
        _write_totals(sheet, 3 + len(rows), rows, bold, money)
        sheet.write_string(5 + len(rows), 0, "备注：成本不含房租；数据来源：财务系统。")
        sheet.set_column(0, 5, 13)


def write_several_sheets(path: Path) -> None:
    """Write orders that name goods by code, the sheet to look them up in, and a hidden sheet of targets."""
    random_numbers = random.Random(13)
    with _workbook(path) as book:
        orders = book.add_worksheet("订单")
        _header(book, orders, ["订单号", "下单日期", "门店", "商品编号", "数量"])
        day = book.add_format({"num_format": "yyyy-mm-dd"})
        for row, (number, date, store) in enumerate(_orders(random_numbers), 1):
            orders.write_string(row, 0, f"SO{number:06d}")
            orders.write_datetime(row, 1, date, day)
            orders.write_row(
                row, 2, [store, random_numbers.choice(list(GOODS)), random_numbers.randint(1, 40)]
            )
        goods = book.add_worksheet("商品")
        _header(book, goods, ["商品编号", "商品名称", "类别", "单价"])
        for row, (code, facts) in enumerate(GOODS.items(), 1):
            goods.write_row(row, 0, [code, *facts])
        targets = book.add_worksheet("目标")
        _header(book, targets, ["门店", "半年目标"])
        for row, store in enumerate(STORES, 1):
            targets.write_row(row, 0, [store, random_numbers.randrange(20_000, 60_000, 1_000)])
        targets.hide()


def write_messy_csv(path: Path) -> None:
    """Write an export in GB 18030 with most of what makes exports hard to read."""
    rows = [
        ["编号", "区域", "签约日期", "金额 ", "折扣", "余额", "联系电话"],
        ["001", "华东", "2024年1月5日", "￥1,200.00", "12.5%", "(300)", "13800000001"],
        ["002", "NA", "2024年1月18日", "￥980.50", "8%", "1,050", "13800000002"],
        ["003", "华南", "2024年2月2日", "￥15,300.00", "10%", "２００", "13800000003"],
        ["编号", "区域", "签约日期", "金额 ", "折扣", "余额", "联系电话"],
        ["004", "华北", "2024年2月20日", "￥640.00", "5%", "(75.5)", "13800000004"],
        ["005", "华东", "2024年3月9日", "￥7,025.75", "0%", "880", "13800000005", "电话已核实"],
        ["合计", "", "", "￥25,146.25", "", "1,754.5", ""],
        [],
        ["备注：余额为负表示预付。"],
    ]
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    path.write_bytes(text.getvalue().encode("gb18030"))


def _orders(random_numbers: random.Random) -> Iterator[tuple[int, dt.datetime, str]]:
    """Yield number, date and store of each order, by date; every store has orders in every month."""
    orders = [
        (dt.datetime(2024, month, random_numbers.randint(1, 28)), store)  # noqa: DTZ001 (as in a cell)
        for month in range(1, MONTHS + 1)
        for store in STORES
        for _ in range(ORDERS_A_MONTH)
    ]
    for number, (date, store) in enumerate(sorted(orders, key=lambda order: order[0]), 1):
        yield number, date, store


def _write_totals(sheet: Worksheet, row: int, rows: list[list[float]], bold: Format, money: Format) -> None:
    sheet.write_row(row, 0, ["合计", ""], bold)
    for column, amounts in enumerate(zip(*rows, strict=True), 2):
        letter = "ABCDEF"[column]
        formula = f"=SUM({letter}4:{letter}{row})"
        sheet.write_formula(row, column, formula, money, round(sum(amounts), 2))


def _header(book: Workbook, sheet: Worksheet, names: list[str]) -> None:
    style = book.add_format({"bold": True, "font_color": "#FFFFFF", "bg_color": "#4472C4", "align": "center"})
    sheet.write_row(0, 0, names, style)


def _workbook(path: Path) -> Workbook:
    book = xlsxwriter.Workbook(path)
    book.set_properties({"created": CREATED})
    return book


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
