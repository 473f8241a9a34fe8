"""The two nodes that check calls and ask the user."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from typing_extensions import TypedDict

from mindatlas.nodes.workdesk import ask_user as asking
from mindatlas.nodes.workdesk import validate_call as checking
from mindatlas.nodes.workdesk.parts.calls import RawCall
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts
from tests.orders_desk import BY_NAME, TODAY, TableDirectories

MAY = {"start_time": "2026-05-01 00:00:00", "end_time": "2026-05-31 23:59:59"}
PARTS = cast(
    WorkdeskParts,
    SimpleNamespace(
        cards=BY_NAME, access=TableDirectories(), today=lambda: TODAY, settings=SimpleNamespace(disabled=())
    ),
)


def state(question: str, tool: str, args: Any, **fields: Any) -> Any:
    start = {
        "turn_id": "t1", "question": question, "turns": [], "planned": [RawCall(id="a", tool=tool, args=args)],
        "plan_truncated": False, "results": [], "choices": {}, "repairs": [], "stated": [],
    }  # fmt: skip
    return {**start, **fields}


def test_a_checked_call_with_what_was_changed() -> None:
    out = checking.validate_call(state("上个月紧急工单", "order_list", {"priority": "1"}), PARTS)
    assert [call["args"]["priority"] for call in out["calls"]] == [1]
    assert {repair["kind"] for repair in out["repairs"]} >= {"coerce_argument", "fill_time_range"}
    assert out["stated"] == ["时间范围：2026-05-01 至 2026-05-31（上个月）"]
    assert (out["faults"], out["clarification"]) == ([], None)


def test_changes_are_written_down_once_the_user_has_answered() -> None:
    before = state("上个月东区抢修组有多少工单", "order_stat", {"group_by": "none", "team_id": "东区抢修组"})
    out = checking.validate_call(before, PARTS)
    assert (out["calls"], out["repairs"], out["stated"]) == ([], [], [])
    assert out["clarification"] is not None
    answered: Any = {**before, "choices": {out["clarification"]["key"]: "T-018"}}
    again = checking.validate_call(answered, PARTS)
    assert [call["args"]["team_id"] for call in again["calls"]] == ["T-018"]
    assert "“东区抢修组一班”指 T-018" in again["stated"]
    repeated: Any = {**answered, **again}
    assert checking.validate_call(repeated, PARTS)["stated"] == again["stated"]


class Asking(TypedDict):
    question: str
    clarification: Any
    choices: dict[str, Any]
    repairs: list[Any]
    declined: bool


def ask(question: str, tool: str, args: Any, *answers: Any) -> tuple[list[str], dict[str, Any]]:
    """Return the messages that were shown, and the state at the end."""
    clarification = checking.validate_call(state(question, tool, args), PARTS)["clarification"]
    builder = StateGraph(Asking)

    def ask_user(state: Any) -> Any:
        return asking.ask_user(state, PARTS)

    builder.add_node("ask_user", ask_user)
    builder.add_edge(START, "ask_user")
    graph = builder.compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "t"}}
    start: Any = {"question": question, "clarification": clarification, "choices": {}, "repairs": []}
    output = graph.invoke(start, thread)
    shown = []
    for answer in answers:
        shown.append(output["__interrupt__"][0].value["message"])
        output = graph.invoke(Command(resume=answer), thread)
    return shown, output


def test_the_answer_is_kept_under_its_key() -> None:
    _, output = ask("上个月东区抢修组的工单", "order_list", {"team_id": "T-017", **MAY}, "2")
    assert output["choices"] == {"which_name:team_list:东区抢修组": "T-018"}
    assert (output["declined"], output["clarification"]) == (False, None)
    assert [(repair["kind"], repair["after"]) for repair in output["repairs"]] == [("ask_user", "T-018")]


def test_an_answer_that_cannot_be_read_is_asked_again() -> None:
    shown, output = ask("各班组有多少工单", "order_stat", {"group_by": "team"}, "嗯哼", "上个月")
    assert "嗯哼" in shown[1]
    assert list(output["choices"].values()) == ["2026-05-01/2026-05-31"]


@pytest.mark.parametrize("answer", ["不", {"decisions": [{"type": "reject"}]}])
def test_declined(answer: Any) -> None:
    args = {"order_id": "WO-20260314-0007", "content": "已联系"}
    _, output = ask("给 WO-20260314-0007 加备注：已联系", "order_remark", args, answer)
    assert (output["declined"], output["choices"]) == (True, {})
