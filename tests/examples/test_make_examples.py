from __future__ import annotations

import runpy
from pathlib import Path

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.text_numbers import parse_number
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.atlassplit.parts.workbook_model import Books

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = ("messy.csv", "sales_by_store.xlsx", "several_sheets.xlsx", "two_level_header.xlsx")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    runpy.run_path(str(EXAMPLES / "make_examples.py"))["main"](folder)
    return folder


def _read(folder: Path, name: str, *, include_hidden: bool = False) -> Books:
    return read_workbooks([folder / name], cache=folder / "cache", include_hidden=include_hidden)


def _frames(books: Books) -> dict[str, pd.DataFrame]:
    return {table.key: read_frame(Path(table.parquet)) for table in books.card.tables}


@pytest.mark.parametrize("name", FILES)
def test_shipped_files_are_what_the_script_writes(made: Path, tmp_path: Path, name: str) -> None:
    shipped = read_workbooks([EXAMPLES / name], cache=tmp_path, include_hidden=True)
    written = _read(made, name, include_hidden=True)
    assert shipped.formats == written.formats
    for key, frame in _frames(shipped).items():
        pd.testing.assert_frame_equal(frame, _frames(written)[key])


def test_same_bytes_every_time(made: Path, tmp_path: Path) -> None:
    runpy.run_path(str(EXAMPLES / "make_examples.py"))["main"](tmp_path)
    for name in FILES:
        assert (tmp_path / name).read_bytes() == (made / name).read_bytes()


def test_sales_have_every_store_in_every_month_and_amounts_as_text(made: Path) -> None:
    books = _read(made, "sales_by_store.xlsx")
    (frame,) = _frames(books).values()
    months = frame.groupby(["门店", frame["日期"].dt.to_period("M")]).size()
    assert (frame["门店"].nunique(), len(months)) == (5, 30)
    numbers = [parse_number(text) for text in frame["销售额"]]
    assert all(numbers)
    warnings = {column.name: column.warnings for column in books.card.active_table.columns}
    assert "number_as_text:千分位" in warnings["销售额"]
    assert frame["备注"].isna().all()


def test_report_has_two_levels_and_a_true_total(made: Path) -> None:
    table = _read(made, "two_level_header.xlsx").card.active_table
    names = [column.name for column in table.columns]
    assert names == ["门店", "城市", "Q1/收入", "Q1/成本", "Q2/收入", "Q2/成本"]
    assert [row.kind for row in table.set_aside] == ["title", "total", "note"]


def test_sheets_look_up_and_hide(made: Path) -> None:
    frames = _frames(_read(made, "several_sheets.xlsx"))
    assert list(frames) == ["订单", "商品"]
    assert set(frames["订单"]["商品编号"]) <= set(frames["商品"]["商品编号"])
    assert list(_frames(_read(made, "several_sheets.xlsx", include_hidden=True))) == ["订单", "商品", "目标"]


def test_messy_export_holds_what_it_promises(made: Path) -> None:
    books = _read(made, "messy.csv")
    codes = {code for column in books.card.active_table.columns for code in column.warnings}
    assert {"number_as_text:%", "number_as_text:￥+千分位", "spaces_in_name", "id_like"} <= codes
    assert any("gb18030" in notice for notice in books.card.notices)
    kinds = [row.kind for row in books.card.active_table.set_aside]
    assert kinds == ["repeated_header", "total", "note"]
