"""The measures beside the pass rate: each with how many cases stand behind it, and corrected for being many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import ttest_1samp

from mindatlas.evals.experiments.completeness import Outcome
from mindatlas.evals.experiments.plan import Arm, Plan
from mindatlas.evals.statistics import Interval, holm


@dataclass(frozen=True, kw_only=True)
class MeasureDifference:
    """The paired difference of one measure, in its own unit.

    Attributes:
        pairs: cases with a value in both variants; only these enter the means.
        undefined: cases left out, because a variant has no value.
        interval: of the difference, 95 %; None with fewer than two pairs.
        p_holm: two-sided, corrected for the number of measures; None where the differences show no spread.
    """

    name: str
    pairs: int
    undefined: int
    baseline: float | None
    candidate: float | None
    difference: float | None
    interval: Interval | None
    p: float | None
    p_holm: float | None


def measure_differences(
    plan: Plan, valid: Mapping[Arm, Outcome], baseline: str, candidate: str
) -> tuple[MeasureDifference, ...]:
    """Return the difference of each measure that any run has, by name."""
    names = sorted({name for outcome in valid.values() for name in outcome.scores})
    found = [_difference(plan, valid, (baseline, candidate), name) for name in names]
    adjusted = holm({one.name: one.p for one in found if one.p is not None})
    return tuple(replace(one, p_holm=adjusted.get(one.name)) for one in found)


def _difference(
    plan: Plan, valid: Mapping[Arm, Outcome], variants: tuple[str, str], name: str
) -> MeasureDifference:
    means = [(_mean(plan, valid, case, variants[0], name), _mean(plan, valid, case, variants[1], name)) for case in plan.cases]  # fmt: skip
    pairs = [(before, after) for before, after in means if before is not None and after is not None]
    before, after = (
        np.array(side, dtype=np.float64) for side in (zip(*pairs, strict=True) if pairs else ((), ()))
    )
    interval, p = _tested(after - before)
    return MeasureDifference(
        name=name,
        pairs=len(pairs),
        undefined=len(means) - len(pairs),
        baseline=float(before.mean()) if pairs else None,
        candidate=float(after.mean()) if pairs else None,
        difference=float((after - before).mean()) if pairs else None,
        interval=interval,
        p=p,
        p_holm=None,
    )


def _mean(plan: Plan, valid: Mapping[Arm, Outcome], case: str, variant: str, name: str) -> float | None:
    values = [valid[Arm(case, variant, r)].scores.get(name) for r in range(1, plan.repetitions + 1)]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _tested(
    differences: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> tuple[Interval | None, float | None]:
    """Return interval and p-value of Student's t; equal differences have an interval of no width and no p."""
    if len(differences) < 2:
        return None, None
    if np.ptp(differences) == 0:
        return Interval(float(differences[0]), float(differences[0])), None
    result: Any = ttest_1samp(differences, 0.0)  # its fields are unknown to the types of scipy
    ends = result.confidence_interval()
    return Interval(float(ends.low), float(ends.high)), float(result.pvalue)
