"""Workbooks that make calamine abort the process: each was found by damaging a healthy file."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter

from mindatlas.nodes.atlassplit.parts import sheet_probe
from mindatlas.nodes.atlassplit.parts.sheet_probe import SheetProbe
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.atlassplit.parts.workbook_model import Books
from mindatlas.nodes.errors import FileReadError, SetupError

FIRST, SECOND = "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml"


def _workbook(path: Path, sheets: int = 3) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for number in range(1, sheets + 1):
        sheet = book.create_sheet(f"s{number}")
        for row in (("店", "额"), ("a", number), ("b", 2)):
            sheet.append(list(row))
    book.save(path)
    return path


def _change(path: Path, part: str, change: Callable[[bytes], bytes]) -> None:
    source = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, change(content) if name == part else content)


def _lie_about_a_cell(text: bytes) -> bytes:
    """Put a cell into row 2 that says to lie in the farthest corner; the cell behind it does not."""
    return text.replace(b'r="A2"', b'r="XFD1048576"')


def _read(path: Path) -> Books:
    return read_workbooks([path], cache=path.parent / "cache")


@pytest.mark.parametrize("part", [FIRST, SECOND])
def test_a_sheet_that_would_end_the_process_is_left_out_and_told(tmp_path: Path, part: str) -> None:
    path = _workbook(tmp_path / "a.xlsx")
    _change(path, part, _lie_about_a_cell)
    books = _read(path)
    bad = "s1" if part == FIRST else "s2"
    assert [table.sheet for table in books.card.tables] == [
        name for name in ("s1", "s2", "s3") if name != bad
    ]
    assert f"a.xlsx: sheet {bad!r} is damaged, or made to use up memory" in books.card.notices


def test_a_count_that_would_end_the_process_on_opening_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(path) as book:  # openpyxl may keep texts in the sheets
        book.add_worksheet().write_row(0, 0, ["店", "额"])
    lie = b'uniqueCount="4294967295"'
    _change(path, "xl/sharedStrings.xml", lambda text: re.sub(rb'uniqueCount="\d+"', lie, text))
    with pytest.raises(FileReadError, match=r"'a\.xlsx' cannot be read: it is damaged, or made to use up"):
        _read(path)


def test_a_child_that_cannot_begin_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_probe, "_SITE", str(tmp_path))
    with pytest.raises(SetupError, match="ended with code 1: check that"):
        _read(_workbook(tmp_path / "a.xlsx"))


def test_a_sheet_wider_than_any_is_told_before_it_is_read(tmp_path: Path) -> None:
    path = _workbook(tmp_path / "a.xlsx", sheets=2)
    _change(path, FIRST, lambda text: text.replace(b'r="B2"', b'r="CBA2"').replace(b'r="B3"', b'r="XFE3"'))
    books = _read(path)
    assert [table.sheet for table in books.card.tables] == ["s2"]
    assert any("'s1' has cells beyond row 1,048,576 or column XFD" in notice for notice in books.card.notices)


def test_sheets_may_be_asked_for_in_part_and_behind_one_that_ends_the_child(tmp_path: Path) -> None:
    path = _workbook(tmp_path / "a.xlsx")
    _change(path, SECOND, _lie_about_a_cell)
    with SheetProbe(path.read_bytes(), "xlsx") as probe:
        assert probe.opens()
        assert [probe.reads(place) for place in (0, 2)] == [True, True]
    with SheetProbe(path.read_bytes(), "xlsx") as probe:
        assert probe.opens()
        assert [probe.reads(place) for place in (0, 1, 2)] == [True, False, True]
