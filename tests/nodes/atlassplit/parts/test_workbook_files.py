"""Several files, other kinds than xlsx, and the second reading of a file."""

from __future__ import annotations

import datetime as dt
import zipfile
from pathlib import Path

import pytest

from mindatlas.nodes.atlassplit.parts import workbook
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from tests.workbooks import column as _column
from tests.workbooks import frame as _frame
from tests.workbooks import read as _read
from tests.workbooks import rows as _rows
from tests.workbooks import save as _save


def test_several_books_have_their_own_names_and_keys(tmp_path: Path) -> None:
    first = _save(tmp_path / "a.xlsx", _rows(("a", "b"), (1, 2)))
    (tmp_path / "x").mkdir()
    second = _save(tmp_path / "x" / "a.xlsx", _rows(("c", "d"), (3, 4)))
    third = tmp_path / "t.csv"
    third.write_text("e,f\n5,6\n")
    books = read_workbooks([first, second, third], cache=tmp_path / "cache")
    assert [(table.book, table.key) for table in books.card.tables] == [
        ("a.xlsx", "数据"),
        ("x/a.xlsx", "a/数据"),
        ("t.csv", "t"),
    ]
    assert [look.key for look in books.formats] == ["数据", "a/数据", "t"]
    assert [file.kind for file in books.files] == ["xlsx", "xlsx", "csv"]
    assert _frame(books, "t")["e"].tolist() == [5]
    with pytest.raises(KeyError):
        books.format_of("absent")


def test_second_reading_parses_nothing_and_is_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _save(
        tmp_path / "a.xlsx", _rows(("a", 2024, dt.date(2024, 1, 1)), (1, "x", None), ("y", 2.5, True))
    )
    first = _read(path)
    monkeypatch.setattr(workbook, "kind_of", lambda *_: pytest.fail("parsed again"))
    assert _read(path) == first
    copy = tmp_path / "b.xlsx"
    copy.write_bytes(path.read_bytes())
    assert _read(copy).card.tables[0].parquet == first.card.tables[0].parquet
    assert _read(copy).card.tables[0].book == "b.xlsx"


def test_input_is_never_changed(tmp_path: Path) -> None:
    path = _save(tmp_path / "a.xlsx", _rows(("a", "b"), (1, 2)))
    before, stamp = path.read_bytes(), path.stat().st_mtime_ns
    _read(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, stamp)


def test_csv_notices_name_the_file_and_the_choices(tmp_path: Path) -> None:
    path = tmp_path / "导出.csv"
    path.write_bytes("编号;金额\n001;1.5\n002;2.5\n".encode("gb18030"))
    books = _read(path)
    assert books.card.active == "导出"
    assert _frame(books)["编号"].tolist() == ["001", "002"]
    assert _frame(books)["金额"].sum() == 4
    assert books.card.notices[0] == "导出.csv: read as gb18030, separated by ';'"


def test_html_called_xls(tmp_path: Path) -> None:
    path = tmp_path / "erp.xls"
    rows = "<tr><th rowspan=2>店<th colspan=2>Q1</tr><tr><th>收入<th>成本</tr><tr><td>007<td>1<td>2.5</tr>"
    path.write_text(f"<html><meta charset=utf-8><table>{rows}</table></html>")
    books = _read(path)
    assert list(_frame(books).columns) == ["店", "Q1/收入", "Q1/成本"]
    assert _frame(books).iloc[0].tolist() == ["007", 1, 2.5]


def test_ods_with_errors_hidden_rows_and_merges(tmp_path: Path) -> None:
    names = {"office": "office", "table": "table", "text": "text", "calcext": "calcext"}
    spaces = " ".join(
        f'xmlns:{key}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for key, name in names.items()
    )

    def cell(text: str, extra: str = "") -> str:
        kind = f'float" office:value="{text}' if text.isdigit() else "string"
        return (
            f'<table:table-cell office:value-type="{kind}" {extra}><text:p>{text}</text:p></table:table-cell>'
        )

    covered = "<table:covered-table-cell/>"
    error = cell("", 'calcext:value-type="error"')
    rows = [
        cell("店", 'table:number-rows-spanned="2"')
        + cell("Q1", 'table:number-columns-spanned="2"')
        + covered,
        covered + cell("收") + cell("支"),
        cell("a") + cell("1") + cell("2"),
        cell("b") + error + cell("4"),
    ]
    lines = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    lines += (
        f'<table:table-row table:visibility="filter">{cell("c") + cell("5") + cell("6")}</table:table-row>'
    )
    lines += '<table:table-row table:number-rows-repeated="1048571"><table:table-cell/></table:table-row>'
    content = (
        f"<office:document-content {spaces}><office:body><office:spreadsheet>"
        f'<table:table table:name="表">{lines}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    path = tmp_path / "a.ods"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
        archive.writestr("content.xml", content)
    books = _read(path)
    frame = _frame(books)
    assert list(frame.columns) == ["店", "Q1/收", "Q1/支"]
    assert frame["店"].tolist() == ["a", "b"]
    assert _column(books, "Q1/收").errors == 1
