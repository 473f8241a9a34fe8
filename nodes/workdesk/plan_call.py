"""Node: plan the next tool calls."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.workdesk.parts.calls import RawCall, ToolResult
from mindatlas.nodes.workdesk.parts.history import Message
from mindatlas.nodes.workdesk.parts.planning import PlanRequest
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts
from mindatlas.prompts import rendered_versions


class In(TypedDict):
    """What the node reads."""

    question: str
    turns: list[Message]
    chosen: list[str]
    results: list[ToolResult]
    must_call: bool
    fault: str
    choices: dict[str, Any]
    notices: list[str]
    prompt_versions: dict[str, str]


class Out(TypedDict):
    """What the node writes."""

    planned: list[RawCall]
    plan_truncated: bool
    draft: str
    refusal: str
    more: bool
    notices: list[str]
    prompt_versions: dict[str, str]


def plan_call(state: In, parts: WorkdeskParts) -> Out:
    """Return the calls that a planner wants, unchecked, and what it wrote beside them."""
    request = PlanRequest(
        question=state["question"],
        today=parts.today(),
        tools=[parts.cards[name] for name in state["chosen"]],
        history=state["turns"],
        results=state["results"],
        must_call=state["must_call"],
        fault=state["fault"],
        choices=state["choices"],
    )
    with rendered_versions() as versions:
        plan = parts.planner.plan(request)
    new = [notice for notice in plan.notices if notice not in state["notices"]]
    return Out(
        planned=list(plan.calls),
        plan_truncated=plan.truncated,
        draft=plan.text,
        refusal=plan.refusal,
        more=plan.more,
        notices=[*state["notices"], *new],
        prompt_versions={**state["prompt_versions"], **versions},
    )
