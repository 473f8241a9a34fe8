from __future__ import annotations

from typing import Any

import pytest

from mindatlas.nodes.mindtrip.parts.fields import (
    FieldTable,
    items,
    profile_fields,
    role_of,
    to_number,
    to_span,
)
from mindatlas.nodes.text import fold


def kinds(records: list[dict[str, Any]], names: set[str] | None = None) -> dict[str, str]:
    return {field.name: field.kind for field in profile_fields(records, names or set())}


def table(records: list[dict[str, Any]], names: set[str] | None = None) -> FieldTable:
    return FieldTable(records, profile_fields(records, names or set()))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (60, 60.0),
        ("60", 60.0),
        ("60元", 60.0),
        ("￥60", 60.0),
        ("６０ 元", 60.0),
        ("4.5分", 4.5),
        ("200元/晚", 200.0),
        ("免费", 0.0),
        ("Free", 0.0),
        ("免費", 0.0),
        ("50-80元", None),
        ("约60", None),
        ("全天", None),
        ("", None),
        (True, None),
        (["60"], None),
    ],
)
def test_to_number(value: Any, number: float | None) -> None:
    assert to_number(value) == number


@pytest.mark.parametrize(
    ("value", "role", "span"),
    [
        ("08:30-17:00", "hours", (8.5, 17.0)),
        ("周一至周日 8：00—22：00", "hours", (8.0, 22.0)),
        ("18:00-02:00", "hours", (18.0, 26.0)),
        ("18:00-次日02:00", "hours", (18.0, 26.0)),
        ("全天", "hours", (0.0, 24.0)),
        ("24小时营业", "hours", (0.0, 24.0)),
        ("看天气", "hours", None),
        ("2-3小时", "duration", (2.0, 3.0)),
        ("90分钟", "duration", (1.5, 1.5)),
        ("半日", "duration", None),
        ("1天", "duration", (24.0, 24.0)),
        ("1小时 - 2天", "duration", (1.0, 48.0)),
        ("2 hours", "duration", (2.0, 2.0)),
        (3, "duration", None),
    ],
)
def test_to_span(value: Any, role: Any, span: tuple[float, float] | None) -> None:
    assert to_span(value, role) == span


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["a", "b"], ["a", "b"]),
        ("看海、冲浪；露营", ["看海", "冲浪", "露营"]),
        ("one; two|three", ["one", "two", "three"]),
        ("看海", ["看海"]),
        (60, []),
        (None, []),
        ("", []),
    ],
)
def test_items(value: Any, expected: list[str]) -> None:
    assert items(value) == expected


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("city", "city"),
        ("City", "city"),
        ("城市", "city"),
        ("門票", "price"),
        ("人均消费", "price"),
        ("评分", "rating"),
        ("营业时间", "hours"),
        ("as_of", None),
    ],
)
def test_role_of(name: str, role: str | None) -> None:
    assert role_of(name) == role


def test_kinds_of_fields() -> None:
    records = [
        {
            "price": "60元" if n % 2 else 45,
            "city": f"城{n}",
            "tags": ["看海", "冲浪"],
            "nearby": [f"地方{(n + 1) % 10}", "不认识的"],
            "facilities": ["泳池", "停车场"],
            "hours": "08:00-17:00",
            "档次": "高档" if n % 2 else "经济",
            "note": f"第{n}条说明，写得很长很长很长很长很长",
        }
        for n in range(10)
    ]
    names = {fold(f"地方{n}") for n in range(10)}
    assert kinds(records, names) == {
        "price": "number",
        "city": "choice",
        "tags": "list",
        "nearby": "relation",
        "facilities": "list",
        "hours": "span",
        "档次": "choice",
        "note": "text",
    }


def test_tags_stay_a_list_even_when_they_are_names() -> None:
    assert kinds([{"tags": ["海口", "三亚"]}], {"海口", "三亚"}) == {"tags": "list"}


def test_a_spreadsheet_cell_that_lists_entities_is_a_relation() -> None:
    assert kinds([{"周边": "石梅湾、日月湾"}], {"石梅湾", "日月湾"}) == {"周边": "relation"}


def test_fields_are_sorted_and_none_without_records() -> None:
    assert [field.name for field in profile_fields([{"b": 1}, {"a": 2}], set())] == ["a", "b"]
    assert profile_fields([], set()) == []


TABLE = table(
    [
        {"price": 60, "hours": "08:00-17:00", "city": "三亚", "tags": ["看海", "亲子"]},
        {"price": "免费", "hours": "全天", "city": "萬寧", "tags": ["看海"]},
        {"city": "三亚", "hours": "20:00-02:00"},
        {"price": 120, "city": "陵水"},
    ]
)


def rows(mask: Any) -> list[int]:
    return [int(row) for row in mask.nonzero()[0]]


def test_equal_is_folded_and_looks_into_lists() -> None:
    assert rows(TABLE.equal("city", ["万宁"])) == [1]
    assert rows(TABLE.equal("tags", ["看海"])) == [0, 1]
    assert rows(TABLE.equal("tags", ["亲子", "不存在"])) == [0]
    assert rows(TABLE.equal("nosuch", ["x"])) == []


def test_containing_finds_parts_of_values() -> None:
    assert rows(TABLE.containing("city", ["亚"])) == [0, 2]


def test_between_includes_both_ends_and_skips_what_is_not_stated() -> None:
    assert rows(TABLE.between("price", 0, 60)) == [0, 1]
    assert rows(TABLE.between("price", 61, 1e9)) == [3]
    assert rows(TABLE.between("city", 0, 1e9)) == []


def test_spans_overlap_past_midnight() -> None:
    assert rows(TABLE.overlapping("hours", 9, 9)) == [0, 1]
    assert rows(TABLE.overlapping("hours", 21, 21)) == [1, 2]
    assert rows(TABLE.overlapping("price", 100, 200)) == [3]


def test_stated() -> None:
    assert rows(TABLE.stated("price")) == [0, 1, 3]


def test_an_empty_table_has_empty_masks() -> None:
    assert FieldTable([], []).equal("city", ["三亚"]).shape == (0,)
