"""Cells whose references say to lie beyond all others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.stray_cells import has_strays
from mindatlas.nodes.atlassplit.parts.xlsx_scan import column_letters


def strays(piece: bytes, row: int = 12, column: bytes = b"C") -> bool:
    return has_strays(piece, last_row=b"%d" % row, last_column=column)


@pytest.mark.parametrize(
    "cell",
    [
        b'<c r="D1"><v>1</v></c>',
        b'<c s="1" r="AA1" t="s"><v>1</v></c>',
        b"<x:c r = 'A13'><v>1</v></x:c>",
        b'<c r="XFD1048576"><v>1</v></c>',
        b'<c r="a1"><v>1</v></c>',
        b'<c r="A100"><v>1</v></c>',
        b'<!-- <c r="A1"> -->',
        b'<c r="$A$1"><v>1</v></c>',
    ],
)
def test_a_cell_beyond_the_last_or_out_of_the_ordinary_is_a_stray(cell: bytes) -> None:
    assert strays(b'<row r="1"><c r="A1"><v>1</v></c>' + cell)


@pytest.mark.parametrize(
    "cell",
    [
        b'<c r="C12"><v>1</v></c>',
        b'<c r="B9" t="s"><v>1</v></c>',
        b'<c r="D40" s="2"/>',
        b'<row r="99" spans="1:9">',
    ],
)
def test_cells_within_and_cells_without_a_value_are_none(cell: bytes) -> None:
    assert not strays(cell)


@given(*[st.integers(0, 16_383)] * 2, *[st.integers(1, 1_048_576)] * 2)
def test_places_are_compared_as_numbers(column: int, last_column: int, row: int, last_row: int) -> None:
    cell = b'<c r="%b%d"><v>1</v></c>' % (column_letters(column).encode(), row)
    assert strays(cell, last_row, column_letters(last_column).encode()) == (
        column > last_column or row > last_row
    )
