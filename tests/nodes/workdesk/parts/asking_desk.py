"""Asks the builtin planner a question over made-up directories, up to the calls that answer it."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from mindatlas.nodes.workdesk.parts.builtin_planner import BuiltinPlanner
from mindatlas.nodes.workdesk.parts.calls import RawCall, ToolResult
from mindatlas.nodes.workdesk.parts.planning import Plan, PlanRequest
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard
from tests.nodes.workdesk.parts.desk_cards import brought, desk_cards

TODAY = date(2026, 4, 15)
DIRECTORIES: Mapping[str, tuple[str, Sequence[str]]] = {
    "team_list": ("team_name", ["东区抢修组", "东区抢修组一班", "西区抢修组", "北区运维班", "南区巡检队", "East Repair Team"]),
    "site_list": ("site_name", ["东湖变电站", "北区", "滨江园区", "和平站", "North Station"]),
    "person_list": ("person_name", ["张伟", "李娜", "王强", "于洋", "Zhang Wei", "Li Na"]),
    "type_dict": ("type_name", ["抢修", "巡检", "保养", "安装", "投诉"]),
}  # fmt: skip
_TOOLS = {"stat": "order_stat", "list": "order_list", "get": "order_get", "remark": "order_remark"}
_NAMES = {
    "by": "group_by",
    "clock": "time_type",
    "sort": "sort_by",
    "size": "page_size",
    "page": "page_no",
    "id": "order_id",
    "text": "content",
}
_NUMBERS = {"time_type", "status", "priority", "overdue", "page_no", "page_size"}


def ask(question: str, history: Sequence[str] = (), cards: Sequence[ToolCard] | None = None) -> Plan:
    """Return the plan that answers; lookups of names are answered from `DIRECTORIES`."""
    turns = [{"role": "user", "content": said} for said in history]
    results: list[ToolResult] = []
    for _ in range(4):
        plan = BuiltinPlanner().plan(
            PlanRequest(
                question=question, today=TODAY, tools=cards or desk_cards(), history=turns, results=results
            )
        )
        if not plan.more or not all(call["id"] and call["id"].startswith("lookup") for call in plan.calls):
            return plan
        results += [_looked_up(call) for call in plan.calls]
    raise AssertionError(f"The planner never stopped looking up names: {question}")


def _looked_up(call: RawCall) -> ToolResult:
    column, names = DIRECTORIES[call["tool"]]
    keyword = call["args"].get("keyword", "")
    rows = [
        {"id": f"X-{index}", column: name}
        for index, name in enumerate(names)
        if keyword.lower() in name.lower()
    ]
    return brought(call["tool"], rows, id=call["id"], args=call["args"])


def calls_of(plan: Plan) -> list[tuple[str, dict[str, Any]]]:
    """Return tool and arguments of each call; what a directory is asked for at once is left out."""
    return [
        (
            call["tool"],
            {name: value for name, value in call["args"].items() if (name, value) != ("page_size", 100)},
        )
        for call in plan.calls
    ]


def expected_calls(written: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls that a line of a question file stands for."""
    return [_expected(part.strip()) for part in written.split("; ")]


def _expected(written: str) -> tuple[str, dict[str, Any]]:
    name, *rest = written.split(" ")
    args: dict[str, Any] = {}
    pairs: list[list[str]] = []
    for word in rest:
        if "=" in word:
            pairs.append(word.split("=", 1))
        else:  # a name with spaces
            pairs[-1][1] += f" {word}"
    for key, value in pairs:
        if key == "time":
            args["start_time"], args["end_time"] = _days(value)
            continue
        parameter = _NAMES.get(key, key)
        args[parameter] = int(value) if parameter in _NUMBERS else value
    return _TOOLS.get(name, name), args


def _days(written: str) -> tuple[str, str]:
    first, _, last = written.partition("..")
    if not last:
        parts = [int(part) for part in first.split("-")]
        year, month = parts[0], parts[1:2]
        if len(parts) == 3:
            last = first
        elif month:
            first, last = f"{first}-01", f"{first}-{calendar.monthrange(year, month[0])[1]}"
        else:
            first, last = f"{year}-01-01", f"{year}-12-31"
    return f"{first} 00:00:00", f"{last} 23:59:59"


def question_lines(file: str) -> Iterator[tuple[str, str]]:
    """Yield question and expectation of each line of a file beside this one."""
    for line in Path(__file__).with_name(file).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            question, _, expected = line.partition(" => ")
            yield question.strip(), expected.strip()


def verdict(question: str, expected: str) -> str:
    """Return right, refused or wrong; a question that should be refused and is, is right."""
    *before, asked = question.split(" >> ")
    plan = ask(asked, before)
    if plan.refusal:
        return "right" if expected == "refused" else "refused"
    return "right" if expected != "refused" and calls_of(plan) == expected_calls(expected) else "wrong"
