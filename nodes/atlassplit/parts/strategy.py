"""What comes after a failed round: the rules of repair, change of approach, and stopping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.atlassplit.parts.error_types import ErrorType
from mindatlas.nodes.errors import UsageError

Strategy = Literal["repair", "change_strategy", "optimize", "stop"]
StopReason = Literal["rounds_used_up", "same_code", "forbidden"]

_LATER_ROUNDS: Mapping[ErrorType, Strategy] = {
    "E0": "change_strategy",
    "E1": "repair",
    "E2": "repair",
    "E3": "change_strategy",
    "E4": "repair",
    "E5": "change_strategy",
    "E6": "stop",
    "E7": "optimize",
}


@dataclass(frozen=True, kw_only=True)
class RoundFact:
    """A failed round: the kind of its failure and the hash of the program that ran."""

    error_type: ErrorType
    code_sha256: str


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The next step; `stop_reason` is None unless it is `stop`."""

    strategy: Strategy
    stop_reason: StopReason | None = None


def choose(history: Sequence[RoundFact], *, max_rounds: int) -> Choice:
    """Return what to do after the last round of `history`.

    After the last allowed round: stop. The same program again: another approach under E3 and E5, stop under
    any other kind, and stop when it comes a third time. Else after the first round `repair`, after later ones
    by the kind of failure.

    Args:
        history: The failed rounds so far, oldest first; a round is an execution.
        max_rounds: Rounds that are allowed in all, 1 or more.

    Raises:
        UsageError: `history` is empty, so no round has failed.
    """
    if not history:
        raise UsageError(
            "choose needs at least one failed round; before the first there is nothing to choose"
        )
    last = history[-1]
    if len(history) >= max_rounds:
        return Choice(strategy="stop", stop_reason="rounds_used_up")
    runs = sum(fact.code_sha256 == last.code_sha256 for fact in history)
    if runs > 2 or (runs == 2 and last.error_type not in {"E3", "E5"}):
        return Choice(strategy="stop", stop_reason="same_code")
    if len(history) == 1:
        return Choice(strategy="repair")
    strategy = _LATER_ROUNDS[last.error_type]
    return Choice(strategy=strategy, stop_reason="forbidden" if strategy == "stop" else None)
