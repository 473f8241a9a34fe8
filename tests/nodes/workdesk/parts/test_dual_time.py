"""The other clock: run where the user names none, not where the question or the one it goes on from does."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from mindatlas.nodes.workdesk.parts.calls import Repair, ToolResult
from mindatlas.nodes.workdesk.parts.dual_time import label_clock, other_clocks
from mindatlas.nodes.workdesk.parts.named_clocks import named_clocks
from mindatlas.nodes.workdesk.parts.overlays import load_overlays
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard
from tests.orders_desk import result

TODAY = date(2026, 4, 15)
OVERLAY = load_overlays(())["orders"].tools
ROW = {"key": "", "name": "", "cnt": 3}
DEFAULTED = Repair(kind="fill_default", before={}, after={"time_type": 1}, reason="the overlay's defaults")


def card(tool: str) -> ToolCard:
    server_tool = ServerTool(server="orders", name=tool, description="", input_schema={}, read_only=True)
    return ToolCard(tool=server_tool, overlay=OVERLAY[tool])


def counted(clock: int, *repairs: Repair, rows: int = 1, tool: str = "order_stat") -> ToolResult:
    args: dict[str, Any] = {"start_time": "2026-03-01", "end_time": "2026-03-31", "time_type": clock}
    return {**result(tool, [ROW] * rows, args), "repairs": list(repairs)}


def reruns(done: ToolResult, question: str, *before: str) -> list[Any]:
    calls = other_clocks(done, card(done["tool"]), question, before=before, today=TODAY)
    return [call["args"]["time_type"] for call in calls]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("上个月有多少工单", []), ("上个月完成了多少工单", ["2"]), ("昨天新建的工单有多少", ["1"]), ("三月份新建工单数", ["1"]),
        ("新建的工单上个月有多少", []), ("昨天新建状态的工单", []), ("上个月新建路站有多少工单", []),
        ("各站点上个月新建多少工单", ["1"]), ("orders created and finished last month", ["1", "2"]),
    ],
)  # fmt: skip
def test_the_clocks_that_a_question_names(question: str, wanted: list[str]) -> None:
    dual = OVERLAY["order_stat"].dual_time
    assert dual is not None
    assert named_clocks(question, dual, TODAY) == wanted


def test_the_other_clock_is_run_where_nobody_names_one() -> None:
    assert reruns(counted(1, DEFAULTED), "上个月有多少工单") == [2]
    assert reruns(counted(2, rows=11), "上个月各人有多少工单") == []
    assert reruns(counted(2), "上个月完成了多少工单") == []


def test_a_question_that_goes_on_keeps_the_clock_that_the_planner_took_over() -> None:
    assert reruns(counted(2), "那上上周呢", "上周完成了多少工单") == []
    assert reruns(counted(2), "再按站点呢", "上周完成了多少工单", "那上上周呢") == []


def test_an_earlier_question_settles_no_clock_that_was_only_the_default_or_is_another_one() -> None:
    assert reruns(counted(1, DEFAULTED), "上个月各站点有多少工单", "上周创建了多少工单") == [2]
    assert reruns(counted(1), "那上上周呢", "上周完成了多少工单") == [2]


def test_a_list_is_labelled_by_its_clock_and_never_run_twice() -> None:
    listed = counted(1, DEFAULTED, tool="order_list")
    assert reruns(listed, "上个月有哪些工单") == []
    assert label_clock(listed, card("order_list"), "上个月有哪些工单")["clock"] == "创建时间"
    assert label_clock(counted(3), card("order_stat"), "上个月派单了多少")["clock"] == "派单时间"
    assert label_clock(counted(3), card("order_stat"), "assigned last month")["clock"] == "assignment time"
