"""Files that are wrong, hostile or not there, through `read_workbooks`."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import python_calamine
from openpyxl.worksheet.worksheet import Worksheet

from mindatlas.nodes.atlassplit.parts import workbook
from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.errors import FileReadError, UsageError
from tests.workbooks import column as _column
from tests.workbooks import frame as _frame
from tests.workbooks import read as _read
from tests.workbooks import rows as _rows
from tests.workbooks import save as _save

BENCH = os.environ.get("MINDATLAS_BENCH")


def _replace_part(path: Path, part: str, change: Callable[[bytes], bytes]) -> None:
    source = zipfile.ZipFile(io.BytesIO(path.read_bytes()))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, change(content) if name == part else content)


def _hidden_sheet(sheet: Worksheet) -> None:
    sheet.append(("码", "名"))
    sheet.append(("x", "y"))
    sheet.sheet_state = "hidden"


def test_long_identifiers_stay_exact(tmp_path: Path) -> None:
    path = _save(tmp_path / "a.xlsx", _rows(("身份证", "序"), (1, 1), (2, 2)))
    ids = {b"<v>1</v>": b"<v>440101199001011234</v>", b"<v>2</v>": b"<v>440101199001011235</v>"}

    def change(content: bytes) -> bytes:
        head, _, tail = content.partition(b"B2")
        for short, long in ids.items():
            head, tail = head.replace(short, long), tail.replace(b'A3" t="n">' + short, b'A3" t="n">' + long)
        return head + b"B2" + tail

    _replace_part(path, "xl/worksheets/sheet1.xml", change)
    books = _read(path)
    assert _frame(books)["身份证"].tolist() == [440101199001011234, 440101199001011235]
    assert "id_like" in _column(books, "身份证").warnings


def test_wrong_dimension_and_broken_styles_do_not_matter(tmp_path: Path) -> None:
    path = _save(tmp_path / "a.xlsx", _rows(("a", "b"), (1, 2), (3, 4)))
    _replace_part(path, "xl/worksheets/sheet1.xml", lambda text: text.replace(b'ref="A1:B3"', b'ref="A1"'))
    _replace_part(
        path, "xl/styles.xml", lambda text: text.replace(b"<fills", b"<fillz").replace(b"</fills", b"</fillz")
    )
    assert _frame(_read(path))["b"].tolist() == [2, 4]


def test_formatted_but_empty_rows_are_bounded_by_content(tmp_path: Path) -> None:
    path = _save(tmp_path / "a.xlsx", _rows(("a", "b"), (1, 2)))
    empty = b'<row r="1048576"><c r="XFD1048576" s="0"/></row></sheetData>'
    _replace_part(path, "xl/worksheets/sheet1.xml", lambda text: text.replace(b"</sheetData>", empty))
    assert _read(path).card.active_table.rows == 1


def test_stray_far_cell_is_named_instead_of_exhausting_memory(tmp_path: Path) -> None:
    path = _save(tmp_path / "a.xlsx", _rows(("a", "b"), (1, 2)), _rows(("c", "d"), (3, 4)))
    far = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    _replace_part(path, "xl/worksheets/sheet1.xml", lambda text: text.replace(b"</sheetData>", far))
    books = _read(path)
    assert [table.sheet for table in books.card.tables] == ["第二"]
    assert any("'数据' spans more than 32,000,000 cells" in notice for notice in books.card.notices)


@pytest.mark.parametrize(("last", "read"), [("XFD300", False), ("XFD200", True)])
def test_sparse_sheet_is_named_too(tmp_path: Path, last: str, read: bool) -> None:
    path = _save(tmp_path / "a.xlsx", _rows(("a", "b"), (1, 2)))
    row = f'<row r="{last[3:]}"><c r="{last}"><v>1</v></c></row></sheetData>'.encode()
    _replace_part(path, "xl/worksheets/sheet1.xml", lambda text: text.replace(b"</sheetData>", row))
    if read:
        assert _read(path).card.active_table.rows == 2
    else:
        with pytest.raises(FileReadError, match="5 values over 4,915,200 cells"):
            _read(path)


def test_missing_empty_and_tableless_files_are_clear_errors(tmp_path: Path) -> None:
    with pytest.raises(FileReadError, match="there is no file"):
        _read(tmp_path / "absent.xlsx")
    with pytest.raises(FileReadError, match="cannot be opened"):
        _read(tmp_path)
    (tmp_path / "empty.csv").write_bytes(b"")
    with pytest.raises(FileReadError, match=r"'empty\.csv' is empty"):
        _read(tmp_path / "empty.csv")
    with pytest.raises(FileReadError, match="holds no table: its sheets are empty"):
        _read(_save(tmp_path / "blank.xlsx", _rows()))
    with pytest.raises(FileReadError, match="'第二' is hidden"):
        _read(_save(tmp_path / "hidden.xlsx", _rows(), _hidden_sheet))
    with pytest.raises(UsageError, match="no workbook"):
        read_workbooks([], cache=tmp_path)


def test_large_files_are_refused_before_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "MAX_FILE_BYTES", 2**20)
    with (tmp_path / "a.csv").open("wb") as file:
        file.truncate(2**20 + 1)
    with pytest.raises(FileReadError, match="larger than 1 MiB"):
        _read(tmp_path / "a.csv")


def test_panic_of_the_parser_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    panic = type("PanicException", (BaseException,), {})

    class Book:
        @staticmethod
        def from_filelike(_: object) -> None:
            raise panic("index out of bounds")

        from_path = from_filelike

    monkeypatch.setattr(python_calamine, "CalamineWorkbook", Book)
    with pytest.raises(FileReadError, match="damaged"):
        _read(_save(tmp_path / "a.xlsx", _rows(("a", "b"))))


def test_truncated_and_flipped_files_never_crash(tmp_path: Path) -> None:
    whole = _save(tmp_path / "a.xlsx", _rows(("a", "b"), (1, 2))).read_bytes()
    path = tmp_path / "broken.xlsx"
    for at in range(0, len(whole), 97):
        for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :]):
            path.write_bytes(damaged)
            try:
                assert _read(path).card.tables
            except FileReadError as error:
                assert "'broken.xlsx'" in str(error) or "sheet" in str(error)


@pytest.mark.skipif(not BENCH, reason="MINDATLAS_BENCH does not name the folder of benchmark data")
def test_benchmark_workbooks_give_a_table_or_a_clear_error(tmp_path: Path) -> None:
    files = sorted(Path(str(BENCH), "workbooks", "calamine").iterdir())
    assert files
    for path in files:
        try:
            books = read_workbooks([path], cache=tmp_path, include_hidden=True)
        except FileReadError as error:
            assert path.name in str(error)
            continue
        for table in books.card.tables:
            assert list(read_frame(Path(table.parquet)).columns) == [column.name for column in table.columns]
        assert books.card.to_text() and books.card.to_text(private=True)
