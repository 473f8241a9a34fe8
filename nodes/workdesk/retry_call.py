"""Node: plan again what was printed instead of called, or came malformed, with the fault named."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from mindatlas import prompts
from mindatlas.nodes.workdesk.parts.calls import CallFault, RawCall, Repair
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts

_PROMPT = "workdesk/retry_call"


class In(TypedDict):
    """What the node reads; `reply` and `fault` are there after a pseudo call, `faults` after malformed calls."""

    question: str
    retries: int
    repairs: list[Repair]
    planned: NotRequired[list[RawCall]]
    faults: NotRequired[list[CallFault]]
    reply: NotRequired[str]
    fault: NotRequired[str]
    prompt_versions: NotRequired[dict[str, str]]


class Out(TypedDict):
    """What the node writes."""

    must_call: bool
    fault: str
    faults: list[CallFault]
    retries: int
    repairs: list[Repair]
    draft: str
    prompt_versions: dict[str, str]


def retry_call(state: In, parts: WorkdeskParts) -> Out:
    """Return what the planner is told, that text alone will not do, and one retry used."""
    faults = state.get("faults") or []
    repair = _of_malformed(state, faults) if faults else _of_pseudo_call(state)
    return Out(
        must_call=True,
        fault=prompts.render(_PROMPT, fault=repair["reason"], question=prompts.unfenced(state["question"])),
        faults=[],
        retries=state["retries"] + 1,
        repairs=[*state["repairs"], repair],
        draft="",
        prompt_versions={**(state.get("prompt_versions") or {}), _PROMPT: prompts.version(_PROMPT)},
    )


def _of_malformed(state: In, faults: list[CallFault]) -> Repair:
    before: list[Any] = [{"tool": call["tool"], "args": call["args"]} for call in state.get("planned") or []]
    reason = " ".join(fault["message"] for fault in faults)
    return Repair(
        kind="retry_malformed_call", before=before, after=None, reason=reason, tool=faults[0]["tool"]
    )


def _of_pseudo_call(state: In) -> Repair:
    return Repair(
        kind="retry_pseudo_call", before=state.get("reply", ""), after=None, reason=state.get("fault", "")
    )
