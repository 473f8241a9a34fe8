from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.text_numbers import date_pattern, parse_number


@pytest.mark.parametrize(
    ("text", "value", "patterns"),
    [
        ("1234", "1234", ["普通"]),
        ("1,234.50", "1234.50", ["千分位"]),
        ("￥1,200", "1200", ["￥", "千分位"]),
        ("¥-5", "-5", ["￥"]),
        ("$1,234,567.8", "1234567.8", ["￥", "千分位"]),
        ("12.5%", "0.125", ["%"]),
        ("(300)", "-300", ["括号负数"]),
        ("（1,300.5）", "-1300.5", ["全角", "括号负数", "千分位"]),
        ("１２３", "123", ["全角"]),
        ("1.2万", "12000", ["万"]),
        ("3亿元", "300000000", ["元", "亿"]),
        ("80元", "80", ["元"]),
        (" 7 ", "7", ["空格"]),
        ("-0.5", "-0.5", ["普通"]),
        ("1e3", "1000", ["普通"]),
    ],
)
def test_numbers(text: str, value: str, patterns: list[str]) -> None:
    number = parse_number(text)
    assert number is not None
    assert (number.value, list(number.patterns)) == (Decimal(value), patterns)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "abc",
        "1,23",
        "12,34,567",
        "(5",
        "5)",
        "--5",
        "-￥-5",
        "1.2.3",
        "2024-01-05",
        "12:30",
        "5 个",
        "1,5",
    ],
)
def test_other_texts_are_no_numbers(text: str) -> None:
    assert parse_number(text) is None


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**12), max_value=10**12))
def test_written_numbers_are_read_back_exactly(value: Decimal) -> None:
    shown = f"{abs(value):,}"
    sign = "-" if value < 0 else ""
    for text in (f"{sign}{shown}", f"{sign}￥{shown}", f"￥{sign}{shown}", f"{sign}{shown} 元"):
        number = parse_number(text)
        assert number is not None and number.value == value
    bracketed = parse_number(f"({shown})")
    assert bracketed is not None and bracketed.value == -abs(value)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("2024-01-05", "YYYY-MM-DD"),
        ("2024/1/5 10:30", "YYYY/MM/DD"),
        ("2024.1.5", "YYYY.MM.DD"),
        ("2024年1月5日", "YYYY年M月D日"),
        ("２０２４年１月５日", "YYYY年M月D日"),
        ("2024年3月", "YYYY年M月"),
        ("2024-03", "YYYY-MM"),
        ("5/1/2024", "D/M/YYYY or M/D/YYYY"),
        ("20240105", "YYYYMMDD"),
        ("20241305", None),
        ("12345678", None),
        ("1.5", None),
        ("一月", None),
        ("", None),
    ],
)
def test_date_patterns(text: str, pattern: str | None) -> None:
    assert date_pattern(text) == pattern
