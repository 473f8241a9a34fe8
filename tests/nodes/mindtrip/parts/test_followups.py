from __future__ import annotations

from typing import Any, cast

import pytest

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.mindtrip.parts.followups import FollowUp, Turn, resolve, turn_of_history

NAMES = EntityIndex(
    {
        "日月湾": ["Riyue Bay"],
        "石梅湾": ["Shimei Bay"],
        "后海": [],
        "三亚": ["Sanya"],
        "万宁": ["Wanning"],
        "椰林酒店": [],
    }
)
CITY: dict[str, object] = {
    "fields": ["city"], "operator": "equal", "values": ["万宁"], "low": None, "high": None,
    "strength": "hard", "surface": "万宁",
}  # fmt: skip


LAST = Turn(
    query="万宁有什么冲浪的地方？",
    conditions=[CITY],
    exclude_entities=["日月湾"],
    focus=["石梅湾"],
    near=[],
    shown=["石梅湾", "后海"],
    listed=["石梅湾", "后海"],
)


def follow(question: str, **given: Any) -> FollowUp:
    return resolve(question, cast(Turn, {**LAST, **given}), NAMES)


@pytest.mark.parametrize(
    "question", ["还有别的吗", "它怎么去", "那三亚呢", "也包括日月湾", "三亚哪里能潜水？"]
)
def test_without_a_turn_before_a_question_stands_alone(question: str) -> None:
    assert resolve(question, None, NAMES) == FollowUp(question=question)


@pytest.mark.parametrize(
    "question",
    [
        "还有别的吗",
        "还有别的吗？",
        "其他的呢？",
        "还有吗",
        "还有其他推荐吗？",
        "换一个",
        "再推荐几个",
        "除了这些还有吗",
        "Any others?",
        "anything else?",
        "What else?",
        "another one please",
        "Besides those?",
    ],
)
def test_others_take_over_the_question_and_leave_out_what_was_shown(question: str) -> None:
    found = follow(question)
    assert found.question == "万宁有什么冲浪的地方？"
    assert found.inherits_conditions
    assert found.exclude_entities == ("日月湾",)
    assert set(found.already_shown) == {"石梅湾", "后海"}
    assert found.reason


def test_others_with_content_of_their_own_are_a_new_query_that_inherits() -> None:
    found = follow("还有别的可以露营的海湾吗？")
    assert found.question == "还有别的可以露营的海湾吗？"
    assert found.inherits_conditions
    assert found.exclude_entities == ("日月湾",)
    assert "石梅湾" in found.already_shown


@pytest.mark.parametrize(
    ("question", "resolved"),
    [
        ("它怎么去？", "石梅湾怎么去？"),
        ("那里适合带孩子吗", "石梅湾适合带孩子吗"),
        ("这个地方要门票吗", "石梅湾要门票吗"),
        ("Is it free?", "Is 石梅湾 free?"),
        ("how do I get to that place?", "how do I get to 石梅湾?"),
        ("怎么去？", "石梅湾怎么去？"),
        ("要门票吗？", "石梅湾要门票吗？"),
    ],
)
def test_a_pronoun_stands_for_the_subject_of_the_last_turn(question: str, resolved: str) -> None:
    assert follow(question).question == resolved


def test_a_pronoun_beside_a_name_of_its_own_stays() -> None:
    assert follow("后海好玩吗，它怎么去？").question == "后海好玩吗，它怎么去？"
    assert follow("它怎么去？", focus=[]).question == "它怎么去？"


@pytest.mark.parametrize(
    ("question", "resolved"),
    [
        ("那三亚呢？", "三亚有什么冲浪的地方？"),
        ("三亚呢", "三亚有什么冲浪的地方？"),
        ("what about Sanya?", "Sanya有什么冲浪的地方？"),
    ],
)
def test_the_last_question_asked_of_another_place(question: str, resolved: str) -> None:
    found = follow(question)
    assert found.question == resolved
    assert found.already_shown == ()


