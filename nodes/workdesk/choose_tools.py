"""Node: choose the tools for a question, among as many as the servers have."""

from __future__ import annotations

import uuid
from typing import Any, NotRequired

from typing_extensions import TypedDict

from mindatlas.nodes.workdesk.parts.call_views import CallView
from mindatlas.nodes.workdesk.parts.calls import CallFault, Clarification, Repair, ToolResult
from mindatlas.nodes.workdesk.parts.history import Message
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts


class In(TypedDict):
    """What the node reads."""

    question: str
    history: NotRequired[list[Message]]
    turns: NotRequired[list[Message]]
    choices: NotRequired[dict[str, Any]]


class Out(TypedDict):
    """What the node writes: the chosen tools, and an empty record for the turn that begins."""

    turn_id: str
    model: str
    turns: list[Message]
    choices: dict[str, Any]
    chosen: list[str]
    max_calls: int
    retries_allowed: int
    results: list[ToolResult]
    faults: list[CallFault]
    repairs: list[Repair]
    stated: list[str]
    clarification: Clarification | None
    declined: bool
    retries: int
    must_call: bool
    fault: str
    tool_calls: list[CallView]
    answer: str
    verification: list[dict[str, str]]
    chart: dict[str, Any] | None
    prompt_versions: dict[str, str]
    notices: list[str]
    stop_reason: str


def choose_tools(state: In, parts: WorkdeskParts) -> Out:
    """Return the names of the tools that fit the question; what the turn before left is put away."""
    turns = state.get("history") or state.get("turns") or []
    chosen = parts.chooser.choose(state["question"], turns)
    return Out(
        turn_id=uuid.uuid4().hex,
        model=parts.settings.model,
        turns=turns,
        choices=state.get("choices") or {},
        chosen=[card.name for card in chosen],
        max_calls=parts.settings.max_calls,
        retries_allowed=parts.settings.retries,
        results=[],
        faults=[],
        repairs=[],
        stated=[],
        clarification=None,
        declined=False,
        retries=0,
        must_call=False,
        fault="",
        tool_calls=[],
        answer="",
        verification=[],
        chart=None,
        prompt_versions={},
        notices=list(parts.access.notices()),
        stop_reason="",
    )
