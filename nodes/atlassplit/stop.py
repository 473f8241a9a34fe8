"""Node: end a run whose result does not hold, and say why."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.rounds import Round
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts

REASONS = {
    "declined": "The program was not approved, so it did not run.",
    "rounds_used_up": "No program of the allowed rounds gave a result that holds.",
    "same_code": "The writer came back with a program that had failed already.",
    "forbidden": "The programs need what the sandbox does not have or does not allow.",
    "token_budget": "The token budget is spent.",
    "cost_budget": "The cost budget is spent, or the price of the model is not known.",
    "time_budget": "The time budget is spent.",
    "regeneration_budget": "The precheck has sent back as many programs as are allowed.",
}


class In(TypedDict):
    """What the node reads."""

    declined: bool
    stop_reason: str
    rounds: list[Round]
    notices: list[str]


class Out(TypedDict):
    """What the node writes."""

    status: Literal["stopped", "failed"]
    stop_reason: str
    notices: list[str]


def stop(state: In, parts: AtlasSplitParts) -> Out:
    """Return the end of the run: failed when all rounds were used, stopped when a rule ended it before."""
    reason = "declined" if state["declined"] else state["stop_reason"]
    return Out(
        status="failed" if reason == "rounds_used_up" else "stopped",
        stop_reason=reason,
        notices=[*state["notices"], *_told(reason, state["rounds"])],
    )


def _told(reason: str, rounds: list[Round]) -> list[str]:
    last: Any = rounds[-1] if rounds and reason != "declined" else None
    evidence = [f"The last round ended with {last['error_type']}: {last['evidence']}"] if last else []
    return [REASONS[reason], *evidence]
