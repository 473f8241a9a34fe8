from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.mindtrip.parts.quantities import Quantity, find_quantities


def one(text: str) -> Quantity:
    (found,) = find_quantities(text)
    return found


@pytest.mark.parametrize(
    ("text", "role", "low", "high"),
    [
        ("评分4.5以上的景点", "rating", 4.5, None),
        ("评分４．５以上", "rating", 4.5, None),
        ("评分不低于4分", "rating", 4, None),
        ("rating above 4.5", "rating", 4.5, None),
        ("at least 4 stars", "rating", 4, None),
        ("人均100以内", "price", None, 100),
        ("人均100元以下的餐馆", "price", None, 100),
        ("人均50到100元", "price", 50, 100),
        ("门票50-80", "price", 50, 80),
        ("人均100到50元", "price", 50, 100),
        ("票价不超过两百元", "price", None, 200),
        ("房价三百五以内", "price", None, 350),
        ("预算至少500", "price", 500, None),
        ("under 200 yuan", "price", None, 200),
        ("tickets cheaper than 80 yuan", "price", None, 80),
        ("价格100左右", "price", 80, 120),
        ("人均两三百元", "price", 200, 300),
        ("人均一两百的餐馆", "price", 100, 200),
        ("门票60元", "price", 60, 60),
        ("玩两个小时", "duration", 2, 2),
        ("玩两三个小时", "duration", 2, 3),
        ("游玩90分钟以内", "duration", None, 1.5),
        ("玩至少一天", "duration", 24, None),
        ("up to 3 hours", "duration", None, 3),
        ("晚上10点还开门的", "hours", 22, 22),
        ("下午3点半营业", "hours", 15.5, 15.5),
        ("中午12点开门", "hours", 12, 12),
        ("早上8:30开放", "hours", 8.5, 8.5),
        ("open at 9 pm", "hours", 21, 21),
    ],
)
def test_limits(text: str, role: str, low: float | None, high: float | None) -> None:
    found = one(text)
    assert (found.role, found.low, found.high) == (role, low, high)


@pytest.mark.parametrize(
    "text",
    [
        "三亚有哪些景点",
        "5A景区",
        "3个景点",
        "2024年",
        "第1次去",
        "坐8路车",
        "一起去",
        "晚上10点的飞机",
        "",
        "🏄",
    ],
)
def test_a_number_without_unit_or_field_word_is_none(text: str) -> None:
    assert find_quantities(text) == []


def test_the_field_word_of_its_own_clause_decides() -> None:
    rating, price = find_quantities("评分4.5以上，人均100以内")
    assert (rating.role, rating.word) == ("rating", "评分")
    assert (price.role, price.word) == ("price", "人均")


def test_the_surface_is_the_text_as_written() -> None:
    text = "找 人均１００ 元以内 的"
    found = one(text)
    assert text[found.start : found.end] == found.surface
    assert "１００" in found.surface


@given(st.text(alphabet="评分人均门票45.０一两百元以上内到-点晚开门 ，", max_size=30))
def test_limits_are_slices_in_order_and_never_upside_down(text: str) -> None:
    start = 0
    for found in find_quantities(text):
        assert start <= found.start < found.end <= len(text)
        assert found.surface == text[found.start : found.end]
        assert found.low is None or found.high is None or found.low <= found.high
        start = found.start
