from __future__ import annotations

import math
from datetime import date, datetime, time

import pytest

from mindatlas.nodes.mindtrip.parts.documents_values import (
    Value,
    as_text,
    flatten,
    is_code_column,
    parse_number,
    split_list,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", 12), ("-3", -3), ("0", 0), ("4.50", 4.5), ("0.5", 0.5), ("999999999999999", 999999999999999)],
)
def test_plain_numbers(text: str, value: float) -> None:
    parsed = parse_number(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "007",
        "1,200",
        "1e5",
        "+86",
        "12元",
        "1.",
        ".5",
        "1.2.3",
        "",
        "-",
        "１２",
        "12 ",
        "1234567890123456",
        "nan",
    ],
)
def test_what_is_not_plainly_a_number_stays_text(text: str) -> None:
    assert parse_number(text) == text


@pytest.mark.parametrize(
    ("name", "cells", "expected"),
    [
        ("价格", ["12", "7"], False),
        ("批次", ["12", "007"], True),
        ("order_id", ["12"], True),
        ("userId", ["12"], True),
        ("商品编号", ["12"], True),
        ("电话", ["12"], True),
        ("Phone", ["12"], True),
        ("hotel", ["12"], False),
        ("paid", ["12"], False),
        ("rating", ["0.5", "0"], False),
    ],
)
def test_code_columns(name: str, cells: list[str], expected: bool) -> None:
    assert is_code_column(name, cells) is expected


@pytest.mark.parametrize(
    ("value", "flat"),
    [
        (None, None),
        (" ", None),
        ([], None),
        ([None, ""], None),
        ({}, None),
        (math.nan, None),
        (math.inf, "inf"),
        (0, 0),
        (False, False),
        (1.5, 1.5),
        (" a ", "a"),
        (["a", 1, 2.0, True], ["a", "1", "2", "True"]),
        ({"a": 1, "b": {"c": "d"}, "e": None}, "a: 1; b: c: d"),
        ([{"a": 1}, ["b", "c"]], ["a: 1", "b、c"]),
        (date(2025, 3, 5), "2025-03-05"),
        (datetime(2025, 3, 5, 9, 30), "2025-03-05T09:30:00"),  # noqa: DTZ001  cells have no time zone
        (time(9, 30), "09:30:00"),
    ],
)
def test_flatten(value: object, flat: Value | None) -> None:
    result = flatten(value)
    assert result == flat
    assert type(result) is type(flat)


def test_split_list_drops_empty_and_repeated_items() -> None:
    assert split_list(" a、b, a；;c|d｜\ne") == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("value", "text"), [(None, ""), (["a", "b"], "a、b"), (1001.0, "1001"), (1.5, "1.5")]
)
def test_as_text(value: Value | None, text: str) -> None:
    assert as_text(value) == text
