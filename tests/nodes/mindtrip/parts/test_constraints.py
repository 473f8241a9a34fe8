from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from mindatlas.nodes.mindtrip.parts.conditions import Condition, satisfied
from mindatlas.nodes.mindtrip.parts.constraints import ConstraintReader, ConstraintReading
from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.mindtrip.parts.fields import FieldTable, profile_fields
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase

RECORDS: list[dict[str, Any]] = [
    {"城市": "三亚", "类别": "景点", "门票": 60, "评分": 4.5, "特色": ["看海", "亲子"]},
    {"城市": "三亚", "类别": "景点", "门票": 0, "评分": 4.0, "特色": ["看海"]},
    {"城市": "三亚", "类别": "餐馆", "人均": 80, "评分": 4.7, "特色": ["海鲜"], "营业时间": "10:00-22:00"},
    {"城市": "万宁", "类别": "海湾", "门票": 0, "评分": 4.6, "特色": ["冲浪"], "游玩时间": "2小时 - 3小时"},
    {"城市": "万宁", "类别": "酒店", "人均": 300, "评分": 4.2, "特色": ["亲子"]},
]
NAMES = {
    "日月湾": ["Riyue Bay"],
    "蜈支洲岛": ["Wuzhizhou"],
    "万宁": ["Wanning"],
    "海鲜": [],
    "三亚海景餐馆": [],
}
TABLE = FieldTable(RECORDS, profile_fields(RECORDS, set()))
READER = ConstraintReader(TABLE, EntityIndex(NAMES))


def read(question: str) -> ConstraintReading:
    return READER.read(question)


def by_field(question: str) -> dict[str, Condition]:
    return {"/".join(condition.fields): condition for condition in read(question).conditions}


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("三亚有什么景点", ("三亚",)),
        ("三亞有什麼景點", ("三亚",)),
        ("万宁和三亚哪个好玩", ("三亚", "万宁")),
        ("Which sights does Wanning have?", ("万宁",)),
    ],
)
def test_a_named_place_is_hard(question: str, values: tuple[str, ...]) -> None:
    condition = by_field(question)["城市"]
    assert (condition.strength, sorted(condition.values)) == ("hard", sorted(values))


def test_a_city_inside_the_name_of_a_subject_is_no_condition() -> None:
    reading = read("三亚海景餐馆怎么样")
    assert reading.named == ("三亚海景餐馆",)
    assert "城市" not in {field for condition in reading.conditions for field in condition.fields}


@pytest.mark.parametrize(
    ("question", "values", "strength"),
    [
        ("有什么海鲜", ("海鲜",), "soft"),
        ("想找带孩子去的地方", ("亲子",), "soft"),
        ("places to surf", ("冲浪",), "soft"),
    ],
)
def test_tags_are_soft(question: str, values: tuple[str, ...], strength: str) -> None:
    condition = by_field(question)["特色"]
    assert (condition.values, condition.strength) == (values, strength)


def test_a_tag_that_no_record_has_is_no_condition() -> None:
    assert "特色" not in by_field("想去露营 camping")


@pytest.mark.parametrize(
    ("question", "strength"),
    [
        ("想找个餐馆", "firm"),
        ("酒店附近有餐馆吗，推荐一个", "firm"),
        ("餐馆和夜晚", "soft"),
        ("哪里好玩", "soft"),
    ],
)
def test_the_kind_of_place_asked_for(question: str, strength: str) -> None:
    assert by_field(question)["类别"].strength == strength


def test_the_last_kind_named_is_the_one_asked_for() -> None:
    assert by_field("推荐酒店附近的餐馆")["类别"].values == ("餐馆",)
    assert by_field("推荐餐馆附近的酒店")["类别"].values == ("酒店",)


@pytest.mark.parametrize(
    ("question", "field", "low", "high"),
    [
        ("找评分4.5以上的景点", "评分", 4.5, None),
        ("门票100以内的景点", "门票", None, 100),
        ("人均50到100元的餐馆", "人均", 50, 100),
        ("100元以内的地方", "人均/门票", None, 100),
        ("门票免费的景点", "门票", 0, 0),
        ("不要钱的景点", "人均/门票", 0, 0),
        ("找free entry的景点", "人均/门票", 0, 0),
        ("晚上9点还营业的餐馆", "营业时间", 21, 21),
        ("玩2小时以内的景点", "游玩时间", None, 2),
    ],
)
def test_limits(question: str, field: str, low: float | None, high: float | None) -> None:
    condition = by_field(question)[field]
    assert (condition.low, condition.high, condition.strength) == (low, high, "firm")


