"""Simulated faults over the builtin planner, to watch and test the repairs offline; always labelled simulated."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mindatlas.nodes.workdesk.parts.calls import RawCall
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool, DeskTools
from mindatlas.nodes.workdesk.parts.faults import Fault, drawn_fault
from mindatlas.nodes.workdesk.parts.planning import CallPlanner, Plan, PlanRequest

_NOTICE = "Simulated model: the fault “{fault}” is made on purpose for this question"


class FaultyPlanner:
    """Plans as `planner` does, with one named fault per question in the first round of calls.

    Only a fault that is told to it is mended: with `request.fault` empty it makes the same one again.

    Args:
        planner: the planner that is right.
        seed: chooses, with the question, the fault.
        fault: makes this one for every question instead.
    """

    def __init__(self, planner: CallPlanner, seed: int, *, fault: Fault | None = None) -> None:
        self._planner = planner
        self._seed = seed
        self._fault: Fault | None = fault

    def plan(self, request: PlanRequest) -> Plan:
        """Return the plan, spoilt where the drawn fault is one of planning and the calls give it a place."""
        plan = self._planner.plan(request)
        fault: Fault = self._fault or drawn_fault(self._seed, request.question)
        labelled = replace(plan, notices=[*plan.notices, _NOTICE.format(fault=fault)])
        spoil = _SPOILERS.get(fault)
        if spoil is None or not plan.calls or request.fault or request.results:
            return labelled
        tool = DeskTools(tuple(request.tools)).by_name(plan.calls[0]["tool"])
        return spoil(labelled, tool) if tool else labelled


def _text(write: Callable[[RawCall], str]) -> Callable[[Plan, DeskTool], Plan]:
    """Return a fault that writes the first call down instead of making it."""

    def spoil(plan: Plan, tool: DeskTool) -> Plan:
        del tool
        return replace(plan, calls=(), more=False, text=write(plan.calls[0]))

    return spoil


def _call(change: Callable[[RawCall], Mapping[str, Any]]) -> Callable[[Plan, DeskTool], Plan]:
    """Return a fault of the first call that depends on nothing but the call."""
    return _first(lambda call, _tool: change(call))


def _as_call(call: RawCall) -> str:
    return f"{call['tool']}({', '.join(f'{name}={value!r}' for name, value in call['args'].items())})"


def _as_json(call: RawCall) -> str:
    return json.dumps({"name": call["tool"], "arguments": call["args"]}, ensure_ascii=False)


def _first(change: Callable[[RawCall, DeskTool], Mapping[str, Any]]) -> Callable[[Plan, DeskTool], Plan]:
    """Return a fault that changes fields of the first call."""

    def spoil(plan: Plan, tool: DeskTool) -> Plan:
        call = plan.calls[0]
        changed = RawCall(**{**call, **change(call, tool)})  # type: ignore[typeddict-item]
        return replace(plan, calls=[changed, *plan.calls[1:]])

    return spoil


def _arguments(
    change: Callable[[dict[str, Any], DeskTool], dict[str, Any]],
) -> Callable[[Plan, DeskTool], Plan]:
    return _first(lambda call, tool: {"args": change(dict(call["args"]), tool)})


def _unused(args: Mapping[str, Any], tool: DeskTool) -> list[str]:
    return [name for name in tool.filters if name not in args]


def _invented(args: dict[str, Any], tool: DeskTool) -> dict[str, Any]:
    """Return the arguments with a condition on a code that nobody asked for."""
    for name in reversed(_unused(args, tool)):
        codes = list(tool.filters[name].codes.values())
        if codes:
            return {**args, name: codes[0]}
    return args


def _filled(value: str) -> Callable[[dict[str, Any], DeskTool], dict[str, Any]]:
    def change(args: dict[str, Any], tool: DeskTool) -> dict[str, Any]:
        free = _unused(args, tool)
        return {**args, free[0]: value.format(name=free[0])} if free else args

    return change


def _without_range(args: dict[str, Any], tool: DeskTool) -> dict[str, Any]:
    parts = {parameter.name for role in ("range_start", "range_end") if (parameter := tool.by_role(role))}
    return {name: value for name, value in args.items() if name not in parts}


def _numbers_as_text(args: dict[str, Any], tool: DeskTool) -> dict[str, Any]:
    return {name: str(value) if isinstance(value, int) else value for name, value in args.items()}


def _cut(plan: Plan, tool: DeskTool) -> Plan:
    written = json.dumps(plan.calls[-1]["args"], ensure_ascii=False)
    cut = RawCall(
        id=plan.calls[-1]["id"], tool=plan.calls[-1]["tool"], args=written[: max(1, len(written) - 5)]
    )
    return replace(plan, calls=[*plan.calls[:-1], cut], truncated=True)


def _dumped(call: RawCall) -> str:
    return json.dumps(call["args"], ensure_ascii=False)


_SPOILERS: Mapping[Fault, Callable[[Plan, DeskTool], Plan]] = {
    "pseudo_call": _text(_as_call),
    "pseudo_json": _text(_as_json),
    "pseudo_tag": _text(lambda call: f"<tool_call>\n{_as_json(call)}\n</tool_call>"),
    "pseudo_fenced": _text(lambda call: f"```python\n{_as_call(call)}\n```"),
    "pseudo_action": _text(lambda call: f"Action: {call['tool']}\nAction Input: {_dumped(call)}"),
    "claim_without_call": _text(lambda call: f"我已调用 {call['tool']} 查询完成。"),
    "invented_filter": _arguments(_invented),
    "null_argument": _arguments(_filled("null")),
    "placeholder": _arguments(_filled("<{name}>")),
    "double_encoded": _call(lambda call: {"args": json.dumps(_dumped(call), ensure_ascii=False)}),
    "two_objects": _call(lambda call: {"args": _dumped(call) * 2}),
    "wrong_name": _call(lambda call: {"tool": f"{call['tool']}s"}),
    "missing_range": _arguments(_without_range),
    "functions_prefix": _call(lambda call: {"tool": f"functions.{call['tool']}"}),
    "control_suffix": _call(lambda call: {"tool": f"{call['tool']}<|channel|>commentary"}),
    "truncated_arguments": _cut,
    "text_number": _arguments(_numbers_as_text),
    "no_id": _call(lambda _call: {"id": None}),
}
