"""Node: write the reply from what the tools brought."""

from __future__ import annotations

from typing_extensions import TypedDict

from mindatlas.nodes.text import language_of
from mindatlas.nodes.workdesk.parts.calls import CallFault, ToolResult
from mindatlas.nodes.workdesk.parts.history import Message
from mindatlas.nodes.workdesk.parts.planning import ReplyRequest
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts
from mindatlas.prompts import rendered_versions


class In(TypedDict):
    """What the node reads."""

    question: str
    turns: list[Message]
    chosen: list[str]
    results: list[ToolResult]
    faults: list[CallFault]
    draft: str
    refusal: str
    declined: bool
    more: bool
    fault: str
    stated: list[str]
    prompt_versions: dict[str, str]


class Out(TypedDict):
    """What the node writes."""

    reply: str
    stop_reason: str
    prompt_versions: dict[str, str]


def reply(state: In, parts: WorkdeskParts) -> Out:
    """Return the reply and how the run ends unless a check finds fault with it."""
    if state["refusal"]:
        return Out(reply=state["refusal"], stop_reason="refused", prompt_versions=state["prompt_versions"])
    request = ReplyRequest(
        question=state["question"],
        language=language_of(state["question"]),
        today=parts.today(),
        tools=[parts.cards[name] for name in state["chosen"]],
        history=state["turns"],
        results=state["results"],
        draft=state["draft"],
        fault=state["fault"],
        stated=state["stated"],
    )
    with rendered_versions() as versions:
        text = parts.writer.reply(request)
    prompt_versions = {**state["prompt_versions"], **versions}
    return Out(reply=text, stop_reason=_stop_reason(state), prompt_versions=prompt_versions)


def _stop_reason(state: In) -> str:
    results = state["results"]
    if state["declined"]:
        return "declined"
    if results and all(result["error"] for result in results):
        return results[-1]["error_kind"] or "tool_error"
    return "max_calls" if state["more"] and not state["draft"] else "answered"
