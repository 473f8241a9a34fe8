"""The comparison of a plan with its observations: a headline where all is there, and none otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mindatlas.evals.experiments.arm_summary import ArmSummary, summarise
from mindatlas.evals.experiments.completeness import Checked, Defect, Outcome, check
from mindatlas.evals.experiments.difference import (
    CaseChanges,
    Lift,
    OrderEffect,
    changes_of,
    lift_of,
    order_effect,
)
from mindatlas.evals.experiments.headline import DOES_NOT_SHOW, write_headline
from mindatlas.evals.experiments.measure_difference import MeasureDifference, measure_differences
from mindatlas.evals.experiments.observations import Row
from mindatlas.evals.experiments.plan import Arm, Plan


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Candidate against baseline. While incomplete, every figure of the headline is None, never 0.

    Attributes:
        valid: the valid results, which are shown in any case.
        retried: attempts that ended as infra errors and were made again; a retry may favour a variant.
    """

    plan: Plan
    baseline: ArmSummary
    candidate: ArmSummary
    complete: bool
    defects: tuple[Defect, ...]
    lift: Lift | None
    changes: CaseChanges | None
    order: OrderEffect | None
    measures: tuple[MeasureDifference, ...] | None
    valid: Mapping[Arm, Outcome]
    retried: int

    @property
    def headline(self) -> str:
        """One sentence that says the result, or why there is none."""
        rates = self.baseline.rate, self.candidate.rate
        return write_headline(self.plan, rates, self.lift, self.defects)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as its JSON report holds it."""
        return {
            "headline": self.headline,
            "complete": self.complete,
            "protocol": self.plan.protocol,
            "switches": self.plan.switches,
            "cases": len(self.plan.cases),
            "repetitions": self.plan.repetitions,
            "pass_rate": {one.variant: one.rate.rate if one.rate else None for one in self.arms},
            "lift_points": self.lift.points if self.lift else None,
            "lift": asdict(self.lift) if self.lift else None,
            "arms": {one.variant: asdict(one) for one in self.arms},
            "changes": asdict(self.changes) if self.changes else None,
            "order_effect": asdict(self.order) if self.order else None,
            "measures": None if self.measures is None else [asdict(one) for one in self.measures],
            "retried_infra_errors": self.retried,
            "defects": [asdict(defect) for defect in self.defects],
            "does_not_show": list(DOES_NOT_SHOW),
            "rows": [{**arm._asdict(), **asdict(outcome)} for arm, outcome in self.valid.items()],
        }

    @property
    def arms(self) -> tuple[ArmSummary, ArmSummary]:
        """Both variants, the baseline first."""
        return self.baseline, self.candidate


def compare(plan: Plan, rows: Iterable[Row]) -> Comparison:
    """Return the comparison of the plan's second variant with its first."""
    return compare_variants(plan, check(plan, rows), plan.variants[0], plan.variants[1])


def compare_variants(plan: Plan, checked: Checked, baseline: str, candidate: str) -> Comparison:
    """Return the comparison of two variants of a plan; a defect of any variant blocks it."""
    complete = checked.complete
    pair = (plan, checked.valid, baseline, candidate)
    return Comparison(
        plan=plan,
        baseline=summarise(plan, baseline, checked.valid, complete=complete),
        candidate=summarise(plan, candidate, checked.valid, complete=complete),
        complete=complete,
        defects=checked.defects,
        lift=lift_of(*pair) if complete else None,
        changes=changes_of(*pair) if complete else None,
        order=order_effect(*pair) if complete else None,
        measures=measure_differences(*pair) if complete else None,
        valid={arm: o for arm, o in checked.valid.items() if arm.variant in (baseline, candidate)},
        retried=checked.retried,
    )


def count_defects(defects: Sequence[Defect]) -> dict[str, int]:
    """Return how many defects there are of each kind, by kind."""
    counts: dict[str, int] = {}
    for defect in defects:
        counts[defect.kind] = counts.get(defect.kind, 0) + 1
    return counts
