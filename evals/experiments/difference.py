"""What two variants' runs of the same cases say of each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mindatlas.evals.experiments.arm_summary import passes_by_case
from mindatlas.evals.experiments.completeness import Outcome
from mindatlas.evals.experiments.plan import Arm, Plan
from mindatlas.evals.statistics import (
    Interval,
    bootstrap_interval,
    clustered_difference,
    discordant_effect,
    mcnemar_exact,
    mcnemar_mid_p,
    minimum_detectable_effect,
    paired_difference,
    sign_flip_p,
    wilson,
)


@dataclass(frozen=True, kw_only=True)
class Test:
    """A two-sided test of no difference; `gained` and `lost` are counts of cases.

    Attributes:
        p: of the test named: McNemar's with one repetition of independent cases, else sign flips.
        mcnemar_p: McNemar's exact value with one repetition, also where clusters make it too sure.
        mid_p: its mid-p value.
    """

    name: Literal["mcnemar-exact", "sign-flip"]
    p: float
    mcnemar_p: float | None
    mid_p: float | None
    gained: int
    lost: int


@dataclass(frozen=True, kw_only=True)
class Lift:
    """The difference of the pass rates, candidate minus baseline, in percentage points.

    Attributes:
        interval: paired bootstrap over cases (or clusters); None with a single one.
        se: Miller's paired standard error; None with a single case.
        detectable: the smallest true difference that so many cases find in 4 of 5 experiments.
        detectable_note: what it rests on where no case changed.
    """

    points: float
    interval: Interval | None
    se: float | None
    detectable: float | None
    detectable_note: str
    test: Test


@dataclass(frozen=True, kw_only=True)
class CaseChanges:
    """The cases whose pass share changed; those flaky in either variant stand apart, not as gain or loss."""

    gains: tuple[str, ...]
    losses: tuple[str, ...]
    changed_but_flaky: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OrderEffect:
    """The lift of odd minus that of even repetitions, in percentage points: what running second does."""

    points: float
    se: float | None


def shares(plan: Plan, variant: str, valid: Mapping[Arm, Outcome]) -> NDArray[np.float64]:
    """Return the share of runs that passed for each case, shape (n_cases,)."""
    return np.asarray(passes_by_case(plan, variant, valid), dtype=np.float64) / plan.repetitions


def lift_of(plan: Plan, valid: Mapping[Arm, Outcome], baseline: str, candidate: str) -> Lift:
    """Return the lift of `candidate` over `baseline`; every run of both must be there."""
    before, after = shares(plan, baseline, valid), shares(plan, candidate, valid)
    differences, clusters = after - before, _clusters(plan)
    found = (
        clustered_difference(differences, clusters)
        if clusters is not None
        else paired_difference(differences)
    )
    interval = bootstrap_interval(differences, seed=plan.seed, clusters=clusters)
    detectable, note = _detectable(plan, differences, found.se)
    return Lift(
        points=100 * found.mean,
        interval=None if interval is None else Interval(100 * interval.low, 100 * interval.high),
        se=None if found.se is None else 100 * found.se,
        detectable=None if detectable is None else 100 * detectable,
        detectable_note=note,
        test=_test(plan, differences, clusters),
    )


def changes_of(plan: Plan, valid: Mapping[Arm, Outcome], baseline: str, candidate: str) -> CaseChanges:
    """Return which cases changed, in the plan's order."""
    gains: list[str] = []
    losses: list[str] = []
    unclear: list[str] = []
    pairs = zip(plan.cases, shares(plan, baseline, valid), shares(plan, candidate, valid), strict=True)
    for case, before, after in pairs:
        if before == after:
            continue
        if 0 < before < 1 or 0 < after < 1:
            unclear.append(case)
        else:
            (gains if after > before else losses).append(case)
    return CaseChanges(gains=tuple(gains), losses=tuple(losses), changed_but_flaky=tuple(unclear))


def order_effect(
    plan: Plan, valid: Mapping[Arm, Outcome], baseline: str, candidate: str
) -> OrderEffect | None:
    """Return the effect of the order; None with one repetition, where only one order was run."""
    if plan.repetitions == 1:
        return None

    def lifts(first: int) -> NDArray[np.float64]:
        numbers = range(first, plan.repetitions + 1, 2)
        return np.array([
            sum(valid[Arm(case, candidate, r)].passed - valid[Arm(case, baseline, r)].passed for r in numbers)
            / len(numbers)
            for case in plan.cases
        ])  # fmt: skip

    found = paired_difference(lifts(1) - lifts(2))
    return OrderEffect(points=100 * found.mean, se=None if found.se is None else 100 * found.se)


def _clusters(plan: Plan) -> list[str] | None:
    return [plan.clusters[case] for case in plan.cases] if plan.clusters else None


def _test(plan: Plan, differences: NDArray[np.float64], clusters: list[str] | None) -> Test:
    """Return McNemar's exact test for one result per case, sign flips of whole cases or clusters otherwise."""
    gained, lost = int((differences > 0).sum()), int((differences < 0).sum())
    single = plan.repetitions == 1
    exact = mcnemar_exact(gained, lost) if single else None
    mid_p = mcnemar_mid_p(gained, lost) if single else None
    if exact is not None and clusters is None:
        return Test(name="mcnemar-exact", p=exact, mcnemar_p=exact, mid_p=mid_p, gained=gained, lost=lost)
    p = sign_flip_p(differences, seed=plan.seed, clusters=clusters)
    return Test(name="sign-flip", p=p, mcnemar_p=exact, mid_p=mid_p, gained=gained, lost=lost)


def _detectable(plan: Plan, differences: NDArray[np.float64], se: float | None) -> tuple[float | None, str]:
    """Return the minimum detectable effect, from the spread seen, or from how small it could be where none was."""
    n = len(differences)
    changed = int(np.count_nonzero(differences))
    if not changed:
        share = wilson(0, n).high
        return discordant_effect(share, n), f"no case changed; up to {100 * share:.1f} % may (Wilson)"
    if plan.repetitions == 1 and not plan.clusters:
        return discordant_effect(changed / n, n), ""
    return (None, "") if se is None or math.isclose(se, 0.0) else (minimum_detectable_effect(se), "")
