"""Workdesk: answers questions over work orders by tools of MCP servers, and checks every call and reply.

Example:
    >>> graph = build_workdesk().compile()
    >>> done = graph.invoke({"question": "上个月各班组有多少工单？"})  # doctest: +SKIP
    >>> [call["clock"] for call in done["tool_calls"]]  # doctest: +SKIP
    ['创建时间', '完成时间']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired

from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from mindatlas.nodes.tracing import Node, Trace, traced
from mindatlas.nodes.workdesk.admit import admit
from mindatlas.nodes.workdesk.align_chart import align_chart
from mindatlas.nodes.workdesk.ask_user import ask_user
from mindatlas.nodes.workdesk.call_tool import call_tool
from mindatlas.nodes.workdesk.choose_tools import choose_tools
from mindatlas.nodes.workdesk.more import more
from mindatlas.nodes.workdesk.parts.call_views import CallView
from mindatlas.nodes.workdesk.parts.calls import (
    CallFault,
    CheckedCall,
    Clarification,
    RawCall,
    Repair,
    ToolResult,
)
from mindatlas.nodes.workdesk.parts.history import Message
from mindatlas.nodes.workdesk.parts.repair_events import logged
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts, WorkdeskSettings, open_parts
from mindatlas.nodes.workdesk.plan_call import plan_call
from mindatlas.nodes.workdesk.reply import reply
from mindatlas.nodes.workdesk.rerun_dual_time import rerun_dual_time
from mindatlas.nodes.workdesk.retry_call import retry_call
from mindatlas.nodes.workdesk.retry_reply import retry_reply
from mindatlas.nodes.workdesk.validate_call import validate_call
from mindatlas.nodes.workdesk.verify_reply import verify_reply

__all__ = ["WorkdeskParts", "WorkdeskSettings", "build_workdesk", "graph", "open_parts"]


class WorkdeskInput(TypedDict):
    """A question; `history` is a conversation that the host keeps itself, instead of a thread."""

    question: str
    history: NotRequired[list[Message]]


class WorkdeskOutput(Trace):
    """The answer and everything that led to it."""

    question: str
    model: str
    prompt_versions: dict[str, str]
    answer: str
    tool_calls: list[CallView]
    repairs: list[Repair]
    verification: list[dict[str, str]]
    clarification: Clarification | None
    chart: dict[str, Any] | None
    notices: list[str]
    stop_reason: str


class WorkdeskState(WorkdeskInput, Trace):
    """Everything the nodes hand on; `turns` and `choices` are what a thread keeps for the next question."""

    turn_id: str
    model: str
    prompt_versions: dict[str, str]
    turns: list[Message]
    choices: dict[str, Any]
    chosen: list[str]
    max_calls: int
    retries_allowed: int
    planned: list[RawCall]
    plan_truncated: bool
    draft: str
    refusal: str
    more: bool
    calls: list[CheckedCall]
    faults: list[CallFault]
    clarification: Clarification | None
    declined: bool
    results: list[ToolResult]
    latest: int
    tool_calls: list[CallView]
    stated: list[str]
    reply: str
    verdict: str
    fault: str
    must_call: bool
    retries: int
    verification: list[dict[str, str]]
    repairs: list[Repair]
    answer: str
    chart: dict[str, Any] | None
    notices: list[str]
    stop_reason: str


def route_after_validate_call(
    state: Mapping[str, Any],
) -> Literal["ask_user", "call_tool", "retry_call", "admit", "reply"]:
    """Ask what only the user knows, make the calls that hold; with none that does, retry once, then say so."""
    if state["clarification"] is not None:
        return "ask_user"
    if state["calls"]:
        return "call_tool"
    if state["faults"]:
        return "retry_call" if state["retries"] < state["retries_allowed"] else "admit"
    return "reply"


def route_after_ask_user(state: Mapping[str, Any]) -> Literal["validate_call", "reply"]:
    """Check the calls again with the user's choice; a declined call ends the run."""
    return "reply" if state["declined"] else "validate_call"


def route_after_rerun_dual_time(state: Mapping[str, Any]) -> Literal["more", "reply"]:
    """Plan on while the planner wants more, calls are left, and a server still answers."""
    gone = any(result["error_kind"] == "server_gone" for result in state["results"][state["latest"] :])
    made = sum(not result["error"] for result in state["results"])
    failures = len(state["results"]) - made
    return "more" if state["more"] and not gone and max(made, failures) < state["max_calls"] else "reply"


def route_after_verify_reply(
    state: Mapping[str, Any],
) -> Literal["retry_call", "retry_reply", "admit", "align_chart"]:
    """Retry once: a pseudo call as a call, a wrong “none” or an empty reply as a reply; then say so plainly."""
    verdict = state["verdict"]
    if verdict == "ok":
        return "align_chart"
    if state["retries"] >= state["retries_allowed"]:
        return "admit"
    return "retry_call" if verdict == "pseudo_call" else "retry_reply"


_NODES: tuple[Node, ...] = (
    plan_call,
    validate_call,
    ask_user,
    call_tool,
    rerun_dual_time,
    more,
    reply,
    verify_reply,
    retry_call,
    retry_reply,
    admit,
    align_chart,
)


def build_workdesk(
    parts: WorkdeskParts | None = None,
) -> StateGraph[WorkdeskState, WorkdeskSettings, WorkdeskInput, WorkdeskOutput]:
    """Return the graph, uncompiled, so that the host chooses checkpointer, cache and store.

    A question to the user needs a checkpointer: the run waits in it.

    Args:
        parts: the live parts to use; without, they are opened for the settings passed as `context` (or the
            defaults) and kept.
    """

    def parts_of(context: WorkdeskSettings | None) -> WorkdeskParts:
        return parts or open_parts(context or WorkdeskSettings())

    builder = StateGraph(
        WorkdeskState,
        context_schema=WorkdeskSettings,
        input_schema=WorkdeskInput,
        output_schema=WorkdeskOutput,
    )
    builder.add_node("choose_tools", traced("choose_tools", choose_tools, parts_of, first=True))
    for node in _NODES:
        builder.add_node(node.__name__, traced(node.__name__, logged(node), parts_of))

    builder.add_edge(START, "choose_tools")
    builder.add_edge("choose_tools", "plan_call")
    builder.add_edge("plan_call", "validate_call")
    builder.add_conditional_edges("validate_call", route_after_validate_call)
    builder.add_conditional_edges("ask_user", route_after_ask_user)
    builder.add_edge("call_tool", "rerun_dual_time")
    builder.add_conditional_edges("rerun_dual_time", route_after_rerun_dual_time)
    builder.add_edge("more", "plan_call")
    builder.add_edge("reply", "verify_reply")
    builder.add_conditional_edges("verify_reply", route_after_verify_reply)
    builder.add_edge("retry_call", "plan_call")
    builder.add_edge("retry_reply", "reply")
    builder.add_edge("admit", "align_chart")
    builder.add_edge("align_chart", END)
    return builder


# Twenty calls in rounds of their own, each asked about once, would be 160 steps: the fuse lies above that.
graph = build_workdesk().compile(name="workdesk").with_config(recursion_limit=200)
