"""The nodes behind the reply: verify_reply, retry_call, retry_reply, admit, align_chart."""

from __future__ import annotations

from typing import Any, cast

import pytest

from mindatlas.nodes.workdesk.admit import admit
from mindatlas.nodes.workdesk.align_chart import align_chart
from mindatlas.nodes.workdesk.parts.calls import CallFault, Repair, ToolResult
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts
from mindatlas.nodes.workdesk.retry_call import retry_call
from mindatlas.nodes.workdesk.retry_reply import retry_reply
from mindatlas.nodes.workdesk.verify_reply import verify_reply
from tests.desk import COUNTS, ScriptedPlanner, ScriptedWriter, make_parts

QUESTION = "上个月新增了多少工单？"
PSEUDO = "count(start_time='2026-03-01', end_time='2026-03-31')"
NONE = "没有查询到相关数据。"


def parts(**settings: Any) -> WorkdeskParts:
    return make_parts(ScriptedPlanner(), ScriptedWriter(), **settings)


def result(**fields: Any) -> ToolResult:
    found: dict[str, Any] = {
        "id": "a", "tool": "count", "args": {"start_time": "2026-03-01", "end_time": "2026-03-31"}, "repairs": [], "clock": "",
        "rows": COUNTS, "n_rows": 2, "content": str(COUNTS), "truncated": False, "error": "", "error_kind": None, **fields,
    }  # fmt: skip
    return cast(ToolResult, found)


def state(**fields: Any) -> Any:
    return {
        "question": QUESTION, "reply": "", "answer": "", "results": [], "repairs": [], "verification": [], "notices": [],
        "faults": [], "planned": [], "turns": [], "retries": 0, "refusal": "", "prompt_versions": {}, **fields,
    }  # fmt: skip


def retried(kind: Any = "retry_false_negative") -> Repair:
    return Repair(kind=kind, before=NONE, after=None, reason="r")


@pytest.mark.parametrize(
    ("reply", "results", "verdict", "detector"),
    [
        ("北区班 7 单，东区抢修组 5 单。", [result()], "ok", ""),
        (PSEUDO, [], "pseudo_call", "short_call"),
        (NONE, [result()], "false_negative", "false_negative"),
        (NONE, [result(rows=[], n_rows=0, content='{"data": []}')], "ok", ""),
        (NONE, [result(rows=[], n_rows=0, content="", error="timeout")], "ok", ""),
        ("", [result()], "empty_reply", "empty_reply"),
        (f"```\n{PSEUDO}\n```", [result()], "repeated_call", "fenced_call"),
        ('```\ncount(start_time="2026-02-01")\n```', [result()], "pseudo_call", "fenced_call"),
    ],
)
def test_verdicts(reply: str, results: list[ToolResult], verdict: str, detector: str) -> None:
    update = verify_reply(state(reply=reply, results=results), parts())
    assert (update["verdict"], update["verification"][0]) == (
        verdict,
        {"detector": detector, "verdict": verdict},
    )
    assert bool(update["fault"]) == (verdict != "ok")
    assert update["answer"] == (reply if verdict == "ok" else "")


@pytest.mark.parametrize("refusal", ["“创建且已完成”里有两个时间口径，没有看懂。", PSEUDO, NONE])
def test_a_refusal_that_quotes_the_user_is_accused_of_nothing(refusal: str) -> None:
    update = verify_reply(state(reply=refusal, refusal=refusal), parts())
    assert (update["verdict"], update["answer"], update["notices"]) == ("ok", refusal, [])
    assert update["verification"] == [{"detector": "", "verdict": "ok"}]


def test_the_retry_may_confirm_none() -> None:
    update = verify_reply(state(reply=NONE, results=[result()], repairs=[retried()]), parts())
    assert (update["verdict"], update["answer"]) == ("ok", NONE)
    assert update["verification"] == [{"detector": "false_negative", "verdict": "confirmed"}]
    assert update["repairs"][0]["after"] == NONE


def test_another_retry_confirms_nothing() -> None:
    repairs = [retried("retry_pseudo_call")]
    assert (
        verify_reply(state(reply=NONE, results=[result()], repairs=repairs), parts())["verdict"]
        == "false_negative"
    )


@pytest.mark.parametrize(
    ("reply", "results", "kind"),
    [
        (PSEUDO, [], "retry_pseudo_call"),
        (NONE, [result()], "retry_false_negative"),
        ("", [result()], "retry_empty_reply"),
    ],
)
def test_a_repair_that_is_switched_off_is_found_and_left(
    reply: str, results: list[ToolResult], kind: Any
) -> None:
    update = verify_reply(state(reply=reply, results=results), parts(disabled=(kind,)))
    assert (update["verdict"], update["answer"]) == ("ok", reply)
    assert update["verification"][0]["verdict"] != "ok"


