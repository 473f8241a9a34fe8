"""One reply of a graph as an observation: scored and passed or not, or an infrastructure error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Scored
from mindatlas.evals.measures.registry import score_all
from mindatlas.evals.regression.stages import trace_of
from mindatlas.evals.suite import Suite

VARIANT = "run"


class Observation(TypedDict):
    """One line of a results file; `undefined` says why a measure has no value."""

    protocol: str
    case: str
    case_type: str
    content_hash: str
    variant: str
    repetition: int
    state: Literal["scored", "infra-error"]
    passed: bool | None
    budget_exceeded: bool
    duration_s: float
    cost: float | None
    reason: str
    scores: dict[str, float | None]
    undefined: dict[str, str]
    trace: dict[str, Any]
    started: str


def observe(
    suite: Suite, measures: Mapping[str, Measure], case: Case, reply: Mapping[str, Any], protocol: str
) -> Observation:
    """Return the observation for a reply; without an output it is an infrastructure error and passes nothing."""
    output = reply["output"]
    scored = score_all(measures, case, output) if output is not None else {}
    return Observation(
        protocol=protocol,
        case=case.id,
        case_type=case.case_type,
        content_hash=case.content_hash,
        variant=VARIANT,
        repetition=0,
        state="infra-error" if output is None else "scored",
        passed=None if output is None else not failures(suite, scored),
        budget_exceeded=False,
        duration_s=round(float(reply["duration_s"]), 6),
        cost=reply["cost"],
        reason=str(reply["error"]) if output is None else "; ".join(failures(suite, scored)),
        scores={name: score.value for name, score in scored.items()},
        undefined={name: score.reason for name, score in scored.items() if score.value is None},
        trace={} if output is None else trace_of(suite.graph, case, output),
        started=reply.get("started", ""),
    )


def failures(suite: Suite, scored: Mapping[str, Scored]) -> list[str]:
    """Return which measures keep a case from passing, as `name 0.5`; a measure that is not defined keeps it from nothing."""
    values = {name: scored[name].value for name in suite.passes_when}
    bounds = suite.passes_when
    return [f"{name} {v:g}" for name, v in values.items() if v is not None and not bounds[name].holds(v)]