def test_a_swap_keeps_what_was_excluded() -> None:
    """Whoever wants no 日月湾 has not changed their mind by naming another town."""
    assert follow("那三亚呢？").exclude_entities == ("日月湾",)


@pytest.mark.parametrize(
    ("question", "resolved"),
    [
        ("第二个怎么去？", "后海怎么去？"),
        ("第1个要门票吗", "石梅湾要门票吗"),
        ("How do I get to the second one?", "How do I get to 后海?"),
    ],
)
def test_an_ordinal_stands_for_what_the_last_answer_listed(question: str, resolved: str) -> None:
    assert follow(question).question == resolved


@pytest.mark.parametrize(
    "question", ["第三个怎么样，贵吗", "第二天去哪里玩？", "Where can I surf for the first time?"]
)
def test_what_picks_nothing_from_the_list_stays(question: str) -> None:
    assert follow(question, listed=["石梅湾"]).question == question


@pytest.mark.parametrize(
    ("question", "near"),
    [
        ("周边有什么酒店？", ("石梅湾",)),
        ("附近有餐馆吗", ("石梅湾",)),
        ("它附近有餐馆吗", ("石梅湾",)),
        ("后海附近有酒店吗", ()),
    ],
)
def test_the_surroundings_are_those_of_the_last_subject(question: str, near: tuple[str, ...]) -> None:
    assert follow(question).near == near


def test_others_nearby_keep_the_anchor() -> None:
    found = follow("周边还有别的酒店吗？", focus=["椰林酒店"], near=["石梅湾"], shown=["椰林酒店"])
    assert found.near == ("石梅湾",)
    assert set(found.already_shown) == {"椰林酒店", "石梅湾"}


@pytest.mark.parametrize(
    "question",
    [
        "也包括日月湾",
        "也包括日月湾吧。",
        "算上日月湾",
        "加上日月湾",
        "不排除日月湾",
        "also include 日月湾",
        "Include 日月湾 too.",
    ],
)
def test_an_exclusion_is_lifted(question: str) -> None:
    found = follow(question, exclude_entities=["日月湾", "后海"])
    assert found.question == "万宁有什么冲浪的地方？"
    assert found.exclude_entities == ("后海",)
    assert found.inherits_conditions


@pytest.mark.parametrize(
    ("excluded", "question"),
    [("Riyue Bay", "also include 日月湾"), ("日月湾", "also include Riyue Bay"), ("日月灣", "也包括日月湾")],
)
def test_an_exclusion_is_lifted_under_any_name_of_its_entity(excluded: str, question: str) -> None:
    assert follow(question, exclude_entities=[excluded]).exclude_entities == ()


@pytest.mark.parametrize("question", ["加上石梅湾，三天怎么安排？", "包括后海在内的海湾有哪些？"])
def test_what_lifts_nothing_is_no_request_to_lift(question: str) -> None:
    assert follow(question).question == question


@pytest.mark.parametrize(
    "question", ["三亚哪里能潜水？", "石梅湾有民宿吗？", "Where can I dive in Sanya?", "🏄", "推荐一个餐馆"]
)
def test_a_question_that_does_not_lean_on_the_turn_stands_alone(question: str) -> None:
    assert follow(question) == FollowUp(question=question)


def test_a_conversation_held_elsewhere_becomes_a_turn() -> None:
    found = turn_of_history(
        [
            {"role": "user", "content": "万宁有什么海湾？"},
            {"role": "assistant", "content": "日月湾和Shimei Bay。"},
            {"role": "user", "content": "后海呢"},
        ],
        NAMES,
    )
    assert found is not None
    assert found["query"] == "后海呢"
    assert found["shown"] == ["万宁", "日月湾", "石梅湾", "后海"]
    assert found["focus"] == ["后海"]


def test_a_conversation_without_a_question_is_no_turn() -> None:
    assert turn_of_history([], NAMES) is None
    assert turn_of_history([{"role": "assistant", "content": "日月湾"}], NAMES) is None
