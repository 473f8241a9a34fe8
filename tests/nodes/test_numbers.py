from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.numbers import NUMBER, parse_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("60", 60),
        ("4.5", 4.5),
        ("1,200", 1200),
        ("６０", 60),
        ("零", 0),
        ("十", 10),
        ("十五", 15),
        ("二十", 20),
        ("二十五", 25),
        ("一百零五", 105),
        ("一百二十五", 125),
        ("两百", 200),
        ("两百五", 250),
        ("三千五", 3500),
        ("一千二百五", 1250),
        ("一万", 10_000),
        ("一万五", 15_000),
        ("一万零五", 10_005),
        ("两万三千", 23_000),
        ("十二万", 120_000),
        ("二〇二五", 2025),
        ("半", 0.5),
        ("兩百", 200),
    ],
)
def test_numbers(text: str, value: float) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize("text", ["", " ", "很多", "一些", "3个", "十元", "nan", "inf", "infinity", "1_000"])
def test_what_is_no_number(text: str) -> None:
    assert parse_number(text) is None


def written(number: int) -> str:
    """Return a number below 10,000 in Chinese numerals, in full."""
    digits, units = "零一二三四五六七八九", ["", "十", "百", "千"]
    text = "".join(
        digits[int(digit)] + (units[place] if digit != "0" else "")
        for place, digit in zip(range(len(str(number)) - 1, -1, -1), str(number), strict=True)
    )
    return re.sub("零+", "零", text).rstrip("零") or "零"


@given(st.integers(min_value=0, max_value=9999))
def test_every_number_below_ten_thousand_in_full(number: int) -> None:
    assert parse_number(written(number)) == number
    assert parse_number(str(number)) == number


@pytest.mark.parametrize(
    ("text", "found"), [("评分4.5以上", ["4.5"]), ("两三百元", ["两三百"]), ("没有", [])]
)
def test_the_pattern_finds_whole_numbers(text: str, found: list[str]) -> None:
    assert re.findall(NUMBER, text) == found
