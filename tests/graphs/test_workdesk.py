"""The paths of Workdesk: which way each kind of call and reply goes, and why a run stops."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from mindatlas.graphs.workdesk import build_workdesk
from mindatlas.nodes.workdesk.parts.calls import CheckedCall, RawCall
from mindatlas.nodes.workdesk.parts.planning import Plan
from tests.desk import MARCH, ScriptedPlanner, ScriptedWriter, TableAccess, calls, make_parts

START = ["choose_tools", "plan_call", "validate_call"]
CALL = ["call_tool", "rerun_dual_time"]
END = ["reply", "verify_reply", "align_chart"]
AGAIN = ["plan_call", "validate_call"]
GOOD = "北区班 7 单，东区抢修组 5 单。"
CREATED = "上个月新增了多少工单？"
UNDECIDED = "上个月各班组有多少工单？"
PSEUDO = "count(start_time='2026-03-01', end_time='2026-03-31')"
COUNT = calls("count", MARCH)


@pytest.fixture(autouse=True)
def _home(home: Path) -> None:
    """Each test has a journal of its own."""


def run(
    question: str,
    plans: list[Plan],
    replies: list[str],
    access: TableAccess | None = None,
    **settings: Any,
) -> dict[str, Any]:
    parts = make_parts(ScriptedPlanner(*plans), ScriptedWriter(*replies), access, **settings)
    return dict(build_workdesk(parts).compile().invoke({"question": question}))


def kinds(output: Mapping[str, Any]) -> list[str]:
    return [repair["kind"] for repair in output["repairs"]]


def test_a_clean_run() -> None:
    output = run(CREATED, [COUNT], [GOOD])
    assert output["path"] == [*START, *CALL, *END]
    assert (output["stop_reason"], output["answer"]) == ("answered", GOOD)
    assert [(call["tool"], call["clock"]) for call in output["tool_calls"]] == [("count", "创建时间")]
    assert output["tool_calls"][0]["rows"][0]["cnt"] == 7


def test_both_clocks_where_the_question_names_none() -> None:
    output = run(UNDECIDED, [COUNT], [GOOD])
    assert output["path"] == [*START, *CALL, *END]
    assert [call["clock"] for call in output["tool_calls"]] == ["创建时间", "完成时间"]
    assert [call["args"]["time_type"] for call in output["tool_calls"]] == [1, 2]
    assert kinds(output).count("rerun_dual_time") == 1


def test_the_other_clock_can_be_switched_off() -> None:
    output = run(UNDECIDED, [COUNT], [GOOD], disabled=("rerun_dual_time",))
    assert [call["clock"] for call in output["tool_calls"]] == ["创建时间"]


def test_more_calls_until_the_planner_has_enough() -> None:
    output = run(CREATED, [calls("teams", {}, more=True), COUNT], [GOOD])
    assert output["path"] == [*START, *CALL, "more", *AGAIN, *CALL, *END]
    assert [call["tool"] for call in output["tool_calls"]] == ["teams", "count"]


def test_calls_are_bounded() -> None:
    endless = [calls("count", MARCH, more=True) for _ in range(9)]
    output = run(CREATED, endless, [GOOD], max_calls=2)
    assert output["path"] == [*START, *CALL, "more", *AGAIN, *CALL, *END]
    assert output["stop_reason"] == "max_calls"


def test_a_pseudo_call_is_made_in_the_one_retry() -> None:
    output = run(CREATED, [Plan(text=PSEUDO), COUNT], [PSEUDO, GOOD])
    assert output["path"] == [*START, "reply", "verify_reply", "retry_call", *AGAIN, *CALL, *END]
    assert (output["answer"], "retry_pseudo_call" in kinds(output)) == (GOOD, True)


def test_a_pseudo_call_again_ends_honestly() -> None:
    parts = make_parts(ScriptedPlanner(Plan(text=PSEUDO), Plan(text=PSEUDO)), ScriptedWriter(PSEUDO, PSEUDO))
    output = build_workdesk(parts).compile().invoke({"question": CREATED})
    assert output["path"] == [
        *START, "reply", "verify_reply", "retry_call", *AGAIN, "reply", "verify_reply", "admit", "align_chart"
    ]  # fmt: skip
    assert output["answer"] != PSEUDO
    assert output["stop_reason"] not in ("", "answered")
    planner = parts.planner
    assert isinstance(planner, ScriptedPlanner)
    assert planner.requests[1].must_call
    assert planner.requests[1].fault


def test_none_over_full_rows_is_written_again() -> None:
    output = run(CREATED, [COUNT], ["没有查询到相关数据。", GOOD])
    assert output["path"] == [*START, *CALL, "reply", "verify_reply", "retry_reply", *END]
    assert (output["answer"], "retry_false_negative" in kinds(output)) == (GOOD, True)


def test_an_empty_reply_is_written_again() -> None:
    output = run(CREATED, [COUNT], ["", GOOD])
    assert output["path"] == [*START, *CALL, "reply", "verify_reply", "retry_reply", *END]
    assert "retry_empty_reply" in kinds(output)


def test_the_retry_is_shared() -> None:
    output = run(CREATED, [Plan(text=PSEUDO), COUNT], [PSEUDO, "没有数据。"])
    assert output["path"][-2:] == ["admit", "align_chart"]
    assert "retry_reply" not in output["path"]


def test_a_malformed_call_is_asked_for_once_more() -> None:
    cut = Plan(calls=[RawCall(id="a", tool="count", args='{"start_time": "2026-03-0')], truncated=True)
    access = TableAccess()
    output = run(CREATED, [cut, COUNT], [GOOD], access)
    assert output["path"] == [*START, "retry_call", *AGAIN, *CALL, *END]
    assert len(access.made) == 1
    assert "retry_malformed_call" in kinds(output)


def test_malformed_calls_again_end_honestly() -> None:
    cut = Plan(calls=[RawCall(id="a", tool="count", args='{"start_time": "2026-03-0')], truncated=True)
    access = TableAccess()
    output = run(CREATED, [cut, cut], [], access)
    assert output["path"] == [*START, "retry_call", *AGAIN, "admit", "align_chart"]
    assert (access.made, output["stop_reason"] not in ("", "answered")) == ([], True)


def test_a_dead_server_ends_the_run_with_its_reason() -> None:
    def gone(call: CheckedCall) -> Mapping[str, Any]:
        return {"error": "The server 'desk' has ended", "error_kind": "server_gone"}

    output = run(
        CREATED, [calls("count", MARCH, more=True)], ["服务不可用，没有得到数据。"], TableAccess(gone)
    )
    assert output["path"] == [*START, *CALL, *END]
    assert output["stop_reason"] == "server_gone"


def test_a_refusal_makes_no_call() -> None:
    access = TableAccess()
    output = run("写一首诗", [Plan(refusal="这里只回答工单问题。")], [], access)
    assert output["path"] == [*START, *END]
    assert (output["stop_reason"], output["answer"], access.made) == ("refused", "这里只回答工单问题。", [])


def test_an_uneven_chart_is_aligned_without_a_retry() -> None:
    chart = '```chart\n{"type": "bar", "labels": ["北区班", "东区抢修组"], "series": [{"name": "数量", "data": [7]}]}\n```'
    output = run(CREATED, [COUNT], [f"{GOOD}\n{chart}"])
    assert output["path"] == [*START, *CALL, *END]
    assert output["chart"]["labels"] == ["北区班"]
    assert "align_chart" in kinds(output)


def waiting(
    question: str, plans: list[Plan], replies: list[str], access: TableAccess
) -> tuple[Any, dict[str, Any]]:
    parts = make_parts(ScriptedPlanner(*plans), ScriptedWriter(*replies), access)
    graph = build_workdesk(parts).compile(checkpointer=InMemorySaver())
    output = graph.invoke({"question": question}, {"configurable": {"thread_id": "t"}})
    return graph, output


def resume(graph: Any, answer: str) -> dict[str, Any]:
    return dict(graph.invoke(Command(resume=answer), {"configurable": {"thread_id": "t"}}))


def test_a_name_that_fits_two_teams_is_asked_about_and_remembered() -> None:
    access = TableAccess()
    plan = calls("count", {"team_id": "东区抢修组", **MARCH})
    question = "上个月东区抢修组新增了多少工单？"
    graph, output = waiting(question, [plan, plan], [GOOD, GOOD], access)
    asked = output["__interrupt__"][0].value
    assert (asked["kind"], access.made) == ("which_name", [])
    assert {choice["value"] for choice in asked["choices"]} >= {"T-02", "T-03"}
    done = resume(graph, "T-03")
    assert done["path"] == [*START, "ask_user", "validate_call", *CALL, *END]
    assert [call["args"]["team_id"] for call in access.made] == ["T-03"]
    again = graph.invoke({"question": question}, {"configurable": {"thread_id": "t"}})
    assert again["path"] == [*START, *CALL, *END]
    assert [call["args"]["team_id"] for call in access.made] == ["T-03", "T-03"]


def test_a_writing_call_waits_for_approval_and_is_made_once() -> None:
    access = TableAccess()
    plan = calls("remark", {"order_id": "WO-20260314-0007", "content": "已联系"})
    graph, output = waiting("给工单 WO-20260314-0007 加备注“已联系”", [plan], ["已添加备注。"], access)
    assert (output["__interrupt__"][0].value["kind"], access.made) == ("approve_call", [])
    done = resume(graph, "yes")
    assert done["path"] == [*START, "ask_user", "validate_call", *CALL, *END]
    assert len(access.made) == 1


def test_a_declined_call_is_not_made() -> None:
    access = TableAccess()
    plan = calls("remark", {"order_id": "WO-20260314-0007", "content": "已联系"})
    graph, _ = waiting("给工单 WO-20260314-0007 加备注“已联系”", [plan], ["好的，没有添加备注。"], access)
    done = resume(graph, "no")
    assert (done["stop_reason"], access.made) == ("declined", [])


def test_a_writing_call_that_was_begun_is_not_made_again() -> None:
    class Died(Exception):
        pass

    def dies(call: CheckedCall) -> Mapping[str, Any]:
        raise Died

    access = TableAccess(dies)
    plan = calls("remark", {"order_id": "WO-20260314-0007", "content": "已联系"})
    graph, _ = waiting("给工单 WO-20260314-0007 加备注“已联系”", [plan], ["不知道备注是否已加上。"], access)
    with pytest.raises(Died):
        resume(graph, "yes")
    done = graph.invoke(None, {"configurable": {"thread_id": "t"}})
    assert len(access.made) == 1
    assert "not made again" in done["tool_calls"][0]["error"]
