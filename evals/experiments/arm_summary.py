"""What one variant's runs say by themselves: rates, repetitions, flaky cases, cost and latency."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mindatlas.evals.experiments.completeness import Outcome
from mindatlas.evals.experiments.plan import Arm, Plan
from mindatlas.evals.statistics import Interval, pass_at_k, pass_hat_k, wilson

NOT_ASSESSABLE = "not assessable with one repetition"


@dataclass(frozen=True, kw_only=True)
class Rate:
    """The share of runs that passed, with its Wilson interval.

    Repetitions of a case are no independent cases, so the interval counts cases, not runs.
    """

    rate: float
    passed: int
    runs: int
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class Flaky:
    """Cases with both outcomes in one variant; None where one repetition cannot show it (never 0)."""

    cases: tuple[str, ...] | None
    interval: Interval | None
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What the runs cost; `text` reads ">= x" where some did not say."""

    known_total: float
    unknown: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Latency:
    """Seconds of a run."""

    mean: float
    median: float
    p95: float


@dataclass(frozen=True, kw_only=True)
class ArmSummary:
    """One variant; everything but the counts of runs is None while the experiment is incomplete.

    Attributes:
        budget_exceeded: runs that failed because they exceeded the budget; None where there is no budget.
        pass_at_k: by k, the mean over cases that at least one of k runs passes.
        pass_hat_k: by k, the mean over cases that all of k runs pass.
        cost: of the valid runs; shown in any case, and no part of the headline.
    """

    variant: str
    planned: int
    valid: int
    rate: Rate | None
    budget_exceeded: int | None
    flaky: Flaky | None
    pass_at_k: dict[int, float] | None
    pass_hat_k: dict[int, float] | None
    cost: Cost
    latency: Latency | None


def summarise(plan: Plan, variant: str, valid: Mapping[Arm, Outcome], *, complete: bool) -> ArmSummary:
    """Return the summary of `variant` among the valid results."""
    outcomes = [outcome for arm, outcome in valid.items() if arm.variant == variant]
    passes = passes_by_case(plan, variant, valid) if complete else []
    return ArmSummary(
        variant=variant,
        planned=len(plan.cases) * plan.repetitions,
        valid=len(outcomes),
        rate=_rate(passes, plan.repetitions) if complete else None,
        budget_exceeded=sum(o.budget_exceeded for o in outcomes) if plan.budget and complete else None,
        flaky=_flaky(plan, passes) if complete else None,
        pass_at_k=_over_cases(plan, passes, pass_at_k) if complete else None,
        pass_hat_k=_over_cases(plan, passes, pass_hat_k) if complete else None,
        cost=total_cost([outcome.cost for outcome in outcomes]),
        latency=_latency([outcome.duration_s for outcome in outcomes]),
    )


def passes_by_case(plan: Plan, variant: str, valid: Mapping[Arm, Outcome]) -> list[int]:
    """Return how many runs of each case passed, in the plan's order; every run must be there."""
    repetitions = range(1, plan.repetitions + 1)
    return [sum(valid[Arm(case, variant, r)].passed for r in repetitions) for case in plan.cases]


def total_cost(costs: Sequence[float | None]) -> Cost:
    """Return the sum of what is known and how many are not; an unknown cost is never 0."""
    known = [cost for cost in costs if cost is not None]
    total, unknown = round(sum(known), 6), len(costs) - len(known)
    text = f">= {total:g}, {unknown} unknown" if unknown else f"{total:g}"
    return Cost(known_total=total, unknown=unknown, text=text)


def _rate(passes: Sequence[int], repetitions: int) -> Rate:
    runs = len(passes) * repetitions
    share = sum(passes) / runs
    return Rate(rate=share, passed=sum(passes), runs=runs, interval=wilson(share * len(passes), len(passes)))


def _flaky(plan: Plan, passes: Sequence[int]) -> Flaky:
    if plan.repetitions == 1:
        return Flaky(cases=None, interval=None, note=NOT_ASSESSABLE)
    cases = tuple(
        case for case, count in zip(plan.cases, passes, strict=True) if 0 < count < plan.repetitions
    )
    return Flaky(cases=cases, interval=wilson(len(cases), len(plan.cases)))


def _over_cases(plan: Plan, passes: Sequence[int], estimate: Any) -> dict[int, float]:
    n = plan.repetitions
    return {k: float(np.mean([estimate(n, count, k) for count in passes])) for k in range(1, n + 1)}


def _latency(durations: Sequence[float]) -> Latency | None:
    if not durations:
        return None
    median, p95 = np.percentile(durations, [50, 95])
    return Latency(mean=float(np.mean(durations)), median=float(median), p95=float(p95))
