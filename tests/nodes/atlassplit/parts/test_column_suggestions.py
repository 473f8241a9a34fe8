from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.column_suggestions import suggest

COLUMNS = ["订单日期", "门店名称", "销量", "销售额(元)", "单价", "Customer Name", "Order Qty", "备注"]


@pytest.mark.parametrize(
    ("asked", "best"),
    [
        ("销售数量", "销量"),
        ("销售额", "销售额(元)"),
        ("日期", "订单日期"),
        ("门店", "门店名称"),
        ("customer name", "Customer Name"),
        ("CustomerName", "Customer Name"),
        ("customer", "Customer Name"),
        ("order quantity", "Order Qty"),
        ("price", "单价"),
        ("备注 ", "备注"),
        ("单 价", "单价"),
    ],
)
def test_the_nearest_name_comes_first(asked: str, best: str) -> None:
    assert suggest(asked, COLUMNS)[0].column == best


@pytest.mark.parametrize("asked", ["体重", "zzz", "供应商评级", "latitude"])
def test_below_the_threshold_nothing_is_guessed(asked: str) -> None:
    assert suggest(asked, COLUMNS) == []


def test_a_fold_alone_is_nearly_certain() -> None:
    (first, *_) = suggest("金额", ["金额 ", "数量"])
    assert first.column == "金额 "
    assert first.score >= 0.95


@given(st.text(max_size=20), st.lists(st.text(max_size=12), max_size=6))
def test_scores_lie_in_order_between_0_and_1(asked: str, columns: list[str]) -> None:
    scores = [found.score for found in suggest(asked, columns)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
