"""Names of sheets and files: legal, unique without case, and kept where they can be."""

from __future__ import annotations

import io

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.publishing.sheet_names import legal_file_names, legal_sheet_names

NASTY = st.text(alphabet=st.sampled_from("aAbſßİ华东[]:*?/\\' \t\x00\ud800😀."), max_size=40)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["华东/华南", "a:b"], ["华东_华南", "a_b"]),
        (["Data", "DATA", "data"], ["Data", "DATA (2)", "data (3)"]),
        (["a/b", "a_b"], ["a_b (2)", "a_b"]),
        (["'quoted'", "it's"], ["quoted", "it's"]),
        (["", "  ", "''"], ["Sheet", "Sheet (2)", "Sheet (3)"]),
        (["history", "History_"], ["history_ (2)", "History_"]),
        (["x" * 40, "x" * 31], ["x" * 27 + " (2)", "x" * 31]),
        (["店" * 40], ["店" * 31]),
        (["😀" * 20], ["😀" * 15]),
        ([], []),
    ],
)
def test_sheet_names(names: list[str], expected: list[str]) -> None:
    assert legal_sheet_names(names) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["华东/华南", "CON", "nul.x"], ["华东_华南", "_CON", "_nul.x"]),
        (["a", "A"], ["a", "A (2)"]),
        (["..", ".env", "a. "], ["table", "_.env", "a"]),
        (["../../etc/passwd"], ["_.._.._etc_passwd"]),
        (["店" * 90], ["店" * 60]),
    ],
)
def test_file_names(names: list[str], expected: list[str]) -> None:
    assert legal_file_names(names) == expected


@given(st.lists(NASTY, max_size=12))
def test_the_writer_takes_every_name(names: list[str]) -> None:
    legal = legal_sheet_names(names)
    book = xlsxwriter.Workbook(io.BytesIO())
    for name in legal:
        book.add_worksheet(name)
    assert [sheet.name for sheet in book.worksheets()] == legal


@given(st.lists(NASTY, max_size=12))
def test_names_are_unique_and_made_the_same_way_again(names: list[str]) -> None:
    for make in (legal_sheet_names, legal_file_names):
        legal = make(names)
        assert len({name.casefold() for name in legal}) == len(names)
        assert make(legal) == legal
