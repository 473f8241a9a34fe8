"""Success by round: of the runs that executed a program, which passed their own checks, and when.

A round is an execution; it succeeds when the program ran and every assertion held. Whether the result is the
expected one is another measure (`result_correctness`). All are undefined where no program ran (a refusal).

first_execution_success: 1 when the first execution succeeds, however often the precheck sent a program back before.
first_execution_success_unaided: 1 when it succeeds and the precheck sent nothing back before it.
success_round_n: of the runs whose round n-1 failed, 1 when round n succeeds, else 0; a run that a rule stopped
    after round n-1 counts 0. Undefined where round n-1 did not run, or succeeded.
alternative_gain: 1 when the run succeeds in a round that changed the approach (`change_strategy`): the mean is the
    share of runs gained by it.
success_within_rounds: 1 when the run succeeds in any round that it is allowed.

Range {0, 1}, higher is better. The precheck's regenerations are counted over the whole run; where the first
execution succeeds, all of them came before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value

LAST_ROUND = 3  # of the default settings
NOTHING_RAN = "no program was executed"
Rounds = Sequence[Mapping[str, Any]]


def where_ran(score: Callable[[Output], Scored]) -> Callable[[Case, Output], Scored]:
    """Return a measure of a run, undefined where no program was executed."""

    def measured(case: Case, output: Output) -> Scored:  # noqa: ARG001 every measure takes both
        return score(output) if output["rounds"] else undefined(NOTHING_RAN)

    return measured


def succeeded(round_: Mapping[str, Any]) -> bool:
    """Return whether a round's program ran and every assertion held."""
    return round_["error_type"] is None


def _first(output: Output) -> Scored:
    return value(succeeded(output["rounds"][0]))


def _first_unaided(output: Output) -> Scored:
    return value(succeeded(output["rounds"][0]) and not output["precheck_regenerations"])


def _round(number: int) -> Callable[[Output], Scored]:
    def score(output: Output) -> Scored:
        rounds: Rounds = output["rounds"]
        if len(rounds) < number - 1 or succeeded(rounds[number - 2]):
            return undefined(f"round {number - 1} did not fail")
        return value(len(rounds) >= number and succeeded(rounds[number - 1]))

    return score


def _alternative(output: Output) -> Scored:
    last = output["rounds"][-1]
    return value(succeeded(last) and last["strategy"] == "change_strategy")


def _within(output: Output) -> Scored:
    return value(succeeded(output["rounds"][-1]))


def _measure(name: str, score: Callable[[Output], Scored]) -> Measure:
    return Measure(name=name, version=1, direction="higher", score=where_ran(score))


FIRST_EXECUTION_SUCCESS = _measure("first_execution_success", _first)
FIRST_EXECUTION_SUCCESS_UNAIDED = _measure("first_execution_success_unaided", _first_unaided)
SUCCESS_BY_ROUND = tuple(_measure(f"success_round_{n}", _round(n)) for n in range(2, LAST_ROUND + 1))
ALTERNATIVE_GAIN = _measure("alternative_gain", _alternative)
SUCCESS_WITHIN_ROUNDS = _measure("success_within_rounds", _within)
