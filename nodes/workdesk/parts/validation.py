"""What a check of calls is given, what it finds, and the draft of a call that its steps work on."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from mindatlas.nodes.text import language_of
from mindatlas.nodes.workdesk.parts.calls import (
    CallFault,
    CheckedCall,
    Choice,
    Clarification,
    Repair,
    RepairKind,
    ToolResult,
)
from mindatlas.nodes.workdesk.parts.parameters import Parameter
from mindatlas.nodes.workdesk.parts.tool_access import ToolAccess
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard

FaultKind = Literal[
    "truncated", "not_json", "not_object", "unknown_tool", "unknown_argument", "missing_argument", "wrong_type",
    "not_allowed", "time_range", "unbounded", "unknown_name", "placeholder",
]  # fmt: skip
QuestionKind = Literal["which_name", "time_range", "missing_argument", "approve_call"]


@dataclass(frozen=True, kw_only=True)
class ValidationContext:
    """What calls are checked against.

    Attributes:
        cards: all registered tools by name.
        access: where directories of names are read.
        today: the day that 上个月 is counted from.
        history: earlier turns as `{"role", "content"}`, oldest first.
        results: what came back so far.
        choices: what the user decided when asked, by clarification key.
        disabled: repairs that are switched off.
        approved: clarification keys of the writing calls that the user approved.
        turn: names the question within its thread: what is asked for one question is not taken for another.
    """

    question: str
    cards: Mapping[str, ToolCard]
    access: ToolAccess
    today: date
    history: Sequence[Mapping[str, Any]] = ()
    results: Sequence[ToolResult] = ()
    choices: Mapping[str, Any] = field(default_factory=dict)
    disabled: Collection[RepairKind] = ()
    approved: Collection[str] = ()
    turn: str = ""

    def enabled(self, kind: RepairKind) -> bool:
        """Return whether the repair `kind` is switched on."""
        return kind not in self.disabled

    def say(self, zh: str, en: str) -> str:
        """Return the text in the question's language."""
        return en if language_of(self.question) == "en" else zh


def scope_of(context: ValidationContext) -> str:
    """Return what names this question, so that its answers are not taken for another one's."""
    return context.turn or hashlib.sha256(context.question.encode()).hexdigest()[:12]


@dataclass(frozen=True, kw_only=True)
class Validation:
    """What is to be done with a plan's calls.

    Attributes:
        calls: may be made as they are; none while the user is asked.
        faults: why the others may not.
        repairs: what was changed, all calls together.
        clarification: what only the user can say, before any call is made.
        stated: sentences that the answer must carry.
    """

    calls: list[CheckedCall] = field(default_factory=list)
    faults: list[CallFault] = field(default_factory=list)
    repairs: list[Repair] = field(default_factory=list)
    clarification: Clarification | None = None
    stated: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class Draft:
    """One call on its way through the checks.

    `siblings` counts the other calls of its tool in the plan and before. Faults are kept by parameter, so that they
    go when the parameter goes.
    """

    id: str
    card: ToolCard
    parameters: Mapping[str, Parameter]
    args: dict[str, Any]
    siblings: int = 0
    repairs: list[Repair] = field(default_factory=list)
    faults: dict[str, CallFault] = field(default_factory=dict)
    question: Clarification | None = None
    stated: list[str] = field(default_factory=list)

    def repair(self, kind: RepairKind, before: Any, after: Any, reason: str) -> None:
        """Write down a change that was made."""
        self.repairs.append(Repair(kind=kind, before=before, after=after, reason=reason, tool=self.card.name))

    def set(self, kind: RepairKind, name: str, value: Any, reason: str) -> None:
        """Give an argument another value, and write that down."""
        before = {name: self.args[name]} if name in self.args else {}
        self.args[name] = value
        self.repair(kind, before, {name: value}, reason)

    def strip(self, kind: RepairKind, name: str, reason: str) -> None:
        """Take an argument out, with what was wrong with it, and write that down."""
        self.faults.pop(name, None)
        self.repair(kind, {name: self.args.pop(name)}, {}, reason)

    def fault(self, kind: FaultKind, name: str, message: str) -> None:
        """Write down why the call cannot be made; the first fault of a parameter counts."""
        self.faults.setdefault(name, CallFault(tool=self.card.name, kind=kind, message=message))

    def ask(self, kind: QuestionKind, key: str, message: str, choices: Sequence[Choice] = ()) -> None:
        """Write down what the user must say first; one question at a time, the first counts."""
        from mindatlas.nodes.workdesk.parts.clarifications import clarification

        if self.question is None:
            self.question = clarification(kind, key, message, choices, tool=self.card.name, args=self.args)

    def by_role(self, role: str) -> str | None:
        """Return the name of the first parameter that has `role`, None when the tool has none."""
        return next((name for name, parameter in self.parameters.items() if parameter.role == role), None)

    def optional(self, name: str) -> bool:
        """Return whether the call is complete without the parameter."""
        parameter = self.parameters.get(name)
        return parameter is None or not parameter.required
