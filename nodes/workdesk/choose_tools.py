"""Node: choose the tools for a question."""

from __future__ import annotations

import uuid
from typing import Any, NotRequired

from typing_extensions import TypedDict

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.models import model_kind
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
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts

LONGEST_QUESTION = 4000  # characters
_ROLES = ("user", "assistant")


class In(TypedDict):
    """What the node reads; `turns` and `choices` are what a thread kept of the questions before."""

    question: str
    history: NotRequired[list[Message]]
    turns: NotRequired[list[Message]]
    choices: NotRequired[dict[str, Any]]


class Out(TypedDict):
    """What the node writes: the chosen tools, and a clean slate for everything that belongs to one question."""

    question: str
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


def choose_tools(state: In, parts: WorkdeskParts) -> Out:
    """Return the names of the tools for the question, the best first, and what the user should know of them.

    Raises:
        UsageError: the question is empty, longer than 4,000 characters, or `history` has another form.
        SetupError: no tool server starts.
    """
    question = _checked(state["question"])
    turns = state.get("turns") or _history(state.get("history"))
    selection = parts.chooser.select(question, turns)
    return Out(
        question=question,
        turn_id=uuid.uuid4().hex,
        model=parts.settings.model,
        prompt_versions={},
        turns=turns,
        choices=state.get("choices") or {},
        chosen=[card.name for card in selection.cards],
        max_calls=parts.settings.max_calls,
        retries_allowed=parts.settings.retries,
        planned=[],
        plan_truncated=False,
        draft="",
        refusal="",
        more=False,
        calls=[],
        faults=[],
        clarification=None,
        declined=False,
        results=[],
        latest=0,
        tool_calls=[],
        stated=[],
        reply="",
        verdict="",
        fault="",
        must_call=False,
        retries=0,
        verification=[],
        repairs=[],
        answer="",
        chart=None,
        notices=[*_notices(parts), *(_left_out(name, word) for name, word in selection.left_out.items())],
        stop_reason="",
    )


def _notices(parts: WorkdeskParts) -> list[str]:
    simulated = model_kind(parts.settings.model) == "faulty"
    return [*parts.access.notices(), *(["Simulated faults, not a language model."] if simulated else [])]


def _left_out(tool: str, word: str) -> str:
    return f"The tool {tool!r} was left out: the question says {word!r}"


def _history(messages: Any) -> list[Message]:
    """Return a conversation held elsewhere, checked: `{"role", "content"}` objects with text."""
    for message in messages or []:
        known = isinstance(message, dict) and message.get("role") in _ROLES
        if not known or not isinstance(message.get("content"), str):
            raise UsageError(
                "'history' must hold objects with 'role' (user or assistant) and text under 'content', "
                f"not {message!r}"
            )
    return [Message(role=message["role"], content=message["content"]) for message in messages or []]


def _checked(question: Any) -> str:
    text = question.strip() if isinstance(question, str) else ""
    if not text:
        raise UsageError("The question is empty; write what you want to know")
    if len(text) > LONGEST_QUESTION:
        raise UsageError(f"The question has {len(text):,} characters; at most {LONGEST_QUESTION:,} are read")
    return text