def test_flags_are_noticed() -> None:
    update = verify_reply(state(reply="北区班 999 单。", results=[result()]), parts())
    assert update["verdict"] == "ok"
    assert "999" in update["notices"][0]


def test_a_pseudo_call_is_told_to_the_planner() -> None:
    update = retry_call(state(reply=PSEUDO, fault="The reply printed a call", repairs=[]), parts())
    assert (update["must_call"], update["retries"], update["draft"]) == (True, 1, "")
    assert "The reply printed a call" in update["fault"]
    assert QUESTION in update["fault"]
    assert [(repair["kind"], repair["before"]) for repair in update["repairs"]] == [
        ("retry_pseudo_call", PSEUDO)
    ]
    assert set(update["prompt_versions"]) == {"workdesk/retry_call"}


def test_malformed_calls_are_told_to_the_planner() -> None:
    faults = [CallFault(tool="count", kind="truncated", message="The arguments are cut off.")]
    planned = [{"id": "a", "tool": "count", "args": '{"start'}]
    update = retry_call(state(faults=faults, planned=planned), parts())
    assert "The arguments are cut off." in update["fault"]
    repair = update["repairs"][0]
    assert (repair["kind"], repair.get("tool"), repair["before"]) == (
        "retry_malformed_call", "count", [{"tool": "count", "args": '{"start'}]
    )  # fmt: skip
    assert update["faults"] == []


@pytest.mark.parametrize(
    ("verdict", "kind"),
    [
        ("false_negative", "retry_false_negative"),
        ("empty_reply", "retry_empty_reply"),
        ("repeated_call", "retry_pseudo_call"),
    ],
)
def test_a_faulty_reply_is_told_to_the_writer(verdict: str, kind: str) -> None:
    update = retry_reply(state(reply=NONE, verdict=verdict, fault="The result has rows", retries=0), parts())
    assert (update["retries"], update["repairs"][0]["kind"], update["draft"]) == (1, kind, "")
    assert "The result has rows" in update["fault"]
    assert QUESTION in update["fault"]


@pytest.mark.parametrize("verdict", ["pseudo_call", "repeated_call", "false_negative", "empty_reply"])
@pytest.mark.parametrize("question", [QUESTION, "How many orders last month?"])
def test_the_end_is_plain_and_honest(verdict: str, question: str) -> None:
    update = admit(state(question=question, verdict=verdict, fault="f", repairs=[retried()]), parts())
    assert update["stop_reason"] == verdict
    assert update["answer"].isascii() == question.isascii()
    assert update["repairs"][0]["after"] == ""
    assert "f" in update["notices"][0]


def test_the_end_does_not_deny_calls_that_were_made() -> None:
    assert "没有执行任何操作" in admit(state(verdict="pseudo_call", fault="f"), parts())["answer"]
    assert (
        "没有执行任何操作"
        not in admit(state(verdict="pseudo_call", fault="f", results=[result()]), parts())["answer"]
    )


def test_the_end_after_malformed_calls() -> None:
    faults = [CallFault(tool="count", kind="truncated", message="The arguments are cut off.")]
    update = admit(state(faults=faults), parts())
    assert update["stop_reason"] == "malformed_call"
    assert "The arguments are cut off." in update["notices"][0]


CHART = '```chart\n{"type": "bar", "labels": ["a", "b"], "series": [{"name": "n", "data": [null]}]}\n```'


def test_a_chart_is_mended_and_reported() -> None:
    update = align_chart(state(answer=CHART), parts())
    assert update["chart"] == {"type": "bar", "labels": ["a"], "series": [{"name": "n", "data": [0]}]}
    assert [repair["kind"] for repair in update["repairs"]] == ["align_chart", "align_chart"]
    assert update["notices"] == [repair["reason"] for repair in update["repairs"]]
    assert update["notices"][0].startswith("图表")


def test_mending_can_be_switched_off() -> None:
    update = align_chart(state(answer=CHART), parts(disabled=("align_chart",)))
    assert (update["answer"], update["repairs"]) == (CHART, [])
    cut = CHART[:60]
    off = align_chart(state(answer=cut), parts(disabled=("repair_chart_tail",)))
    assert (off["answer"], off["chart"], off["repairs"]) == (cut, None, [])


def test_an_answer_without_a_chart() -> None:
    update = align_chart(state(answer="7 单。"), parts())
    assert (update["answer"], update["chart"], update["notices"]) == ("7 单。", None, [])
