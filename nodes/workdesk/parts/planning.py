"""The seam between rules and models in Workdesk: who plans calls, and who writes the reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from mindatlas.nodes.workdesk.parts.calls import RawCall, ToolResult
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard


@dataclass(frozen=True, kw_only=True)
class PlanRequest:
    """What a planner gets.

    Attributes:
        history: earlier turns as `{"role": "user" | "assistant", "content"}`, oldest first.
        tools: the tools that were chosen for the question.
        results: what came back so far, in order, failed calls included.
        today: the day that 上个月 is counted from.
        must_call: a retry after a pseudo call or a malformed one: text alone will not do.
        fault: what was wrong with the last attempt, to be told to the model; empty on the first.
        choices: what the user has decided when asked, by clarification key.
    """

    question: str
    today: date
    tools: Sequence[ToolCard]
    history: Sequence[Mapping[str, Any]] = ()
    results: Sequence[ToolResult] = ()
    must_call: bool = False
    fault: str = ""
    choices: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a planner wants: calls, or text, or neither when all needed results are there.

    Attributes:
        text: what a model wrote beside or instead of calls; it is the draft of the reply when there are no calls.
        truncated: the model's reply was cut off at its length limit.
        refusal: why the planner cannot do this, with what it can; empty when it can.
        more: the planner wants to be asked again when these calls are done.
        notices: what the user should know of how the question was read.
    """

    calls: Sequence[RawCall] = ()
    text: str = ""
    truncated: bool = False
    refusal: str = ""
    more: bool = False
    notices: Sequence[str] = ()


class CallPlanner(Protocol):
    """Plans the calls that a question needs."""

    def plan(self, request: PlanRequest) -> Plan:
        """Return the next calls, unchecked, or none."""
        ...


@dataclass(frozen=True, kw_only=True)
class ReplyRequest:
    """What a reply writer gets.

    Attributes:
        draft: the text that the planner's model already wrote, empty where it was rejected; a writer may return it.
        fault: what was wrong with the last reply, to be told to the model; empty on the first.
        stated: sentences that the answer must carry: which name was meant, which days, which clock.
    """

    question: str
    language: str
    today: date
    tools: Sequence[ToolCard]
    history: Sequence[Mapping[str, Any]] = ()
    results: Sequence[ToolResult] = ()
    draft: str = ""
    fault: str = ""
    stated: Sequence[str] = ()


class ReplyWriter(Protocol):
    """Writes the reply from the rows that the tools brought, and from nothing else."""

    def reply(self, request: ReplyRequest) -> str:
        """Return the reply as Markdown text; a chart stands in it as a fenced ```chart block of JSON."""
        ...
