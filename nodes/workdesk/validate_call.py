"""Node: check the planned calls before any of them is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.workdesk.parts.call_validator import CallValidator, ValidationContext
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

_VALIDATOR = CallValidator()  # keeps compiled schemas only


class In(TypedDict):
    """What the node reads."""

    turn_id: str
    question: str
    turns: list[Message]
    planned: list[RawCall]
    plan_truncated: bool
    results: list[ToolResult]
    choices: dict[str, Any]
    repairs: list[Repair]
    stated: list[str]


class Out(TypedDict):
    """What the node writes."""

    calls: list[CheckedCall]
    faults: list[CallFault]
    clarification: Clarification | None
    repairs: list[Repair]
    stated: list[str]


def validate_call(state: In, parts: WorkdeskParts) -> Out:
    """Return the calls that may be made, why the others may not, what was changed, and what only the user can say.

    Changes are written down once, when nothing is left to ask: the calls are checked again after each answer.
    """
    checked = _VALIDATOR.validate(
        state["planned"], truncated=state["plan_truncated"], context=_context(state, parts)
    )
    asking = checked.clarification is not None
    new = [line for line in checked.stated if line not in state["stated"]]
    return Out(
        calls=checked.calls,
        faults=[] if asking else checked.faults,
        clarification=checked.clarification,
        repairs=state["repairs"] if asking else [*state["repairs"], *checked.repairs],
        stated=state["stated"] if asking else [*state["stated"], *new],
    )


def _context(state: In, parts: WorkdeskParts) -> ValidationContext:
    return ValidationContext(
        question=state["question"],
        cards=parts.cards,
        access=parts.access,
        today=parts.today(),
        history=state["turns"],
        results=state["results"],
        choices=state["choices"],
        disabled=parts.settings.disabled,
        approved=_approved(state["choices"]),
        turn=state["turn_id"],
    )


def _approved(choices: Mapping[str, Any]) -> list[str]:
    return [key for key, value in choices.items() if key.startswith("approve_call:") and value == "approve"]
