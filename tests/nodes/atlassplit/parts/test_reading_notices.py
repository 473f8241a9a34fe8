from __future__ import annotations

from pathlib import Path

from openpyxl import load_workbook

from mindatlas.nodes.atlassplit.parts.book_reader import BookReader
from mindatlas.nodes.atlassplit.parts.reading_notices import reading_notices
from tests.sheets import write_workbook


def notices(tmp_path: Path, *rows: tuple[object, ...]) -> list[str]:
    path = write_workbook(tmp_path / "sales.xlsx", [("门店", "销售额"), *rows])
    return reading_notices(BookReader(tmp_path / "cache").read([str(path)], "").card.active_table)


def test_a_plain_table_has_nothing_to_tell(tmp_path: Path) -> None:
    assert notices(tmp_path, ("a", 1), ("b", 2)) == []


def test_a_total_row_is_told_by_its_place(tmp_path: Path) -> None:
    (told,) = notices(tmp_path, ("a", 1), ("b", 2), ("合计", 3))
    assert told == "sheet '销售': 1 total row(s) left out as no data (row 4)"


def test_a_formula_that_was_never_computed_is_told(tmp_path: Path) -> None:
    assert notices(tmp_path, ("a", "=1+1"), ("b", 2), ("c", 3)) == [
        "column '销售额': 1 formula(s) without a stored value, read as missing"
    ]


def test_a_hidden_row_is_told_by_its_place(tmp_path: Path) -> None:
    path = write_workbook(tmp_path / "sales.xlsx", [("门店", "销售额"), ("a", 1), ("b", 2)])
    book = load_workbook(path)
    book.worksheets[0].row_dimensions[3].hidden = True
    book.save(path)
    told = reading_notices(BookReader(tmp_path / "cache").read([str(path)], "").card.active_table)
    assert "sheet '销售': 1 hidden row(s) left out as no data (row 3)" in told
