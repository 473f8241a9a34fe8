"""Answers of users are read in every shape that pages and programs send them in."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from langchain.agents.middleware.human_in_the_loop import HITLRequest
from pydantic import TypeAdapter

from mindatlas.nodes.workdesk.parts.calls import Choice, Clarification
from mindatlas.nodes.workdesk.parts.clarifications import Answer, clarification, read_answer

TODAY = date(2026, 6, 17)
TEAMS = [
    Choice(value="T-017", label="东区抢修组 (T-017, 滨江站)"),
    Choice(value="T-018", label="东区抢修组一班 (T-018, 滨江站)"),
]


def asked(kind: str, choices: list[Choice] | None = None) -> Clarification:
    args = {"order_id": "WO-1"}
    return clarification(kind, "key", "问题？", choices or [], tool="order_get", args=args)


def decisions(**decision: Any) -> dict[str, Any]:
    return {"decisions": [decision]}


@pytest.mark.parametrize(
    "answer",
    ["T-018", "t-018", "东区抢修组一班", "东区抢修组一班 (T-018, 滨江站)", "2", 2, "第二个", " 一班。", "选 T-018 吧",
     {"value": "T-018"}, {"text": "东区抢修组一班"}, decisions(type="respond", message="T-018"),
     [{"type": "response", "args": "2"}]],
)  # fmt: skip
def test_a_choice_is_read(answer: Any) -> None:
    assert read_answer(asked("which_name", TEAMS), answer, TODAY) == Answer(value="T-018")


@pytest.mark.parametrize(
    "answer", ["", "3", "0", "东区", "西区", None, [], {}, "T-017 或 T-018", decisions(type="approve")]
)
def test_what_names_no_one_choice_is_asked_again(answer: Any) -> None:
    assert read_answer(asked("which_name", TEAMS), answer, TODAY) is None


def test_a_whole_name_is_chosen_though_it_is_part_of_another() -> None:
    assert read_answer(asked("which_name", TEAMS), "东区抢修组", TODAY) == Answer(value="T-017")


@pytest.mark.parametrize(
    "answer", ["no", "取消", "都不是", "none of these", False, decisions(type="reject"), [{"type": "ignore"}]]
)
@pytest.mark.parametrize("kind", ["which_name", "approve_call", "time_range", "missing_argument"])
def test_declining_is_read(kind: str, answer: Any) -> None:
    assert read_answer(asked(kind), answer, TODAY) == Answer(declined=True)


@pytest.mark.parametrize(
    "answer", ["yes", "好的", "同意！", True, decisions(type="approve"), [{"type": "accept", "args": None}]]
)
def test_approval_is_read(answer: Any) -> None:
    assert read_answer(asked("approve_call"), answer, TODAY) == Answer(value="approve")


def test_approval_by_its_choices() -> None:
    choices = [Choice(value="approve", label="执行"), Choice(value="reject", label="不执行")]
    assert read_answer(asked("approve_call", choices), "1", TODAY) == Answer(value="approve")
    assert read_answer(asked("approve_call", choices), "不执行", TODAY) == Answer(declined=True)
    assert read_answer(asked("approve_call", choices), "也许", TODAY) is None


def test_an_edited_call_is_read_for_its_own_tool_only() -> None:
    edit = decisions(type="edit", edited_action={"name": "order_get", "args": {"order_id": "WO-2"}})
    assert read_answer(asked("approve_call"), edit, TODAY) == Answer(value={"args": {"order_id": "WO-2"}})
    other = decisions(type="edit", edited_action={"name": "order_remark", "args": {}})
    assert read_answer(asked("approve_call"), other, TODAY) is None


@pytest.mark.parametrize(
    ("answer", "days"),
    [("上个月", "2026-05-01/2026-05-31"), ("yesterday", "2026-06-16/2026-06-16"), ("5月1日到5月10日", "2026-05-01/2026-05-10"),
     (decisions(type="respond", message="本月"), "2026-06-01/2026-06-30")],
)  # fmt: skip
def test_days_are_read(answer: Any, days: str) -> None:
    assert read_answer(asked("time_range"), answer, TODAY) == Answer(value=days)


def test_days_that_cannot_be_read_are_asked_again() -> None:
    assert read_answer(asked("time_range"), "以前的", TODAY) is None
    assert read_answer(asked("time_range"), "本月和上个月", TODAY) is None


def test_a_missing_argument_is_the_text() -> None:
    assert read_answer(asked("missing_argument"), "WO-20260314-0007", TODAY) == Answer(
        value="WO-20260314-0007"
    )
    assert read_answer(asked("missing_argument"), "yes", TODAY) is None


@pytest.mark.parametrize("kind", ["which_name", "approve_call"])
def test_the_payload_is_a_hitl_request(kind: str) -> None:
    question = asked(kind, TEAMS)
    TypeAdapter(HITLRequest).validate_python(
        {key: question[key] for key in ("action_requests", "review_configs")}
    )
    assert "2. 东区抢修组一班" in question["action_requests"][0]["description"]
