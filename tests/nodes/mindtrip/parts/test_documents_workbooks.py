from __future__ import annotations

import io
import zipfile
from datetime import date, datetime, time
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindatlas.nodes.errors import FileReadError
from tests.nodes.mindtrip.parts.loading import load

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def workbook(sheets: dict[str, list[list[object]]], *, merge: str = "") -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
        if merge:
            sheet.merge_cells(merge)
    return saved(book)


def saved(book: openpyxl.Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize("suffix", ["xlsx", "xls", "xlsm"])
def test_kinds_of_cells_are_kept(tmp_path: Path, suffix: str) -> None:
    moment = datetime(2025, 3, 5, 9, 30)  # noqa: DTZ001  cells have no time zone
    header: list[object] = ["名称", "编号", "价", "分", "日", "刻", "时", "真", "标签", "空"]
    row: list[object] = [
        "日月湾",
        1001,
        60,
        4.5,
        date(2025, 3, 5),
        moment,
        time(9, 30),
        True,
        "冲浪、露营",
        None,
    ]
    (document,) = load(tmp_path, f"a.{suffix}", workbook({"S": [header, row]}))
    assert (document.id, document.title) == ("1001", "日月湾")
    assert document.metadata == {
        **{
            "价": 60,
            "分": 4.5,
            "日": "2025-03-05",
            "刻": "2025-03-05T09:30:00",
            "时": "09:30:00",
            "真": True,
        },
        "标签": ["冲浪", "露营"],
    }
    assert type(document.metadata["价"]) is int


def test_every_sheet_with_rows_is_read_and_named(tmp_path: Path) -> None:
    sheets: dict[str, list[list[object]]] = {
        "万宁": [["名称"], ["日月湾"]],
        "空": [],
        "三亚": [["名称"], ["南山"]],
    }
    documents = load(tmp_path, "a.xlsx", workbook(sheets))
    assert [(d.title, d.metadata) for d in documents] == [
        ("日月湾", {"sheet": "万宁"}),
        ("南山", {"sheet": "三亚"}),
    ]


def test_a_single_sheet_is_not_named(tmp_path: Path) -> None:
    (document,) = load(tmp_path, "a.xlsx", workbook({"S": [["名称", "价"], ["日月湾", 0]]}))
    assert document.metadata == {"价": 0}


def test_a_table_may_start_anywhere_and_have_blank_rows(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        [],
        [None, "名称", "价"],
        [],
        [None, "a", 1],
        [None, None, None],
        [None, "b", 2],
    ]
    documents = load(tmp_path, "a.xlsx", workbook({"S": rows}))
    assert [(document.title, document.metadata) for document in documents] == [
        ("a", {"价": 1}),
        ("b", {"价": 2}),
    ]


def test_every_row_of_a_merged_range_has_its_value(tmp_path: Path) -> None:
    rows: list[list[object]] = [["名称", "城市"], ["a", "万宁"], ["b", None]]
    documents = load(tmp_path, "a.xlsx", workbook({"S": rows}, merge="B2:B3"))
    assert [document.metadata for document in documents] == [{"城市": "万宁"}] * 2


def test_a_caption_over_the_header_is_no_header(tmp_path: Path) -> None:
    rows: list[list[object]] = [["海南景点一览", None], ["名称", "价"], ["a", 1]]
    (document,) = load(tmp_path, "a.xlsx", workbook({"S": rows}, merge="A1:B1"))
    assert (document.title, document.metadata) == ("a", {"caption": "海南景点一览", "价": 1})


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([["a", None, "c"], [1, 2, 3]], "sheet 'S' row 1: column 2 has no name"),
        ([["a", "b"], [1, 2, 3]], "sheet 'S' row 1: column 3 has no name"),
        ([[None], ["a", "a"], [1, 2]], "sheet 'S' row 2: the column 'a' stands twice"),
        ([["a", "b"]], "no record"),
        ([], "no record"),
    ],
)
def test_nothing_is_silently_lost(tmp_path: Path, rows: list[list[object]], reason: str) -> None:
    with pytest.raises(FileReadError, match=rf"a\.xlsx.*{reason}"):
        load(tmp_path, "a.xlsx", workbook({"S": rows}))


def test_a_stray_cell_in_the_far_corner_is_an_error_not_the_end_of_the_process(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.worksheets[0]["A1"] = "name"
    book.worksheets[0]["XFD1048576"] = "stray"
    with pytest.raises(FileReadError, match="stray cell"):
        load(tmp_path, "a.xlsx", saved(book))


def test_old_files_with_a_broken_directory_are_an_error_not_the_end_of_the_process(tmp_path: Path) -> None:
    header = OLE + bytes(16) + b"\x3e\0\x03\0\xfe\xff\x09\0\x06\0" + bytes(10) + b"\x01\0\0\0\0\0\0\0"
    content = (header + b"\0\0\0\0\0\x10\0\0\xfe\xff\xff\xff\0\0\0\0\xfe\xff\xff\xff\0\0\0\0").ljust(
        512, b"\xff"
    )
    with pytest.raises(FileReadError, match=r"a\.xls.*damaged"):
        load(tmp_path, "a.xls", content + b"\xfd\xff\xff\xff" + b"\xff" * 60)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<html><table><tr><td>1</td></tr></table></html>", "content is text"),
        ("名称,价\na,1\n".encode(), "content is text"),
        (b"%PDF-1.7 rest", "a PDF file"),
        (b"\x01\x02\0\x03", "not Excel"),
        (b"PK\x03\x04 and no zip", "damaged"),
        (OLE + bytes(40), "damaged"),
    ],
)
@pytest.mark.parametrize("suffix", ["xlsx", "xls"])
def test_other_content_is_an_error_that_says_what_it_is(
    tmp_path: Path, suffix: str, content: bytes, reason: str
) -> None:
    with pytest.raises(FileReadError, match=rf"a\.{suffix}.*{reason}"):
        load(tmp_path, f"a.{suffix}", content)


def test_another_zip_file_is_no_workbook(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    with pytest.raises(FileReadError, match=r"no \.xlsx workbook"):
        load(tmp_path, "a.xlsx", buffer.getvalue())


@settings(max_examples=15)
@given(position=st.integers(0, 10**6), junk=st.binary(min_size=1, max_size=40))
def test_a_damaged_workbook_is_read_or_a_file_read_error(
    tmp_path_factory: pytest.TempPathFactory, position: int, junk: bytes
) -> None:
    content = bytearray(workbook({"S": [["名称", "价"], ["日月湾", 0]]}))
    start = position % len(content)
    content[start : start + len(junk)] = junk
    try:
        documents = load(tmp_path_factory.mktemp("t"), "a.xlsx", bytes(content))
    except FileReadError as error:
        assert "a.xlsx" in str(error)
    else:
        assert documents
