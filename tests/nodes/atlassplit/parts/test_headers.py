from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.header_names import column_labels, unique_names
from mindatlas.nodes.atlassplit.parts.headers import find_header
from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, MergedRange
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName

Rows = list[list[Cell]]


def _labels(rows: Rows, merges: Sequence[MergedRange] = ()) -> tuple[ColumnName, ...]:
    return column_labels(rows, find_header(rows, merges).levels, merges)


def test_plain_header() -> None:
    header = find_header([["门店", "金额"], ["A", 1.0], ["B", 2.0]])
    assert (header.titles, header.levels, header.body) == ((), (0,), 1)


def test_title_and_captions_stand_above() -> None:
    rows: Rows = [
        ["2024年销售表", "", ""],
        ["", "", ""],
        ["制表人：张三", "", "单位：元"],
        ["门店", "城市", "金额"],
        ["A", "北京", 1.0],
        ["B", "上海", 2.0],
    ]
    header = find_header(rows, [(0, 0, 0, 2)])
    assert (header.titles, header.levels, header.body) == ((0, 2), (3,), 4)


def test_two_levels_fill_right_and_not_down() -> None:
    rows: Rows = [
        ["门店", "Q1", "", "Q2", ""],
        ["", "收入", "成本", "收入", "成本"],
        ["A", 1.0, 2.0, 3.0, 4.0],
        ["B", 5.0, 6.0, 7.0, 8.0],
    ]
    merges = [(0, 0, 1, 0), (0, 1, 0, 2), (0, 3, 0, 4)]
    assert _labels(rows, merges) == ("门店", "Q1/收入", "Q1/成本", "Q2/收入", "Q2/成本")
    assert _labels(rows) == _labels(rows, merges), "the kinds that tell no merges give the same names"


def test_upper_level_over_a_full_lower_one() -> None:
    rows: Rows = [
        ["", "", "Q1", "", "Q2", ""],
        ["门店", "城市", "收入", "成本", "收入", "成本"],
        ["A", "北京", 1.0, 2.0, 3.0, 4.0],
    ]
    expected = ("门店", "城市", "Q1/收入", "Q1/成本", "Q2/收入", "Q2/成本")
    assert _labels(rows, [(0, 2, 0, 3), (0, 4, 0, 5)]) == expected
    assert _labels(rows) == expected


def test_short_span_does_not_reach_the_next_group() -> None:
    rows: Rows = [["店", "Q1", "", "备注"], ["", "收入", "成本", ""], ["A", 1.0, 2.0, "x"]]
    merges = [(0, 0, 1, 0), (0, 1, 0, 2), (0, 3, 1, 3)]
    assert _labels(rows, merges) == ("店", "Q1/收入", "Q1/成本", "备注")


def test_text_only_two_levels() -> None:
    rows: Rows = [["人", "", "地", ""], ["姓", "名", "省", "市"], ["张", "三", "粤", "穗"]]
    assert _labels(rows, [(0, 0, 0, 1), (0, 2, 0, 3)]) == ("人/姓", "人/名", "地/省", "地/市")


def test_title_over_repeated_names_is_no_level() -> None:
    rows: Rows = [["收支表", "", "", ""], ["店", "收入", "店", "收入"], ["A", 1.0, "B", 2.0]]
    assert _labels(rows, [(0, 0, 0, 2)]) == ("店", "收入", "店", "收入")


def test_labels_that_are_no_text() -> None:
    day = dt.date(2024, 1, 1)
    rows: Rows = [["门店", 2023.0, 2024.0, day], ["A", 1.5, 2.5, 3.5], ["B", 1.0, 2.0, 3.0]]
    assert _labels(rows) == ("门店", 2023, 2024, dt.datetime.combine(day, dt.time()))
    months: Rows = [["门店", 1.0, 2.0, 3.0], ["A", 10.0, 20.0, 30.0]]
    assert _labels(months) == ("门店", 1, 2, 3)


@pytest.mark.parametrize(
    "rows",
    [
        [[1.0, 2.0], [3.0, 4.0]],
        [[10.5, 2.0], [3.0, 4.0]],
        [["A", 30.0], ["B", 31.0]],
        [["A", 2001.0], ["B", 2002.0]],
        [["A", "1,200"], ["B", "980"]],
        [[dt.date(2024, 1, 1), 5.0], [dt.date(2024, 1, 2), 6.0]],
        [["A", True], ["B", False]],
    ],
)
def test_values_are_no_header(rows: Rows) -> None:
    assert (find_header(rows).levels, find_header(rows).body) == ((), 0)


def test_header_without_rows() -> None:
    assert find_header([["门店", "金额"]]).levels == (0,)
    assert find_header([["门店", "金额"]]).body == 1


def test_number_beside_labels_over_values_is_a_label() -> None:
    rows: Rows = [[0.0, "Name", "Age"], [1.0, "Ann", 32.0], [2.0, "Bob", 25.0]]
    assert _labels(rows) == (0, "Name", "Age")


def test_names_are_kept_as_written() -> None:
    rows: Rows = [["金额 ", "金额\n(元)", "ＡＢＣ"], [1.0, 2.0, 3.0]]
    assert _labels(rows) == ("金额 ", "金额\n(元)", "ＡＢＣ")


def test_repeated_and_missing_names() -> None:
    assert unique_names(("a", "a", "", "a", "a.1")) == ("a", "a.2", "Unnamed: 2", "a.3", "a.1")
    assert unique_names((2024, "2024", 2024)) == (2024, "2024", "2024.1")


@given(st.lists(st.one_of(st.sampled_from(["", "a", "a.1", "a.1.1", "Unnamed: 0"]), st.integers(0, 2))))
def test_names_are_unique_and_single_ones_kept(originals: list[ColumnName]) -> None:
    names = unique_names(originals)
    assert len(set(names)) == len(names) == len(originals)
    for original, name in zip(originals, names, strict=True):
        if originals.count(original) == 1 and original != "":
            assert name == original
