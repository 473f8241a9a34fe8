from __future__ import annotations

import json
import math
from typing import Any

import pytest

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.conditions import (
    Condition,
    filter_conditions,
    parse_filter,
    preference,
    satisfied,
    shown,
)
from mindatlas.nodes.mindtrip.parts.fields import FieldTable, profile_fields

RECORDS: list[dict[str, Any]] = [
    {"city": "三亚", "门票": 60, "人均": 100, "评分": 4.5, "tags": ["看海", "亲子"], "hours": "08:00-17:00"},
    {"city": "万宁", "门票": "免费", "评分": 4.9, "tags": ["看海"], "hours": "全天"},
    {"city": "陵水", "人均": 30, "评分": 4.1, "hours": "20:00-02:00"},
    {"city": "三亚"},
]
TABLE = FieldTable(RECORDS, profile_fields(RECORDS, set()))


def rows(condition: Condition) -> list[int]:
    return [int(row) for row in satisfied(condition, TABLE).nonzero()[0]]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (Condition(fields=("city",), operator="equal", values=("三亞",)), [0, 3]),
        (Condition(fields=("city",), operator="equal", values=("三亚", "陵水")), [0, 2, 3]),
        (Condition(fields=("city",), operator="contains", values=("宁",)), [1]),
        (Condition(fields=("tags",), operator="equal", values=("亲子",)), [0]),
        (Condition(fields=("门票",), operator="between", high=60), [0, 1]),
        (Condition(fields=("门票",), operator="between", low=60), [0]),
        (Condition(fields=("门票", "人均"), operator="between", high=50), [1, 2]),
        (Condition(fields=("hours",), operator="overlaps", low=22, high=22), [1, 2]),
        (Condition(fields=("评分",), operator="highest"), [0, 1, 2]),
        (Condition(fields=("人均",), operator="cheap"), [2]),
        (Condition(fields=(), operator="equal", values=("三亚",)), []),
    ],
)
def test_satisfied(condition: Condition, expected: list[int]) -> None:
    assert rows(condition) == expected


def test_cheap_is_at_most_the_median_and_nothing_where_no_row_states_a_number() -> None:
    table = FieldTable([{"price": 10}, {"price": 20}, {"price": 90}], profile_fields([{"price": 1}], set()))
    cheap = Condition(fields=("price",), operator="cheap")
    assert satisfied(cheap, table).tolist() == [True, True, False]
    empty = FieldTable([{}, {}], profile_fields([{"price": 1}], set()))
    assert satisfied(cheap, empty).tolist() == [False, False]


def test_preference_puts_the_extreme_first_and_what_is_not_stated_last() -> None:
    best = preference([Condition(fields=("评分",), operator="highest")], TABLE)
    assert best.argsort()[::-1].tolist()[:3] == [1, 0, 2]
    assert best[3] == -math.inf
    cheapest = preference([Condition(fields=("门票", "人均"), operator="lowest")], TABLE)
    assert sorted(range(4), key=lambda row: -cheapest[row]) == [1, 2, 0, 3]
    assert (
        preference([Condition(fields=("city",), operator="equal", values=("三亚",))], TABLE).tolist()
        == [0] * 4
    )


def test_a_condition_comes_back_from_json() -> None:
    condition = Condition(
        fields=("门票", "人均"), operator="between", low=1, high=2, strength="hard", surface="1到2元"
    )
    assert Condition.from_dict(json.loads(json.dumps(condition.to_dict()))) == condition


def test_shown() -> None:
    conditions = [
        Condition(fields=("city",), operator="equal", values=("三亚",)),
        Condition(fields=("门票", "人均"), operator="between", low=10, high=60),
        Condition(fields=("评分",), operator="between", low=4.5),
        Condition(fields=("tags",), operator="equal", values=("看海", "亲子")),
        Condition(fields=("价格",), operator="lowest"),
    ]
    assert shown(conditions) == {
        "city": "三亚",
        "门票/人均": {"min": 10, "max": 60},
        "评分": {"min": 4.5},
        "tags": ["看海", "亲子"],
        "价格": "lowest",
    }
    assert shown([]) == {}


def test_two_conditions_on_one_field_are_both_shown() -> None:
    """The caller's own filter must not vanish behind what the question says of the same field."""
    two = shown(
        [
            Condition(fields=("门票",), operator="between", high=100, strength="filter"),
            Condition(fields=("门票",), operator="between", low=50),
        ]
    )
    assert "100" in str(two)
    assert "50" in str(two)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("city=三亚", ("city", "三亚")),
        (" city = 三亚 ", ("city", "三亚")),
        ("price<=100", ("price", "<=100")),
        ("price >= 1.5", ("price", ">=1.5")),
        ("price<100", ("price", "<100")),
        ("price>100", ("price", ">100")),
        ("title=a=b", ("title", "a=b")),
    ],
)
def test_parse_filter(text: str, expected: tuple[str, str]) -> None:
    assert parse_filter(text) == expected


@pytest.mark.parametrize("text", ["三亚", "city=", "=三亚", "", "city"])
def test_what_is_no_filter_is_named(text: str) -> None:
    with pytest.raises(UsageError, match="field=value") as raised:
        parse_filter(text)
    assert repr(text) in str(raised.value)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"city": "三亚"}, [0, 3]),
        ({"CITY": "三亞"}, [0, 3]),
        ({"城市": "三亚"}, [0, 3]),
        ({"city": ["三亚", "万宁"]}, [0, 1, 3]),
        ({"门票": 60}, [0]),
        ({"门票": "60"}, [0]),
        ({"门票": "<=60"}, [0, 1]),
        ({"门票": "<60"}, [1]),
        ({"门票": ">0"}, [0]),
        ({"门票": ">=0"}, [0, 1]),
        ({"price": "<=50"}, [1, 2]),
        ({"rating": ">= 4.5"}, [0, 1]),
        ({"tags": "亲子"}, [0]),
        ({"门票": "贵"}, []),
    ],
)
def test_filters(filters: dict[str, Any], expected: list[int]) -> None:
    (condition,) = filter_conditions(filters, TABLE)
    assert condition.strength == "filter"
    assert rows(condition) == expected


def test_a_filter_on_an_unknown_field_lists_the_fields() -> None:
    with pytest.raises(UsageError, match=r"'天气'.*city.*评分"):
        filter_conditions({"天气": "晴"}, TABLE)
    with pytest.raises(UsageError, match="fields are: none"):
        filter_conditions({"city": "三亚"}, FieldTable([], []))


def test_a_filter_that_compares_with_no_number_is_refused() -> None:
    with pytest.raises(UsageError, match="'便宜', which is no number"):
        filter_conditions({"门票": "<=便宜"}, TABLE)


def test_no_filters_are_no_conditions() -> None:
    assert filter_conditions({}, TABLE) == []
