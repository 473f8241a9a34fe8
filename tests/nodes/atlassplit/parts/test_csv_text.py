from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.csv_text import SEPARATORS, Separator, read_delimited, sniff_separator
from mindatlas.nodes.errors import FileReadError


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_encoding_is_found_and_told(encoding: str) -> None:
    read = read_delimited("门店,金额\n朝阳店,1\n".encode(encoding), "x.csv")
    assert read.rows == [["门店", "金额"], ["朝阳店", "1"]]
    assert read.encoding == encoding
    assert encoding in read.notices[0]


def test_utf_8_comes_before_gb18030() -> None:
    data = "门店,金额".encode()
    assert data.decode("gb18030") != data.decode()
    assert read_delimited(data, "x.csv").rows == [["门店", "金额"]]


def test_neither_encoding_is_an_error() -> None:
    with pytest.raises(FileReadError, match=r"'x\.csv' is neither UTF-8 nor GB 18030"):
        read_delimited(b"caf\xe9,\xff\n", "x.csv")


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n3,5;4,5\n", ";"),
        ("名称\t说明, 备注\n甲\t一, 二\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ('a,b\n"x;y;z",2\n"p;q;r",3\n', ","),
        ("one column\nonly\n", ","),
        ("", ","),
    ],
)
def test_separator_is_sniffed(text: str, separator: Separator) -> None:
    assert sniff_separator(text) == separator


def test_declared_separator_wins_and_its_line_goes() -> None:
    read = read_delimited(b"sep=|\r\na,b|c\r\n1,2|3\r\n", "x.csv")
    assert read.rows == [["a,b", "c"], ["1,2", "3"]]


def test_ragged_rows_are_filled_and_told() -> None:
    read = read_delimited(b"a,b,c\n1,2\n3,4,5,6\n7,8,9\n", "x.csv")
    assert read.rows == [["a", "b", "c", ""], ["1", "2", "", ""], ["3", "4", "5", "6"], ["7", "8", "9", ""]]
    assert any("others: 2" in notice for notice in read.notices)


def test_titles_and_notes_do_not_count_as_ragged() -> None:
    assert len(read_delimited(b"title\n\na,b\n1,2\nnote\n", "x.csv").notices) == 1


def test_line_breaks_inside_quotes_stay() -> None:
    assert read_delimited(b'a,b\r\n"x\r\ny",1\r\n', "x.csv").rows[1] == ["x\r\ny", "1"]


def test_wrong_quotes_are_read_and_told() -> None:
    read = read_delimited(b'a,b\n"x" y,1\n', "x.csv")
    assert len(read.rows) == 2
    assert any("quotes" in notice for notice in read.notices)


_CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=8)


@given(
    rows=st.lists(st.lists(_CELLS, min_size=3, max_size=3), min_size=2, max_size=6),
    separator=st.sampled_from(SEPARATORS),
)
def test_what_the_csv_module_writes_is_read_back(rows: list[list[str]], separator: Separator) -> None:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    data = f"sep={separator}\n{text.getvalue()}".encode()
    assert read_delimited(data, "x.csv").rows == rows
