"""The builtin planner: questions as data, in two batches, and what it must never do."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.workdesk.parts import desk_messages
from mindatlas.nodes.workdesk.parts.builtin_planner import BuiltinPlanner, explain_capabilities
from mindatlas.nodes.workdesk.parts.overlays import load_overlays
from mindatlas.nodes.workdesk.parts.planning import PlanRequest
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard
from tests.nodes.workdesk.parts.asking_desk import ask, calls_of, expected_calls, question_lines
from tests.nodes.workdesk.parts.desk_cards import brought, desk_cards

FILES = ("desk_questions.txt", "fresh_questions.txt", "trap_questions.txt", "third_questions.txt")
CASES = [(question, expected) for file in FILES for question, expected in question_lines(file)]
TODAY = date(2026, 4, 15)


@pytest.mark.parametrize(("question", "expected"), CASES, ids=[question for question, _ in CASES])
def test_a_question_becomes_its_calls_or_is_refused(question: str, expected: str) -> None:
    *before, asked = question.split(" >> ")
    plan = ask(asked, before)
    if expected == "refused":
        assert plan.refusal, calls_of(plan)
    else:
        assert plan.refusal == ""
        assert calls_of(plan) == expected_calls(expected)


@pytest.fixture(scope="module")
def shipped() -> list[ToolCard]:
    """The made-up tools with the overlay that ships with the order server."""
    overlay = load_overlays(())["orders"]
    return [ToolCard(tool=card.tool, overlay=overlay.tools[card.name]) for card in desk_cards()]


@pytest.mark.parametrize(("question", "expected"), CASES, ids=[question for question, _ in CASES])
def test_the_shipped_overlay_is_understood_as_well(
    question: str, expected: str, shipped: list[ToolCard]
) -> None:
    *before, asked = question.split(" >> ")
    plan = ask(asked, before, shipped)
    known_there = {"unassigned urgent orders last month"}  # the overlay has a word for it
    assert bool(plan.refusal) is (expected == "refused" and question not in known_there)
    if expected != "refused":
        assert calls_of(plan) == expected_calls(expected)


def test_a_refusal_says_what_was_not_understood_and_what_can_be_asked() -> None:
    zh, en = ask("上个月平均处理时长是多少"), ask("median resolution time by team last month")
    assert "平均处理时长" in zh.refusal
    assert explain_capabilities("zh") in zh.refusal
    assert "--model" in zh.refusal
    assert explain_capabilities("en") in en.refusal


def test_a_reading_of_several_statuses_is_said() -> None:
    assert list(ask("上个月未完成的工单有多少").notices) == ["“未完成”按这些状态统计：新建、已派单、处理中。"]


def test_nothing_more_is_planned_when_the_results_are_there() -> None:
    request = PlanRequest(
        question="上个月各班组有多少工单？",
        today=TODAY,
        tools=desk_cards(),
        results=[brought("order_stat", [])],
    )
    done = BuiltinPlanner().plan(request)
    assert (list(done.calls), done.more, done.refusal) == ([], False, "")


def test_an_export_takes_the_query_from_the_list() -> None:
    listed = brought(
        "order_list", [{"order_id": "WO-1"}], content='{"data": {"query_id": "q-77", "list": []}}'
    )
    request = PlanRequest(question="导出上周的工单为csv", today=TODAY, tools=desk_cards(), results=[listed])
    assert calls_of(BuiltinPlanner().plan(request)) == [
        ("order_export", {"query_id": "q-77", "file_type": "csv"})
    ]


def test_an_export_of_a_list_that_failed_is_not_tried() -> None:
    failed = brought("order_list", [], error="timed out", error_kind="timeout")
    request = PlanRequest(question="导出上周的工单", today=TODAY, tools=desk_cards(), results=[failed])
    assert list(BuiltinPlanner().plan(request).calls) == []


def test_a_name_in_two_directories_is_not_chosen_between() -> None:
    results = [
        brought("type_dict", []),
        brought("team_list", [{"team_name": "滨江"}], args={"keyword": "滨江"}),
        brought("site_list", [{"site_name": "滨江"}], args={"keyword": "滨江"}),
        brought("person_list", [], args={"keyword": "滨江"}),
    ]
    request = PlanRequest(question="上个月滨江有多少工单", today=TODAY, tools=desk_cards(), results=results)
    refusal = BuiltinPlanner().plan(request).refusal
    assert "班组 滨江 / 站点 滨江" in refusal


def test_without_tools_nothing_is_planned() -> None:
    refused = BuiltinPlanner().plan(PlanRequest(question="上个月有多少工单", today=TODAY, tools=[]))
    assert refused.refusal.startswith("没有可以统计")


def test_without_a_tool_that_writes_a_remark_is_refused() -> None:
    cards = [card for card in desk_cards() if card.name != "order_remark"]
    request = PlanRequest(question="给工单 WO-20260314-0007 加备注“好”", today=TODAY, tools=cards)
    assert BuiltinPlanner().plan(request).refusal


@given(st.text(max_size=40))
def test_any_text_is_planned_or_refused(question: str) -> None:
    planned = BuiltinPlanner().plan(PlanRequest(question=question, today=TODAY, tools=desk_cards()))
    assert planned.refusal or planned.calls


ODD = ["的张三丰牌", "超过三天", "zorbly", "金额最大", "第二次", "至少五单", "以前"]


@given(st.sampled_from([q for q, e in CASES if e.startswith("stat") and ">>" not in q]), st.sampled_from(ODD))
def test_an_added_condition_that_is_not_understood_is_never_dropped(question: str, odd: str) -> None:
    """The calls with the odd words must not be those without them."""
    plain, asked = ask(question), ask(f"{question.rstrip('？?')}，{odd}")
    assert asked.refusal or calls_of(asked) != calls_of(plain)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_reason_has_its_sentence(language: str) -> None:
    sources = Path(desk_messages.__file__).parent.glob("desk_*.py")
    codes = {
        code
        for file in sources
        for code in re.findall(r'UnreadableRequest\(\s*"(\w+)"', file.read_text("utf-8"))
    }
    assert len(codes) > 20
    for code in codes:
        assert desk_messages.say(code, language, "猫")
