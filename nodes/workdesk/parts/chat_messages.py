"""The messages that Workdesk's chat model is asked with: conversation, question, and what the tools brought."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from mindatlas.nodes.text import language_of
from mindatlas.nodes.workdesk.parts.calls import ToolResult
from mindatlas.nodes.workdesk.parts.planning import PlanRequest
from mindatlas.prompts import render, unfenced

LANGUAGES = {"zh": "Simplified Chinese", "en": "English"}
_TURNS = 12  # earlier messages that are sent


def plan_messages(request: PlanRequest) -> list[BaseMessage]:
    """Return the messages of one planning step; every tool call in them has its result."""
    system = render(
        "workdesk/plan_call",
        today=request.today.isoformat(),
        language=LANGUAGES[language_of(request.question)],
    )
    messages: list[BaseMessage] = [SystemMessage(system)]
    for turn in request.history[-_TURNS:]:
        kind = AIMessage if turn.get("role") == "assistant" else HumanMessage
        messages.append(kind(str(turn.get("content", ""))))
    messages.append(HumanMessage(request.question))
    messages += _tool_messages(request.results)
    if request.fault:
        retry = render(
            "workdesk/plan_call_retry", fault=unfenced(request.fault), question=unfenced(request.question)
        )
        messages.append(HumanMessage(retry))
    return messages


def _tool_messages(results: Sequence[ToolResult]) -> list[BaseMessage]:
    """Return one message of calls and one of result for each; the ids are made here, so that none dangles.

    What came back may bear no id (a call that could not be made) or another's (a run by the other clock).
    """
    if not results:
        return []
    ids = [f"result_{number}" for number, _ in enumerate(results, start=1)]
    calls: list[Any] = [
        {"id": name, "name": result["tool"], "args": result["args"], "type": "tool_call"}
        for name, result in zip(ids, results, strict=True)
    ]
    answers = [
        ToolMessage(fenced(result), tool_call_id=name, status="error" if result["error"] else "success")
        for name, result in zip(ids, results, strict=True)
    ]
    return [AIMessage("", tool_calls=calls), *answers]


def fenced(result: ToolResult) -> str:
    """Return what a call brought, fenced as data, with its arguments and the clock that it counts by."""
    labels = {
        "name": result["tool"],
        "counted by": result["clock"],
        "args": json.dumps(result["args"], ensure_ascii=False),
    }
    head = " ".join(
        f'{name.replace(" ", "_")}="{_attribute(value)}"' for name, value in labels.items() if value
    )
    return f"<tool {head}>\n{unfenced(_body(result))}\n</tool>"


def _attribute(value: str) -> str:
    return " ".join(unfenced(value).replace('"', "'").split())


def _body(result: ToolResult) -> str:
    if result["error"]:
        return f"The call failed: {result['error']}"
    content = result["content"] or json.dumps(result["rows"], ensure_ascii=False)
    if not result["truncated"] and result["n_rows"] <= len(result["rows"]):
        return content
    return f"{content}\n(Cut: {result['n_rows']} rows in all.)"
