from __future__ import annotations

from pytest import MonkeyPatch

from mindatlas.nodes.atlassplit.parts import html_tables
from mindatlas.nodes.atlassplit.parts.html_tables import read_html_tables


def test_cells_of_a_plain_table() -> None:
    (table,) = read_html_tables(b"<table><tr><th>a</th><th>b</th></tr><tr><td>1<td>2</table>", "x.xls")
    assert table.rows == [["a", "b"], ["1", "2"]]


def test_spans_become_merged_ranges() -> None:
    header = "<tr><th rowspan=2>门店<th colspan=2>Q1</tr><tr><th>收入<th>成本</tr>"
    page = f"<table>{header}<tr><td>A<td>1<td>2</table>"
    (table,) = read_html_tables(page.encode("gb18030"), "x.xls")
    assert table.rows == [["门店", "Q1", ""], ["", "收入", "成本"], ["A", "1", "2"]]
    assert table.merges == [(0, 0, 1, 0), (0, 1, 0, 2)]


def test_layout_tables_give_way_to_the_inner_one() -> None:
    page = b"<table><tr><td>menu<table><tr><td>x</td></tr></table></td></tr></table><table><tr><td>y</table>"
    assert [table.rows for table in read_html_tables(page, "x.xls")] == [[["x"]], [["y"]]]


def test_white_space_is_folded_and_breaks_are_kept() -> None:
    (table,) = read_html_tables(b"<table><tr><td>\n  a&nbsp;&amp; b <br/> c\n</td></tr></table>", "x.xls")
    assert table.rows == [["a & b\nc"]]


def test_hostile_spans_are_bounded(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(html_tables, "MAX_SPANNED_CELLS", 100)
    page = b"<table><tr><td rowspan=9999999 colspan=999>a</td><td colspan=99999999999>b</td></tr></table>"
    (table,) = read_html_tables(page, "x.xls")
    assert table.merges == []
    assert table.rows[0][-1] == "b"


def test_page_without_cells_has_no_table() -> None:
    assert read_html_tables(b"<html><table><tr><td> </td></tr></table></html>", "x.xls") == []
