from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.value_patterns import LONGEST_PATTERN, pattern_of


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("SH-0071", "AA-9999"),
        ("1234.50", "####.##"),
        ("-3", "-#"),
        ("1,234.50", "9,999.99"),
        ("12.5%", "99.9%"),
        ("朝阳店 a1", "文文文 a9"),
        ("1e+300", "9a+999"),
        ("¼ 😀 ไทย", "文 文 文文文"),
        ("", ""),
    ],
)
def test_patterns(text: str, pattern: str) -> None:
    assert pattern_of(text) == pattern


@given(st.text(max_size=60))
def test_a_pattern_is_short_final_and_tells_no_letter_or_digit(text: str) -> None:
    pattern = pattern_of(text)
    assert len(pattern) <= LONGEST_PATTERN
    assert pattern_of(pattern) == pattern
    assert all(char in "Aa9文" or not char.isalnum() for char in pattern)
