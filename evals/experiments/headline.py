"""The sentence at the top of a report, and what a report does not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from mindatlas.evals.experiments.arm_summary import Rate
from mindatlas.evals.experiments.completeness import Defect
from mindatlas.evals.experiments.difference import Lift
from mindatlas.evals.experiments.plan import Plan

DOES_NOT_SHOW = (
    "A digest tells whether the protocol is the same; it proves neither that an artefact behind it was used nor "
    "that a remote model stayed the same.",
    "Alternating which variant runs first is not randomising: drift that follows the same rhythm is not cancelled.",
    "A small positive difference is a lead to follow with more cases, not a finding.",
    "The figures hold for these cases; whether these cases stand for yours, they do not say.",
)


def write_headline(
    plan: Plan, rates: tuple[Rate | None, Rate | None], lift: Lift | None, defects: Sequence[Defect]
) -> str:
    """Return the headline: both pass rates and the lift in percentage points, or why there is none."""
    before, after = rates
    if before is None or after is None or lift is None:
        counts = Counter(defect.kind for defect in defects)
        return "No headline: " + ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    interval = "" if lift.interval is None else f" (95 % interval {_points(*lift.interval)})"
    return (
        f"Lift {lift.points:+.1f} percentage points{interval}: {100 * after.rate:.1f} % of runs pass, "
        f"{100 * before.rate:.1f} % in the baseline. {_read(lift)} {say_switches(plan.switches)}"
    )


def say_switches(switches: Sequence[Mapping[str, Any]] | None) -> str:
    """Return what was switched between the variants, as one sentence."""
    if switches is None:
        return "What differs between the variants is not recorded."
    if not switches:
        return "Nothing differs in the effective inputs: this shows noise, not an effect."
    names = ", ".join(f"{one['dimension']} {one['key']!r}" for one in switches)
    if len(switches) == 1:
        return f"One thing differs: {names}."
    dimensions = len({one["dimension"] for one in switches})
    where = "one dimension" if dimensions == 1 else f"{dimensions} dimensions"
    return f"{len(switches)} inputs of {where} differ, and the lift is that of all together: {names}."


def _points(low: float, high: float) -> str:
    return f"{low:+.1f} to {high:+.1f} percentage points"


def _read(lift: Lift) -> str:
    if lift.test.p < 0.05:
        return f"Unlikely to be chance alone ({lift.test.name}, p = {lift.test.p:.3g})."
    seen = "" if lift.detectable is None else f"; so few cases show {lift.detectable:.1f} points or more"
    return f"Not told apart from chance ({lift.test.name}, p = {lift.test.p:.3g}{seen})."
