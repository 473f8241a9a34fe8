from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.errors import FileReadError
from tests.nodes.mindtrip.parts.loading import load

CELLS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=8)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_each_row_is_a_document(tmp_path: Path, encoding: str) -> None:
    content = "名称,价格,编号,标签,简介\n日月湾,0,007,冲浪、露营,浪大\n石梅湾,12.5,8,,\n"
    one, two = load(tmp_path, "spots.csv", content.encode(encoding))
    assert (one.id, one.title, one.text) == ("007", "日月湾", "浪大")
    assert one.metadata == {"价格": 0, "标签": ["冲浪", "露营"]}
    assert (two.id, two.text, two.metadata) == ("8", "", {"价格": 12.5})


@pytest.mark.parametrize("separator", [",", "\t", ";", "|"])
@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_the_separator_is_found_whatever_the_suffix(tmp_path: Path, separator: str, suffix: str) -> None:
    rows = [["name", "note", "price"], ["a", '"x, y; z"', "1"], ["b", "", "2"]]
    content = "".join(separator.join(row) + "\r\n" for row in rows)
    documents = load(tmp_path, f"a.{suffix}", content)
    assert [document.metadata for document in documents] == [{"note": "x, y; z", "price": 1}, {"price": 2}]


def test_a_separator_inside_cells_does_not_mislead(tmp_path: Path) -> None:
    documents = load(tmp_path, "a.csv", "name;opening hours;price\na;9,30;1,5\nb;8,00;2\n")
    assert documents[0].metadata == {"opening hours": "9,30", "price": "1,5"}


def test_one_column_is_a_table_too(tmp_path: Path) -> None:
    assert [document.text for document in load(tmp_path, "a.csv", "text\n一\n二\n")] == ["一", "二"]


def test_cells_may_hold_line_breaks_and_quotes(tmp_path: Path) -> None:
    (document,) = load(tmp_path, "a.csv", 'name,text\na,"one\n""two"""\n')
    assert document.text == 'one\n"two"'


def test_blank_rows_and_unnamed_empty_columns_are_skipped(tmp_path: Path) -> None:
    documents = load(tmp_path, "a.csv", "name,price,,\na,1,,\n\n,,,\nb,2,,\n")
    assert [document.metadata for document in documents] == [{"price": 1}, {"price": 2}]


def test_codes_and_words_stay_text(tmp_path: Path) -> None:
    content = "title,phone,batch,year\n1984,13800138000,01,2020\nb,2,12,2021\n"
    one, two = load(tmp_path, "a.csv", content)
    assert one.title == "1984"
    assert one.metadata == {"phone": "13800138000", "batch": "01", "year": 2020}
    assert two.metadata == {"phone": "2", "batch": "12", "year": 2021}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("a,b\n1,2\n3\n", "line 3: 1 cells where the header has 2"),
        ("a,b\n1,2\n3,4,5\n", "line 3: 3 cells where the header has 2"),
        ('a,b\n"x\ny",2\n3\n', "line 4: 1 cells"),
        ("text\n你好, 世界\n", "line 2: 2 cells where the header has 1"),
        ("a,,c\n1,,3\n", "line 1: column 2 has no name"),
        ("a,\n1,2\n", "line 1: column 2 has no name"),
        ("a,b, a\n1,2,3\n", "line 1: the column 'a' stands twice"),
        ('a,b\n"x,2\n3,4\n', "row from line 2"),
        ('a,b\n"x"y,2\n', "row from line 2"),
        ("a,b\n", "no record"),
    ],
)
def test_nothing_is_silently_lost(tmp_path: Path, content: str, reason: str) -> None:
    with pytest.raises(FileReadError, match=rf"spots\.csv.*{reason}"):
        load(tmp_path, "spots.csv", content)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5))
def test_every_cell_comes_back(tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str]]) -> None:
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"'

    content = "title,phone\n" + "".join(f"{quoted(one)},{quoted(two)}\n" for one, two in rows)
    documents = load(tmp_path_factory.mktemp("t"), "a.csv", content)
    assert [(document.title, document.metadata["phone"]) for document in documents] == rows
