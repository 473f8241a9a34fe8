"""Tables of xlsx files as openpyxl writes them, through `read_workbooks`."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import openpyxl
import pandas as pd
import pytest
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.worksheet import Worksheet

from mindatlas.nodes.atlassplit.parts.workbook import asks_for_hidden
from tests.workbooks import column as _column
from tests.workbooks import frame as _frame
from tests.workbooks import read as _read
from tests.workbooks import rows as _rows
from tests.workbooks import save as _save


def test_values_are_kept(tmp_path: Path) -> None:
    moment = dt.datetime.combine(dt.date(2024, 1, 5), dt.time(10, 30))
    rows = _rows(
        ("码", "区域", "数", "日", "时", "真", "时长"),
        ("007", "NA", 1, dt.date(2024, 1, 5), moment, True, dt.timedelta(hours=30)),
        ("010", "None", 2.5, dt.date(2024, 1, 6), moment, False, dt.timedelta(hours=1)),
        ("011", "", None, None, None, None, None),
    )
    frame = _frame(_read(_save(tmp_path / "a.xlsx", rows)))
    assert frame["码"].tolist() == ["007", "010", "011"]
    assert frame["区域"].tolist()[:2] == ["NA", "None"]
    assert frame["区域"].isna().tolist() == [False, False, True]
    assert frame["数"].sum() == 3.5
    assert frame["日"].max() == pd.Timestamp(2024, 1, 6)
    assert frame["时"][0] == pd.Timestamp(moment)
    assert frame["真"].tolist()[:2] == [True, False]
    assert frame["时长"].sum() == pd.Timedelta(hours=31)


def test_errors_and_formulas_without_value_are_told_and_never_zero(tmp_path: Path) -> None:
    rows = _rows(("店", "比", "和"), ("a", "#DIV/0!", "=1+1"), ("b", 0.5, "=2+2"), ("c", None, 5))
    books = _read(_save(tmp_path / "a.xlsx", rows))
    ratio, total = _column(books, "比"), _column(books, "和")
    assert (ratio.errors, total.uncached) == (1, 2)
    assert "error_cells" in ratio.warnings and "uncached_formulas" in total.warnings
    assert _frame(books)["比"].isna().tolist() == [True, False, True]
    assert _frame(books)["和"].isna().tolist() == [True, True, False]
    assert "formulas without a stored value, read as missing: 2" in books.card.to_text()


def test_column_of_formulas_without_any_value_is_kept(tmp_path: Path) -> None:
    books = _read(_save(tmp_path / "a.xlsx", _rows(("a", "和"), (1, "=A2"), (2, "=A3"))))
    assert (_column(books, "和").uncached, _column(books, "和").type) == (2, "empty")


def test_dates_of_1904_and_serials_beside_dates(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    book = openpyxl.Workbook()
    book.epoch = CALENDAR_MAC_1904
    for row in (("日", "混"), (dt.date(2024, 1, 5), dt.date(2024, 1, 5)), (dt.date(2024, 1, 6), 45_351)):
        book.worksheets[0].append(row)
    book.save(path)
    books = _read(path)
    assert _frame(books)["日"].tolist() == [pd.Timestamp(2024, 1, 5), pd.Timestamp(2024, 1, 6)]
    mixed = _column(books, "混")
    assert (mixed.type, "mixed" in mixed.warnings) == ("mixed", True)
    assert _frame(books)["混"].tolist()[1] == 45_351


def test_title_two_level_header_total_and_note(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        sheet["B2"] = "2024年销售表"
        sheet.merge_cells("B2:F2")
        for cell, value in {"B4": "门店", "C4": "Q1", "E4": "Q2"}.items():
            sheet[cell] = value
        for span in ("B4:B5", "C4:D4", "E4:F4"):
            sheet.merge_cells(span)
        body: list[list[object]] = [["收入", "成本"] * 2, [10, 1, 20, 2], [30, 3, 40, 4], [40, 4, 60, 6]]
        for label, cells in zip(["", "A", "B", "合计"], body, strict=True):
            sheet.append([None, label or None, *cells])
        sheet["B11"] = "备注：含税"

    table = _read(_save(tmp_path / "a.xlsx", fill)).card.active_table
    assert [column.name for column in table.columns] == ["门店", "Q1/收入", "Q1/成本", "Q2/收入", "Q2/成本"]
    assert [(row.kind, row.row) for row in table.set_aside] == [("title", 2), ("total", 8), ("note", 11)]
    assert table.set_aside[1].text == "合计 40 4 60 6"
    assert table.rows == 2
    assert "the header is in rows 4 to 5" in table.notes


def test_repeated_and_colliding_headers_are_kept_apart_and_told(tmp_path: Path) -> None:
    books = _read(_save(tmp_path / "a.xlsx", _rows(("金额", "金额", "ABC", "ＡＢＣ", "x"), (1, 2, 3, 4, 5))))
    columns = books.card.active_table.columns
    assert [column.name for column in columns] == ["金额", "金额.1", "ABC", "ＡＢＣ", "x"]
    assert [column.original for column in columns] == ["金额", "金额", "ABC", "ＡＢＣ", "x"]
    assert ["duplicate_name" in column.warnings for column in columns] == [True, True, True, True, False]


def test_merged_groups_name_every_row_but_merged_amounts_stay_single(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        for row in (("区域", "店", "租金"), ("华东", "A", 90), (None, "B", None), ("华南", "C", 5)):
            sheet.append(row)
        sheet.merge_cells("A2:A3")
        sheet.merge_cells("C2:C3")

    books = _read(_save(tmp_path / "a.xlsx", fill))
    frame = _frame(books)
    assert frame["区域"].tolist() == ["华东", "华东", "华南"]
    assert frame["租金"].sum() == 95
    assert any("column A" in note for note in books.card.active_table.notes)


def _hide(sheet: Worksheet) -> None:
    for row in (("店", "额"), ("a", 1), ("b", 2), ("c", 3)):
        sheet.append(row)
    sheet.row_dimensions[3].hidden = True
    sheet.column_dimensions["B"].hidden = True


def _hidden_sheet(sheet: Worksheet) -> None:
    sheet.append(("码", "名"))
    sheet.append(("x", "y"))
    sheet.sheet_state = "hidden"


def test_hidden_rows_and_sheets_are_left_out_and_told(tmp_path: Path) -> None:
    books = _read(_save(tmp_path / "a.xlsx", _hide, _hidden_sheet))
    (table,) = books.card.tables
    assert _frame(books)["店"].tolist() == ["a", "c"]
    assert [(row.kind, row.row) for row in table.set_aside] == [("hidden_row", 3)]
    assert "hidden rows left out: 1" in table.notes
    assert any("'第二' is hidden" in notice for notice in books.card.notices)
    assert "hidden" in _column(books, "额").warnings


@pytest.mark.parametrize(
    ("request_text", "include"), [("包括隐藏的行", False), ("with hidden rows", False), ("", True)]
)
def test_hidden_is_read_when_asked_for(tmp_path: Path, request_text: str, include: bool) -> None:
    path = _save(tmp_path / "a.xlsx", _hide, _hidden_sheet)
    _read(path)  # the other reading is cached and must not be taken
    books = _read(path, request_text, include_hidden=include)
    assert [(table.sheet, table.hidden) for table in books.card.tables] == [("数据", False), ("第二", True)]
    assert _frame(books)["店"].tolist() == ["a", "b", "c"]


@pytest.mark.parametrize(
    "request_text", ["不要隐藏行", "忽略隐藏的工作表", "ignore the hidden sheets", "按门店汇总"]
)
def test_hidden_is_not_read_when_unwanted(request_text: str) -> None:
    assert not asks_for_hidden(request_text)


def test_sheet_named_in_the_request_is_active(tmp_path: Path) -> None:
    path = _save(tmp_path / "a.xlsx", _rows(("a", "b"), (1, 2)), _rows(("c", "d"), (3, 4)))
    assert _read(path).card.active == "数据"
    assert _read(path, "汇总第二这个表").card.active == "第二"
    assert list(_frame(_read(path, "汇总第二这个表")).columns) == ["c", "d"]


def test_tables_below_each_other_have_keys_of_their_own(tmp_path: Path) -> None:
    rows = _rows(("店", "额"), ("A", 1), ("B", 2), (), ("人", "岁"), ("张", 30))
    books = _read(_save(tmp_path / "a.xlsx", rows))
    assert [table.key for table in books.card.tables] == ["数据", "数据.2"]
    assert books.card.active == "数据"
    assert list(_frame(books, "数据.2").columns) == ["人", "岁"]
    assert "the header is in row 5" in books.card.tables[1].notes
    assert any("2 tables below each other" in notice for notice in books.card.notices)


def test_formats_are_kept_for_publishing(tmp_path: Path) -> None:
    def fill(sheet: Worksheet) -> None:
        for row in (
            ("店", "额", "率", "日"),
            ("a", 1, 0.5, dt.date(2024, 1, 1)),
            ("b", 2, 0.1, dt.date(2024, 1, 2)),
        ):
            sheet.append(row)
        for cell in sheet[1]:
            cell.font = Font(bold=True, color="FFFFFFFF", size=12, name="宋体")
            cell.fill = PatternFill("solid", fgColor="FF4472C4")
            cell.alignment = Alignment(horizontal="center")
        for number in (2, 3):
            sheet[f"B{number}"].number_format = "#,##0.00"
            sheet[f"C{number}"].number_format = "0.0%"
        sheet.column_dimensions["B"].width = 22

    looks = _read(_save(tmp_path / "a.xlsx", fill)).format_of("数据")
    assert looks.widths == (None, 22.0, None, None)
    assert looks.number_formats == ("General", "#,##0.00", "0.0%", "yyyy-mm-dd")
    header = looks.header
    assert (header.bold, header.size, header.font, header.horizontal) == (True, 12.0, "宋体", "center")
    assert (header.color, header.fill) == ("FFFFFF", "4472C4")
