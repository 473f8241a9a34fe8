from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts import xlsx_scan
from mindatlas.nodes.atlassplit.parts.raw_sheets import Lost
from mindatlas.nodes.atlassplit.parts.xlsx_scan import column_letters, column_number, scan_sheet


def _sheet(rows: str, head: str = "", prefix: str = "") -> io.BytesIO:
    text = f"<worksheet>{head}<sheetData>{rows}</sheetData><mergeCells/></worksheet>"
    for tag in ("worksheet", "sheetData", "cols", "col", "row", "c", "v", "f"):
        text = text.replace(f"<{tag} ", f"<{prefix}{tag} ").replace(f"<{tag}>", f"<{prefix}{tag}>")
        text = text.replace(f"</{tag}>", f"</{prefix}{tag}>").replace(f"<{tag}/>", f"<{prefix}{tag}/>")
    return io.BytesIO(text.encode())


ROWS = (
    '<row r="1" hidden="0"><c r="A1" t="s" s="2"><v>0</v></c><c r="B1" s="3"><v>1</v></c></row>'
    '<row r="3" hidden="1"><c r="A3" t="e"><v>#N/A</v></c></row>'
    '<row r="4" ht="9"/><row r="5" hidden="true"/>'
    '<row r="6"><c r="A6"><f>1+1</f></c><c r="B6"><f>B1</f><v></v></c>'
    '<c r="C6"><f t="shared" si="0"/><v/></c>'
    '<c r="D6"><f>1</f><v>1</v></c><c r="E6" t="str"><f>""</f><v></v></c>'
    '<c r="F6"><v>440101199001011234</v></c>'
    '<c r="G6" t="s"><v>1234567890123456</v></c><c r="H6" s="1"/></row>'
)


@pytest.mark.parametrize("prefix", ["", "x:"])
def test_findings_of_a_sheet(prefix: str) -> None:
    head = '<cols><col min="2" max="3" width="9.5" hidden="1"/><col min="5" max="5" width="20"/></cols>'
    scan = scan_sheet(_sheet(ROWS, head, prefix))
    assert scan.hidden_rows == {2, 4}
    assert scan.hidden_columns == {1, 2}
    assert scan.widths == {1: 9.5, 2: 9.5, 4: 20.0}
    assert sorted(scan.odd_cells, key=lambda cell: cell[:2]) == [
        (2, 0, Lost.ERROR),
        (5, 0, Lost.UNCACHED),
        (5, 1, Lost.UNCACHED),
        (5, 2, Lost.UNCACHED),
        (5, 5, 440101199001011234),
    ]
    assert (scan.last_row, scan.last_column) == (5, 6)
    assert scan.styles[0, 0] == 2
    assert scan.styles[0, 1] == 3


@given(chunk=st.integers(min_value=1, max_value=len(ROWS) + 50))
def test_findings_do_not_depend_on_where_pieces_are_cut(chunk: int) -> None:
    whole = scan_sheet(_sheet(ROWS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xlsx_scan, "_CHUNK", max(chunk, 40))
        assert scan_sheet(_sheet(ROWS)) == whole


def test_cells_without_references_are_counted() -> None:
    scan = scan_sheet(_sheet('<row><c><v>1</v></c></row><row><c><v>1</v></c><c t="e"><v>#REF!</v></c></row>'))
    assert scan.odd_cells == [(1, 1, Lost.ERROR)]
    assert (scan.last_row, scan.last_column) == (1, 1)


def test_single_quoted_attributes_are_read() -> None:
    scan = scan_sheet(_sheet("<row r='2' hidden='1'><c r='B2' t='e'><v>#N/A</v></c></row>"))
    assert scan.hidden_rows == {1}
    assert scan.odd_cells == [(1, 1, Lost.ERROR)]


def test_stored_zero_counts_only_where_the_book_is_calculated() -> None:
    rows = '<row r="1"><c r="A1"><f>SUM(B1:B9)</f><v>0</v></c></row>'
    assert scan_sheet(_sheet(rows)).odd_cells == []
    assert scan_sheet(_sheet(rows), stale_zeros=True).odd_cells == [(0, 0, Lost.UNCACHED)]


def test_empty_sheet_and_no_sheet_at_all() -> None:
    assert scan_sheet(_sheet("")).last_row == -1
    assert scan_sheet(io.BytesIO(b"not xml")).odd_cells == []


@given(st.integers(min_value=0, max_value=16_383))
def test_column_letters_and_numbers_are_inverse(number: int) -> None:
    assert column_number(column_letters(number).encode()) == number


def test_known_columns() -> None:
    assert [column_letters(number) for number in (0, 25, 26, 16_383)] == ["A", "Z", "AA", "XFD"]
