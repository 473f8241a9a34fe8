"""Cases of calls that must be mended, asked about or refused, and of calls that must be left alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindatlas.nodes.workdesk.parts.call_validator import CallValidator, Validation
from mindatlas.nodes.workdesk.parts.calls import RawCall, ToolResult
from tests.orders_desk import TABLES, context, result

CASES = Path(__file__).parent / "cases"
Case = Mapping[str, Any]
RANGES = {
    "may": ("2026-05-01", "2026-05-31"),
    "lastweek": ("2026-06-08", "2026-06-14"),
    "yesterday": ("2026-06-16", "2026-06-16"),
    "last3": ("2026-06-15", "2026-06-17"),
    "last7": ("2026-06-11", "2026-06-17"),
}
_STAT = [{"key": "T-020", "name": "巡检一队", "cnt": 41}, {"key": "T-011", "name": "西区抢修组", "cnt": 30}]
_ORDERS = [
    {"order_id": "WO-20260510-0003", "team_id": "T-020", "status": 3, "created_at": "2026-05-10 08:00:00"}
]
_RESULTS: Mapping[str, ToolResult] = {
    "team_stat": result("order_stat", _STAT, {"group_by": "team"}),
    "team_lookup": result("team_list", TABLES["team_list"][1:3], {"keyword": "东区"}),
    "list": result("order_list", _ORDERS, content='{"data": {"list": [], "query_id": "Q7f3a", "total": 1}}'),
}


def load(name: str) -> list[Case]:
    """Return the cases of one file."""
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def given(case: Case) -> Any:
    """Return the arguments that the model wrote."""
    if not case.get("range"):
        return case["args"]
    start, end = RANGES[case["range"]]
    return {"start_time": f"{start} 00:00:00", "end_time": f"{end} 23:59:59", **case["args"]}


def checked(case: Case) -> Validation:
    """Return what the validator makes of a case."""
    return CallValidator().validate(
        [RawCall(id="call-a", tool=case["tool"], args=given(case))],
        truncated=case.get("truncated", False),
        context=context(
            case["question"],
            history=[{"role": role, "content": content} for role, content in case.get("history", [])],
            results=[_RESULTS[name] for name in case.get("results", [])],
            choices=case.get("choices", {}),
        ),
    )


def problem(case: Case) -> str:
    """Return what is wrong with how a case is treated, empty when it is right."""
    validation, expect = checked(case), case["expect"]
    faults = {fault["kind"] for fault in validation.faults}
    asked = validation.clarification and validation.clarification["kind"]
    kinds = {repair["kind"] for repair in validation.repairs}
    seen = f"faults {faults}, asked {asked}, repairs {kinds}, calls {[call['args'] for call in validation.calls]}"
    if expect == "untouched":
        written = json.loads(given(case) or "{}") if isinstance(given(case), str) else given(case)
        same = [{key: call["args"].get(key) for key in written} == written for call in validation.calls]
        return "" if same == [True] and kinds <= {"fill_default"} else f"must be left alone: {seen}"
    if "fault" in expect:
        return (
            "" if expect["fault"] in faults and not validation.calls else f"needs {expect['fault']}: {seen}"
        )
    if "ask" in expect:
        return "" if asked == expect["ask"] and not validation.calls else f"must ask {expect['ask']}: {seen}"
    if len(validation.calls) != expect.get("calls", 1) or not set(expect.get("repairs", [])) <= kinds:
        return f"needs {expect}: {seen}"
    args = validation.calls[0]["args"]
    wanted = expect.get("args_after", {})
    lost = {key for key in (given(case) if isinstance(given(case), dict) else {}) if key not in args}
    kept = {key: args.get(key) for key in wanted} == wanted
    stripping = {"strip_unsupported", "strip_empty_argument", "strip_placeholder"} & set(
        expect.get("repairs", [])
    )
    clean = bool(lost) == bool(stripping)
    return "" if kept and clean else f"needs {expect}: {seen}"
