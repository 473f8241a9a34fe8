from __future__ import annotations

import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.atlassplit.parts.book_reader import BookReader, inputs_of
from mindatlas.nodes.errors import FileReadError
from tests.sheets import write_workbook


@pytest.fixture
def workbook(tmp_path: Path) -> Path:
    return write_workbook(tmp_path / "sales.xlsx")


def read(workbook: Path) -> tuple[BookReader, list[dict[str, Any]]]:
    reader = BookReader(workbook.parent / "cache")
    return reader, [asdict(file) for file in reader.read([str(workbook)], "汇总").files]


def test_what_was_read_is_recalled_though_the_file_is_gone(workbook: Path) -> None:
    reader, files = read(workbook)
    workbook.unlink()
    assert reader.recall(files, "汇总").card.active == "销售"


def test_another_process_reads_the_same_again(workbook: Path) -> None:
    first, files = read(workbook)
    other = BookReader(workbook.parent / "cache")
    assert other.recall(files, "汇总") == first.recall(files, "汇总")


def test_a_file_that_has_changed_since_is_noticed(workbook: Path) -> None:
    _, files = read(workbook)
    write_workbook(workbook, [("a", "b"), (1, 2)])
    with pytest.raises(FileReadError, match="has changed since the run began"):
        BookReader(workbook.parent / "cache").recall(files, "汇总")


def test_a_cache_that_was_deleted_is_made_again(workbook: Path) -> None:
    _, files = read(workbook)
    shutil.rmtree(workbook.parent / "cache")
    assert BookReader(workbook.parent / "cache").recall(files, "汇总").card.active == "销售"


def test_one_workbook_has_sheets_and_no_books(workbook: Path) -> None:
    reader, files = read(workbook)
    inputs = inputs_of(reader.recall(files, "汇总"))
    assert (list(inputs.frames), inputs.active, inputs.books) == (["销售"], "销售", None)


def test_several_workbooks_are_books_too(workbook: Path) -> None:
    other = write_workbook(workbook.with_name("other.xlsx"))
    books = BookReader(workbook.parent / "cache").read([str(workbook), str(other)], "汇总")
    inputs = inputs_of(books)
    assert inputs.books is not None
    assert {book: list(sheets) for book, sheets in inputs.books.items()} == {
        "sales.xlsx": ["销售"],
        "other.xlsx": ["销售"],
    }


def test_a_request_may_ask_for_hidden_rows(workbook: Path) -> None:
    reader = BookReader(workbook.parent / "cache")
    assert reader.hidden_in("包括隐藏的行")
    assert not reader.hidden_in("按门店汇总")
    assert BookReader(workbook.parent / "cache", include_hidden=True).hidden_in("按门店汇总")
