"""What goes wrong by type, and how much of it a run heals by itself.

self_heal_rate_eK: of the runs in which a round failed with type EK, 1 when the run succeeds in a later round, else 0.
    Undefined where no round failed so. Range {0, 1}, higher is better.
error_share_eK: of the failed rounds of a run, the share of type EK: the mean over runs counts each run with a
    failure once, so that one long run does not outweigh others (the pooled share over rounds is what
    `eval migrations` counts). Undefined where no round failed. Range [0, 1]; lower is better only of itself: a share
    falls when another rises.

A fault that the precheck finds never becomes a failed round; it is counted by `precheck_regenerations`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

from mindatlas.evals.measures.atlassplit_success import Rounds, succeeded, where_ran
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value
from mindatlas.nodes.atlassplit.parts.error_types import ErrorType

ERROR_TYPES: tuple[ErrorType, ...] = get_args(ErrorType)


def _healed(kind: ErrorType) -> Callable[[Output], Scored]:
    def score(output: Output) -> Scored:
        rounds: Rounds = output["rounds"]
        if kind not in {round_["error_type"] for round_ in rounds}:
            return undefined(f"no round failed with {kind}")
        return value(succeeded(rounds[-1]))

    return score


def _share(kind: ErrorType) -> Callable[[Output], Scored]:
    def score(output: Output) -> Scored:
        rounds: Rounds = output["rounds"]
        failed = [round_["error_type"] for round_ in rounds if not succeeded(round_)]
        return value(failed.count(kind) / len(failed)) if failed else undefined("no round failed")

    return score


SELF_HEAL_RATES = tuple(
    Measure(
        name=f"self_heal_rate_{kind.lower()}", version=1, direction="higher", score=where_ran(_healed(kind))
    )
    for kind in ERROR_TYPES
)
ERROR_SHARES = tuple(
    Measure(name=f"error_share_{kind.lower()}", version=1, direction="lower", score=where_ran(_share(kind)))
    for kind in ERROR_TYPES
)
