from __future__ import annotations

import pytest

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.mindtrip.parts.negation import (
    ExclusionReading,
    NegationReader,
    Reading,
    RuleNegationReader,
    checked,
)
from tests.nodes.mindtrip.parts.negation_names import KNOWN

NOTHING = EntityIndex({})


def read(question: str, entities: EntityIndex = KNOWN) -> ExclusionReading:
    reader: NegationReader = RuleNegationReader()
    return reader.read(question, entities)


def test_a_plain_question_comes_back_as_it_is() -> None:
    reading = read("万宁有什么冲浪的地方？")
    assert reading == ExclusionReading(
        rewritten_query="万宁有什么冲浪的地方？", exclude_entities=(), keep_only=(), reason="", reading="none"
    )


def test_a_name_said_twice_is_excluded_once() -> None:
    assert read("除了日月湾还有什么海湾？不要日月湾").exclude_entities == ("日月湾",)


def test_names_keep_their_order_over_several_cues() -> None:
    reading = read("不要石梅湾，除了日月湾还有什么海湾，神州半岛我去过了")
    assert reading.exclude_entities == ("石梅湾", "日月湾", "神州半岛")


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("我只想去日月湾，其他都不要", "日月湾"),
        ("我只想吃椰子鸡，别的都不要", "椰子鸡"),
        ("除了日月湾哪都不去", "日月湾"),
        ("Only Riyue Bay, nothing else please", "Riyue Bay"),
        ("I want nothing but the Forbidden City", "Forbidden City"),
    ],
)
def test_a_reversal_keeps_its_name_and_excludes_nothing(question: str, kept: str) -> None:
    reading = read(question)
    assert (reading.reading, reading.keep_only, reading.exclude_entities) == ("only", (kept,), ())
    assert reading.rewritten_query == question


def test_an_exclusion_beside_a_reversal_keeps_both() -> None:
    reading = read("我只想去日月湾，其他都不要，也不要推荐石梅湾的酒店")
    assert (reading.reading, reading.exclude_entities, reading.keep_only) == (
        "excluded",
        ("石梅湾",),
        ("日月湾",),
    )


@pytest.mark.parametrize(
    "question", ["除了故宫角楼咖啡还有什么咖啡馆", "故宫角楼咖啡我去过了，还有什么咖啡馆"]
)
def test_a_longer_name_than_the_known_one_is_taken_whole(question: str) -> None:
    assert read(question).exclude_entities == ("故宫角楼咖啡",)


@pytest.mark.parametrize(
    "question",
    [
        "除了日月湾景区还有什么海湾",
        "除了日月湾那边还有什么海湾",
        "不想去日月湾冲浪，还有什么海湾",
        "除了万宁日月湾还有什么海湾",
    ],
)
def test_words_around_a_known_name_do_not_make_another_name(question: str) -> None:
    assert read(question).exclude_entities == ("日月湾",)


def test_an_activity_is_excluded_only_when_the_knowledge_base_knows_it() -> None:
    assert read("除了冲浪还能玩什么", NOTHING).exclude_entities == ()
    assert read("除了冲浪还能玩什么", EntityIndex({"冲浪": []})).exclude_entities == ("冲浪",)


def test_what_only_describes_stays_in_the_query_beside_a_name() -> None:
    reading = read("推荐几个景点，不要日月湾和爬山的")
    assert reading.exclude_entities == ("日月湾",)
    assert reading.rewritten_query == "推荐几个景点，不要爬山的"


def test_names_on_both_sides_of_a_describing_word_are_cut() -> None:
    reading = read("推荐几个景点，不要日月湾、爬山的、石梅湾")
    assert reading.exclude_entities == ("日月湾",)
    assert "爬山" in reading.rewritten_query


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("万宁除了日月湾还有什么冲浪的地方？", "日月湾"),
        ("除了日月湾，石梅湾也能冲浪吗", "补充"),
        ("除了日月湾就是石梅湾", "二选一"),
        ("我只想去日月湾，其他都不要", "只要"),
        ("除了门票还要花什么钱", "门票"),
        ("Besides Riyue Bay, where can I surf?", "left out"),
        ("Besides surfing, what can I do?", "surfing"),
    ],
)
def test_the_reason_says_how_the_cue_was_read_in_the_questions_language(question: str, part: str) -> None:
    reason = read(question).reason
    assert part in reason
    assert reason.isascii() == question.isascii()


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("除了日月湾", "除了日月湾"),
        ("日月湾除外。", "日月湾除外。"),
        ("No Starbucks, please!", "No Starbucks, please!"),
    ],
)
def test_a_question_that_is_all_exclusion_keeps_its_words(question: str, rest: str) -> None:
    reading = read(question)
    assert reading.reading == "excluded"
    assert reading.rewritten_query == rest


def test_full_width_letters_and_spaces_are_read_through() -> None:
    reading = read("除了 Ｒｉｙｕｅ　Ｂａｙ ，万宁还有哪里能冲浪")
    assert reading.exclude_entities == ("Ｒｉｙｕｅ　Ｂａｙ",)
    assert reading.rewritten_query == "万宁还有哪里能冲浪"


def _claim(
    excluded: tuple[str, ...], query: str, reading: Reading = "excluded", kept: tuple[str, ...] = ()
) -> ExclusionReading:
    return ExclusionReading(
        rewritten_query=query, exclude_entities=excluded, keep_only=kept, reason="因为", reading=reading
    )


def test_checked_drops_names_that_do_not_stand_in_the_question() -> None:
    question = "万宁除了日月灣还有什么冲浪的地方？"
    held = checked(_claim(("日月湾", "石梅湾"), "万宁还有什么冲浪的地方？"), question)
    assert held.exclude_entities == ("日月灣",)
    assert held.rewritten_query == "万宁还有什么冲浪的地方？"
    assert (held.reading, held.reason) == ("excluded", "因为")


def test_checked_takes_back_an_exclusion_whose_names_are_all_invented() -> None:
    held = checked(_claim(("石梅湾",), "还有什么海湾"), "还有什么海湾？")
    assert held == ExclusionReading(
        rewritten_query="还有什么海湾？", exclude_entities=(), keep_only=(), reason="", reading="none"
    )


def test_checked_does_not_take_a_piece_of_a_word_for_a_name() -> None:
    assert checked(_claim(("art",), "smart hotels"), "smart hotels").exclude_entities == ()


@pytest.mark.parametrize("query", ["", "  ", "三亚还有什么冲浪的地方？", "冲浪的地方，万宁"])
def test_checked_gives_back_the_question_for_a_query_it_does_not_hold(query: str) -> None:
    question = "万宁除了日月湾还有什么冲浪的地方？"
    assert checked(_claim(("日月湾",), query), question).rewritten_query == question


@pytest.mark.parametrize(
    ("claimed", "excluded", "kept", "borne_out"),
    [
        ("excluded", (), (), "none"),
        ("none", ("日月湾",), (), "excluded"),
        ("only", (), ("日月湾",), "only"),
        ("only", (), ("石梅湾",), "none"),
        ("additive", (), (), "additive"),
    ],
)
def test_checked_gives_the_reading_that_the_names_bear_out(
    claimed: Reading, excluded: tuple[str, ...], kept: tuple[str, ...], borne_out: Reading
) -> None:
    question = "除了日月湾呢"
    assert checked(_claim(excluded, question, claimed, kept), question).reading == borne_out
