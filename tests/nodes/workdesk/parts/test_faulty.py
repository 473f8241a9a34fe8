"""Simulated faults: named, seeded, labelled, and mended only when they are told."""

from __future__ import annotations

import json
from datetime import date
from typing import Any, get_args

import pytest

from mindatlas.nodes.workdesk.parts.builtin_planner import BuiltinPlanner
from mindatlas.nodes.workdesk.parts.builtin_reply_writer import BuiltinReplyWriter
from mindatlas.nodes.workdesk.parts.faults import FAULTS, Fault, PlanFault, ReplyFault, drawn_fault
from mindatlas.nodes.workdesk.parts.faulty_planner import FaultyPlanner
from mindatlas.nodes.workdesk.parts.faulty_reply_writer import FaultyReplyWriter
from mindatlas.nodes.workdesk.parts.planning import Plan, PlanRequest, ReplyRequest
from tests.nodes.workdesk.parts.desk_cards import brought, desk_cards

QUESTION = "上个月各班组完成了多少工单？"
RIGHT = {
    "group_by": "team", "start_time": "2026-03-01 00:00:00", "end_time": "2026-03-31 23:59:59", "time_type": 2
}  # fmt: skip


def plan(made: Fault, **fields: Any) -> Plan:
    planner = FaultyPlanner(BuiltinPlanner(), 1, fault=made)
    return planner.plan(PlanRequest(question=QUESTION, today=date(2026, 4, 15), tools=desk_cards(), **fields))


@pytest.mark.parametrize("fault", get_args(PlanFault))
def test_each_fault_spoils_the_plan_until_it_is_told(fault: PlanFault) -> None:
    right = BuiltinPlanner().plan(PlanRequest(question=QUESTION, today=date(2026, 4, 15), tools=desk_cards()))
    first, again, told = plan(fault), plan(fault, must_call=True), plan(fault, must_call=True, fault="named")
    assert (first.calls, first.text) != (right.calls, right.text)
    assert (again.calls, again.text) == (first.calls, first.text)
    assert (list(told.calls), told.text) == (list(right.calls), "")
    assert any("Simulated" in notice and fault in notice for notice in first.notices)


@pytest.mark.parametrize(
    "fault", [fault for fault in get_args(PlanFault) if fault.startswith(("pseudo", "claim"))]
)
def test_calls_as_text_are_made_by_nobody(fault: PlanFault) -> None:
    assert not plan(fault).calls
    assert "order_stat" in plan(fault).text


def test_cut_arguments_are_no_json() -> None:
    spoilt = plan("truncated_arguments")
    assert spoilt.truncated
    with pytest.raises(ValueError, match=r"Expecting|Unterminated|delimiter"):
        json.loads(spoilt.calls[0]["args"])


def test_arguments_encoded_twice_hold_the_right_ones() -> None:
    assert json.loads(json.loads(plan("double_encoded").calls[0]["args"])) == RIGHT


def test_a_missing_range_leaves_the_rest() -> None:
    assert plan("missing_range").calls[0]["args"] == {"group_by": "team", "time_type": 2}


def test_an_invented_condition_is_added() -> None:
    (added,) = plan("invented_filter").calls[0]["args"].items() - RIGHT.items()
    assert added[0] in {"status", "priority", "overdue"}


REPLY_RESULT = brought(
    "order_stat", [{"key": "T-1", "name": "东区", "cnt": 7}, {"key": "T-2", "name": "西区", "cnt": 5}],
    args=RIGHT, clock="完成时间",
)  # fmt: skip


def reply(made: Fault, **fields: Any) -> str:
    request = ReplyRequest(
        question=QUESTION,
        language="zh",
        today=date(2026, 4, 15),
        tools=desk_cards(),
        results=[REPLY_RESULT],
        **fields,
    )
    return FaultyReplyWriter(BuiltinReplyWriter(), 1, fault=made).reply(request)


@pytest.mark.parametrize("fault", get_args(ReplyFault))
def test_each_fault_spoils_the_reply_until_it_is_told(fault: ReplyFault) -> None:
    right = reply("pseudo_call")
    assert reply(fault) != right
    assert reply(fault, fault="named") == right


def test_the_spoilt_charts() -> None:
    even = json.loads(reply("uneven_chart").split("```chart\n")[1].split("\n```")[0])
    assert len(even["labels"]) == len(even["series"][0]["data"]) + 1
    assert (
        json.loads(reply("null_in_chart").split("```chart\n")[1].split("\n```")[0])["series"][0]["data"][0]
        is None
    )
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(reply("cut_chart").split("```chart\n")[1])


def test_the_fault_follows_from_seed_and_question_alone() -> None:
    drawn = {drawn_fault(seed, QUESTION) for seed in range(300)}
    assert drawn == set(FAULTS)
    assert all(drawn_fault(7, QUESTION) == drawn_fault(7, QUESTION) for _ in range(3))
