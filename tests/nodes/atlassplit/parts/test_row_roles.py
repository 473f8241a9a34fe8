from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, Lost, MergedRange
from mindatlas.nodes.atlassplit.parts.row_roles import RowRoles, find_roles
from mindatlas.nodes.atlassplit.parts.total_rows import find_totals, is_total_label

Rows = list[list[Cell]]
HEADER: list[Cell] = ["区域", "门店", "金额", "数量"]


def _roles(body: Rows, merges: Sequence[MergedRange] = (), header: list[Cell] = HEADER) -> RowRoles:
    return find_roles([header, *body], 1, [0], merges)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "合计",
            "合 计",
            "总计：",
            "小计",
            "合計",
            "华东小计",
            "华东 汇总",
            "本月合计（元）",
            "合计（3家）",
        ),
        *("Total", "GRAND TOTAL", "Subtotal", "East Total", "Total 2024", "sum"),
    ],
)
def test_labels_of_totals(text: str) -> None:
    assert is_total_label(text)


@pytest.mark.parametrize("text", ["", "会计", "设计部", "统计局", "Totally", "consumer", "总部", "合计" * 30])
def test_other_texts(text: str) -> None:
    assert not is_total_label(text)


def test_total_at_the_bottom_and_between_groups() -> None:
    roles = _roles(
        [
            ["华东", "A", 10.0, 1.0],
            ["华东", "B", 20.0, 2.0],
            ["华东小计", "", 30.0, 3.0],
            ["华南", "C", 5.0, 4.0],
            ["华南小计", "", 5.0, 4.0],
            ["总计", "", 35.0, 7.0],
        ]
    )
    assert roles.set_aside == {3: "total", 5: "total", 6: "total"}
    assert roles.doubtful == ()


@pytest.mark.parametrize("total", [30.0, 30.004, "30", "￥30.00", "30.00"])
def test_sums_are_compared_as_numbers(total: Cell) -> None:
    body: Rows = [["a", 10.0], ["b", 20.0], ["合计", total]]
    assert _roles(body, header=["门店", "金额"]).set_aside == {3: "total"}


def test_a_label_alone_makes_no_total() -> None:
    body: Rows = [["a", 10.0], ["Total", 20.0], ["b", 5.0]]
    roles = _roles(body, header=["牌子", "金额"])
    assert roles.set_aside == {}
    assert roles.doubtful == (2,)


def test_average_columns_do_not_hide_a_total() -> None:
    body: Rows = [["a", 10.0, 2.0, 5.0], ["b", 20.0, 4.0, 5.0], ["合计", 30.0, 6.0, 5.0]]
    assert _roles(body, header=["店", "金额", "数量", "单价"]).set_aside == {3: "total"}


def test_blank_dimensions_make_a_total_whatever_the_numbers() -> None:
    body: Rows = [["华东", "A", 10.0, 1.0], ["华南", "B", 20.0, 2.0], ["平均及合计", "", 15.0, 1.5]]
    assert _roles(body).set_aside == {3: "total"}


@pytest.mark.parametrize("amount", [10.0, Lost.UNCACHED])
def test_total_without_stored_values(amount: Cell) -> None:
    body: Rows = [["a", amount], ["b", amount], ["合计", Lost.UNCACHED]]
    assert _roles(body, header=["店", "金额"]).set_aside == {3: "total"}


def test_means_are_no_data_either() -> None:
    body: Rows = [["a", 10.0], ["b", 20.0], ["合计", 30.0], ["平均", 15.0], ["平均油耗", 7.0]]
    roles = _roles(body, header=["店", "金额"])
    assert roles.set_aside == {3: "total", 4: "total"}


def test_total_in_the_first_row() -> None:
    body: Rows = [["全国合计", 30.0], ["a", 10.0], ["b", 20.0]]
    assert _roles(body, header=["地区", "人数"]).set_aside == {1: "total"}


def test_text_tables_have_no_totals() -> None:
    body: Rows = [["订单", "明细"], ["汇总", "按月"], ["门店", "名录"]]
    roles = _roles(body, header=["表名", "说明"])
    assert roles.set_aside == {}


def test_repeated_headers() -> None:
    body: Rows = [["华东", "A", 1.0, 1.0], list(HEADER), ["华东", "B", 2.0, 2.0]]
    assert _roles(body).set_aside == {2: "repeated_header"}


@pytest.mark.parametrize(
    "again",
    [["区域", "门店", "Q1", ""], ["", "", "收入", "成本"], ["区域", "门店", "收入", "成本"]],
)
def test_a_header_of_two_levels_comes_again_level_by_level_or_as_its_lowest_names(again: list[Cell]) -> None:
    rows: Rows = [
        ["区域", "门店", "Q1", ""],
        ["", "", "收入", "成本"],
        ["华东", "A", 1.0, 1.0],
        again,
        ["华东", "B", 2.0, 2.0],
        ["华东", "门店", "收入", "成本"],
    ]
    assert find_roles(rows, 2, [0, 1]).set_aside == {3: "repeated_header"}


def test_single_column_value_equal_to_its_header_stays() -> None:
    assert _roles([["a"], ["b"], ["a"]], header=["a"]).set_aside == {}


@pytest.mark.parametrize(
    "note", ["备注：不含税", "注：略", "数据来源: 财务", "Note: draft", "* 暂估", "制表人：李四"]
)
def test_notes_below_the_table(note: str) -> None:
    assert _roles([["华东", "A", 1.0, 1.0], [note, "", "", ""]]).set_aside == {2: "note"}


def test_single_texts_below_a_blank_row_are_notes() -> None:
    body: Rows = [
        ["华东", "A", 1.0, 1.0],
        ["", "", "", ""],
        ["以上均为含税价", "", "", ""],
        ["完", "", "", ""],
    ]
    assert _roles(body).set_aside == {3: "note", 4: "note"}


def test_sparse_last_row_is_data() -> None:
    assert _roles([["华东", "A", 1.0, 1.0], ["华南", "", "", ""]]).set_aside == {}


def test_heading_merged_over_the_table_is_set_aside() -> None:
    body: Rows = [["一、直营", "", "", ""], ["华东", "A", 1.0, 1.0]]
    assert _roles(body, merges=[(1, 0, 1, 3)]).set_aside == {1: "note"}


@given(
    amounts=st.lists(st.decimals(0, 10_000, places=2).map(float), min_size=2, max_size=12),
    cut=st.integers(min_value=1, max_value=11),
)
def test_any_true_total_is_found_and_nothing_else(amounts: list[float], cut: int) -> None:
    first, second = amounts[:cut], amounts[cut:]
    rows: Rows = [["店", "金额"]]
    rows += [[f"店{i}", amount] for i, amount in enumerate(first)]
    rows.append(["小计", sum(first)])
    rows += [[f"店{i}", amount] for i, amount in enumerate(second)]
    rows.append(["总计", sum(amounts)])
    totals, _ = find_totals(rows, 1, ())
    expected = {row for row, value in ((len(first) + 1, sum(first)), (len(rows) - 1, sum(amounts))) if value}
    assert expected <= set(totals) <= {len(first) + 1, len(rows) - 1}
