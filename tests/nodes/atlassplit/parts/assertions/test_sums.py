"""Sums over all rows and by group: exact, with text numbers, missing keys and total rows."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.assertions import Checked, check, from_dicts
from mindatlas.nodes.atlassplit.parts.execution import Result

SALES = pd.DataFrame(
    {
        "门店": ["朝阳店", "海淀店", "朝阳店 ", None],
        "销售额": ["￥1,000.10", "200.2", "(0.3)", "１００"],
        "数量": [1, 2, 3, 4],
    }
)
TOTAL = 1300.0  # 1000.10 + 200.2 - 0.3 + 100


def run(item: dict[str, Any], result: Result, **inputs: pd.DataFrame) -> Checked:
    (checked,) = check(
        from_dicts([item], "user"),
        inputs=inputs or {"销售": SALES},
        active=next(iter(inputs), "销售"),
        result=result,
    )
    return checked


def test_total_follows_from_text_numbers_of_the_input() -> None:
    result = pd.DataFrame({"门店": ["朝阳店", "其他"], "总额": [999.8, 300.2]})
    checked = run({"kind": "total_sum_match", "column": "总额", "input_column": "销售额"}, result)
    assert (checked.passed, checked.expected, checked.actual, checked.difference) == (True, TOTAL, TOTAL, 0)


def test_difference_is_actual_minus_expected_signed() -> None:
    low = run({"kind": "total_sum_match", "column": "数量", "expected": 12.5}, SALES)
    high = run({"kind": "total_sum_match", "column": "数量", "expected": 7}, SALES)
    assert (low.passed, low.difference) == (False, -2.5)
    assert (high.passed, high.difference) == (False, 3)


def test_cents_add_up_exactly() -> None:
    frame = pd.DataFrame({"x": [0.1, 0.2] * 50_000})
    checked = run(
        {"kind": "total_sum_match", "column": "x", "expected": 15000, "tolerance": 0}, frame, a=frame
    )
    assert checked.passed
    assert checked.difference == 0


@pytest.mark.parametrize(
    ("actual", "tolerance", "passes"),
    [
        (100.01, None, True),
        (99.99, None, True),
        (100.011, None, False),
        (100.01, 0, False),
        (104, {"relative": 0.04}, True),
        (104.1, {"relative": 0.04}, False),
        (100.5, {"absolute": 0.5, "relative": 0.001}, True),
    ],
)
def test_tolerance_is_the_larger_of_absolute_and_relative(
    actual: float, tolerance: Any, passes: bool
) -> None:
    item = {"kind": "total_sum_match", "column": "x", "expected": 100}
    item |= {} if tolerance is None else {"tolerance": tolerance}
    assert run(item, pd.DataFrame({"x": [actual]})).passed is passes


def test_a_single_number_is_its_own_sum() -> None:
    assert run({"kind": "total_sum_match", "column": "销售额"}, 1300.0).passed
    assert run({"kind": "total_sum_match", "column": "销售额"}, 1200.0).difference == -100
    assert not run({"kind": "total_sum_match", "column": "销售额"}, "many").passed


def test_several_tables_are_summed_together() -> None:
    split = {"a": SALES.iloc[:2], "b": SALES.iloc[2:]}
    assert run({"kind": "total_sum_match", "column": "销售额"}, split).passed
    assert run(
        {"kind": "total_sum_match", "column": "销售额", "table": "a"}, split
    ).difference == pytest.approx(-99.7)


def test_an_asked_for_total_row_does_not_count() -> None:
    result = pd.DataFrame({"门店": ["朝阳店", "合计"], "销售额": [1300, 1300]})
    checked = run({"kind": "total_sum_match", "column": "销售额"}, result)
    assert checked.passed
    assert "total rows" in checked.reason


def test_a_value_of_the_input_is_no_total_row() -> None:
    shops = pd.DataFrame({"门店": ["汇总", "东"], "x": [1, 2]})
    assert run({"kind": "total_sum_match", "column": "x"}, shops, a=shops).actual == 3


def test_groups_fold_their_keys_and_keep_the_missing_one() -> None:
    result = pd.DataFrame({"门店": ["朝阳店", "海淀店", np.nan], "销售额": [999.8, 200.2, 100.0]})
    assert run({"kind": "group_sums_match_total", "column": "销售额", "by": "门店"}, result).passed
    dropped = run({"kind": "group_sums_match_total", "column": "销售额", "by": "门店"}, result.iloc[:2])
    assert (dropped.passed, dropped.expected, dropped.actual, dropped.difference) == (False, 1300, 1200, -100)
    assert "'(blank)' expected 100, actual missing" in dropped.reason


def test_groups_that_trade_amounts_are_found_though_the_total_is_right() -> None:
    result = pd.DataFrame({"门店": ["朝阳店", "海淀店", None], "销售额": [999.8, 100.0, 200.2]})
    checked = run({"kind": "group_sums_match_total", "column": "销售额", "by": "门店"}, result)
    assert not checked.passed
    assert checked.difference == 0
    assert "2 of 3 groups differ" in checked.reason


def test_groups_against_given_sums() -> None:
    item = {"kind": "group_sums_match_total", "column": "数量", "by": ["门店"], "expected": {"朝阳店": 4}}
    assert run(item, SALES).passed
    assert not run(item | {"expected": {"朝阳店": 5}}, SALES).passed
    assert not run(item | {"expected": {"浦东店": 1}}, SALES).passed


def test_a_derived_group_column_leaves_the_total() -> None:
    result = pd.DataFrame({"月份": ["2024-01", "2024-02"], "数量": [6, 4]})
    checked = run({"kind": "group_sums_match_total", "column": "数量", "by": "月份"}, result)
    assert checked.passed
    assert "no '月份'" in checked.reason


@pytest.mark.parametrize(
    ("item", "result", "reason"),
    [
        ({"column": "利润"}, SALES, "there is no column '利润'; there are '门店', '销售额', '数量'"),
        ({"column": "门店"}, SALES, "holds text"),
        ({"column": "数量"}, None, "there is no result"),
        ({"column": "数量", "table": "b"}, {"a": SALES}, "no table 'b'"),
        ({"column": "x"}, pd.DataFrame([[1, 2]], columns=["x", "x"]), "2 columns are called 'x'"),
        ({"column": "x", "input_column": "利润"}, pd.DataFrame({"x": [1]}), "no input has '利润'"),
    ],
)
def test_what_cannot_be_checked_fails_with_the_reason(
    item: dict[str, Any], result: Result, reason: str
) -> None:
    checked = run({"kind": "total_sum_match", **item}, result)
    assert not checked.passed
    assert reason in checked.reason


def test_columns_are_found_folded() -> None:
    assert run({"kind": "total_sum_match", "column": "数量"}, SALES.rename(columns={"数量": "数量\n"})).passed


def test_another_input_is_used_when_only_it_has_the_column() -> None:
    goods = pd.DataFrame({"单价": [5, 5]})
    checked = run({"kind": "total_sum_match", "column": "单价"}, goods, 销售=SALES, 商品=goods)
    assert checked.passed
    twice = run({"kind": "total_sum_match", "column": "单价"}, goods, 销售=SALES, 商品=goods, 旧=goods)
    assert "several inputs" in twice.reason


@given(st.lists(st.decimals(min_value=-(10**9), max_value=10**9, places=2), max_size=30), st.integers(0, 29))
def test_any_split_keeps_the_total(amounts: list[Decimal], cut: int) -> None:
    frame = pd.DataFrame({"x": [float(amount) for amount in amounts]})
    item = {"kind": "total_sum_match", "column": "x", "tolerance": 0}
    assert run(item, {"a": frame.iloc[:cut], "b": frame.iloc[cut:]}, df=frame).passed


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.integers(-99, 99)), min_size=1, max_size=20),
)
def test_pandas_group_sums_hold_with_missing_keys_and_only_then(rows: list[tuple[str | None, int]]) -> None:
    frame = pd.DataFrame(rows, columns=["k", "v"])
    item = {"kind": "group_sums_match_total", "column": "v", "by": "k", "tolerance": 0}
    kept = frame.groupby("k", dropna=False)["v"].sum().reset_index()
    assert run(item, kept, df=frame).passed
    dropped = frame.groupby("k")["v"].sum().reset_index()
    lost = sum(value for key, value in rows if key is None)
    assert run(item, dropped, df=frame).difference == -lost
    assert run(item, dropped, df=frame).passed == (lost == 0)