@pytest.mark.parametrize(
    ("question", "field", "operator"),
    [
        ("评分最高的景点", "评分", "highest"),
        ("the best-rated sight", "评分", "highest"),
        ("最便宜的酒店", "人均/门票", "lowest"),
        ("便宜的酒店", "人均/门票", "cheap"),
        ("不要太贵的酒店", "人均/门票", "cheap"),
    ],
)
def test_superlatives_order_and_filter_nothing(question: str, field: str, operator: str) -> None:
    condition = by_field(question)[field]
    assert (condition.operator, condition.strength) == (operator, "soft")


def test_a_value_of_a_choice_field_is_found_with_and_without_its_last_character() -> None:
    records: list[dict[str, Any]] = [{"档次": "高档型"}, {"档次": "经济型"}] * 5
    table = FieldTable(records, profile_fields(records, set()))
    reader = ConstraintReader(table, EntityIndex({}))
    for question in ("找一家高档型的酒店", "找一家高档的酒店"):
        (condition,) = reader.read(question).conditions
        assert condition.strength == "firm"
        assert satisfied(condition, table).tolist() == [True, False] * 5


def test_beside_a_named_subject_firm_conditions_become_soft() -> None:
    strengths = {condition.strength for condition in read("日月湾推荐哪个评分4.5以上的酒店").conditions}
    assert "firm" not in strengths


def test_the_surroundings_of_a_subject_keep_their_conditions_firm() -> None:
    reading = read("日月湾附近有什么人均100以内的餐馆")
    assert reading.nearby
    assert reading.named == ("日月湾",)
    assert {condition.strength for condition in reading.conditions} == {"firm"}


@pytest.mark.parametrize(
    ("question", "nearby"),
    [("日月湾附近的酒店", True), ("hotels near Riyue Bay", True), ("日月湾的酒店", False)],
)
def test_nearby(question: str, nearby: bool) -> None:
    assert read(question).nearby is nearby


def test_named_subjects_are_entities_that_are_no_label() -> None:
    assert read("Riyue Bay和蜈支洲岛哪个好").named == ("日月湾", "蜈支洲岛")
    assert read("万宁的海鲜").named == ()


@pytest.mark.parametrize("question", ["", "🏄", "你好", "天气怎么样"])
def test_a_question_without_conditions(question: str) -> None:
    assert read(question) == ConstraintReading(conditions=(), named=(), nearby=False)


def test_no_fields_no_conditions() -> None:
    reader = ConstraintReader(FieldTable([], []), EntityIndex({}))
    assert reader.read("三亚评分4.5以上的免费景点").conditions == ()


SAME_VALUE = """
from mindatlas.nodes.mindtrip.parts.constraints import ConstraintReader
from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.mindtrip.parts.fields import FieldTable, profile_fields
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
records = [{"price": "中档", "设施": "中档", "tags": ["中档"], "rating": "中档"}] * 5
reader = ConstraintReader(FieldTable(records, profile_fields(records, set())), EntityIndex({}))
print([condition.fields for condition in reader.read("找个中档的").conditions])
"""


@pytest.mark.slow
def test_a_value_of_several_fields_is_read_in_one_order() -> None:
    """A set of field roles has another order in each process."""
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SAME_VALUE],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in range(6)
    }
    assert len(outputs) == 1, outputs


@pytest.mark.parametrize(
    "question", ["万宁除了冲浪还能玩什么", "万宁不要冲浪的地方", "What to do in 万宁 besides surfing?"]
)
def test_an_activity_left_out_is_a_condition_not_a_name(places: KnowledgeBase, question: str) -> None:
    (left_out,) = [c for c in places.constraint_reader.read(question).conditions if c.operator == "without"]
    assert (left_out.values, left_out.strength) == (("冲浪",), "firm")
    mask = satisfied(left_out, places.table)
    assert not mask[places.rows["riyue"]]
    assert mask[places.rows["palace"]]
