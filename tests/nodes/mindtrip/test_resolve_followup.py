from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.followups import Turn
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.resolve_followup import LONGEST_QUESTION, Out, resolve_followup
from mindatlas.prompts import version

TURN = Turn(
    query="万宁有什么冲浪的地方？",
    conditions=[],
    exclude_entities=["日月湾"],
    focus=["石梅湾"],
    near=[],
    shown=["石梅湾"],
    listed=["石梅湾"],
)


def run(parts: MindTripParts, question: Any, **state: Any) -> Out:
    given: Any = {"question": question, **state}
    return resolve_followup(given, parts)


def test_a_question_that_stands_alone(parts: MindTripParts) -> None:
    update = run(parts, " 万宁哪里能冲浪？\n", filters={"city": "万宁"})
    assert update["resolved_question"] == "万宁哪里能冲浪？"
    assert update["asked_filters"] == {"city": "万宁"}
    assert update["inherited"] == {"conditions": [], "exclude_entities": []}
    assert update["already_shown"] == update["near"] == update["notices"] == []
    assert update["model"] == "builtin"


def test_a_follow_up_takes_over_and_says_so(parts: MindTripParts) -> None:
    update = run(parts, "还有别的吗", turn=TURN)
    assert update["resolved_question"] == TURN["query"]
    assert update["inherited"]["exclude_entities"] == ["日月湾"]
    assert update["already_shown"] == ["石梅湾"]
    assert any(TURN["query"] in notice for notice in update["notices"])


def test_a_follow_up_of_a_conversation_held_elsewhere(parts: MindTripParts) -> None:
    history = [{"role": "user", "content": "石梅湾好玩吗"}, {"role": "assistant", "content": "好玩。"}]
    assert run(parts, "它怎么去？", history=history)["resolved_question"] == "石梅湾怎么去？"


def test_a_turn_of_the_thread_comes_before_the_history(parts: MindTripParts) -> None:
    history = [{"role": "user", "content": "后海好玩吗"}]
    assert run(parts, "它怎么去？", history=history, turn=TURN)["resolved_question"] == "石梅湾怎么去？"


def test_what_the_turn_before_left_in_the_state_is_cleared(parts: MindTripParts) -> None:
    update = run(parts, "三亚哪里能潜水？", turn=TURN)
    for name in (
        "passages",
        "citations",
        "claims",
        "faults",
        "candidates",
        "hits",
        "set_aside",
        "exclude_entities",
    ):
        assert update[name] == []
    assert (update["answer"], update["stop_reason"], update["attempts"], update["widened"]) == (
        "",
        "",
        0,
        False,
    )


def test_the_filters_are_those_given_for_this_question(parts: MindTripParts) -> None:
    assert run(parts, "还有别的吗", filters={"city": "三亚"}, turn=TURN)["asked_filters"] == {"city": "三亚"}
    assert run(parts, "还有别的吗", shown_filters={"city": "万宁"}, turn=TURN)["asked_filters"] == {}


@pytest.mark.parametrize("question", ["", " ", "\n\t", None, 7])
def test_an_empty_question_is_refused(parts: MindTripParts, question: Any) -> None:
    with pytest.raises(UsageError, match="empty"):
        run(parts, question)


def test_a_question_that_is_too_long_says_how_long_it_may_be(parts: MindTripParts) -> None:
    assert run(parts, "湾" * LONGEST_QUESTION)["resolved_question"]
    with pytest.raises(UsageError, match=r"10,000 characters; at most 4,000"):
        run(parts, "湾" * 10_000)


@pytest.mark.parametrize(
    "history",
    [
        [{"role": "user"}],
        [{"role": "user", "content": None}],
        ["好玩吗"],
        [{"role": "user", "content": ["x"]}],
    ],
)
def test_a_history_of_another_form_is_bad_input(parts: MindTripParts, history: Any) -> None:
    with pytest.raises(UsageError, match="history"):
        run(parts, "它怎么去？", history=history)


def test_simulated_faults_are_labelled(parts: MindTripParts) -> None:
    faulty = replace(parts, settings=replace(parts.settings, model="faulty:1"))
    assert any("imulated" in notice for notice in run(faulty, "哪里能冲浪？")["notices"])


def test_the_notice_of_a_reranker_that_is_missing_is_shown(parts: MindTripParts) -> None:
    assert run(replace(parts, reranker_notice="no weights"), "哪里能冲浪？")["notices"] == ["no weights"]


def test_prompt_versions_are_those_of_the_prompts_that_are_rendered(parts: MindTripParts) -> None:
    assert run(parts, "哪里能冲浪？")["prompt_versions"] == {}
    chat = replace(
        parts, settings=replace(parts.settings, model="openai:any", base_url="http://127.0.0.1:9/v1")
    )
    names = ("mindtrip/answer", "mindtrip/rewrite_negation")
    assert run(chat, "哪里能冲浪？")["prompt_versions"] == {name: version(name) for name in names}


def test_the_bounds_of_the_loops_come_from_the_settings(parts: MindTripParts) -> None:
    once = replace(parts, settings=replace(parts.settings, attempts=1, disabled=("widen",)))
    update = run(once, "哪里能冲浪？")
    assert (update["attempts_allowed"], update["may_widen"]) == (1, False)
