"""Whether a candidate is no worse than a margin allows: yes, no, or not decided by these data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scipy.stats import norm

from mindatlas.evals.statistics.interval import Interval
from mindatlas.evals.statistics.paired import PairedDifference
from mindatlas.evals.statistics.power import minimum_detectable_effect
from mindatlas.nodes.errors import UsageError

Verdict = Literal["pass", "regression", "undecided"]


@dataclass(frozen=True, kw_only=True)
class NonInferiority:
    """A verdict with the figures it rests on, all in the unit of the differences.

    Attributes:
        bounds: the two one-sided bounds; each alone holds with the stated confidence.
        detectable: the smallest loss that these data would show; None where nothing can be estimated.
    """

    verdict: Verdict
    bounds: Interval | None
    margin: float
    detectable: float | None


def judge_non_inferiority(
    difference: PairedDifference, margin: float, *, confidence: float = 0.95
) -> NonInferiority:
    """Return `pass` where the lower bound lies above -margin, `regression` where the upper lies below, else undecided.

    A single pair decides nothing. Differences without any spread are taken at their word.

    Raises:
        UsageError: the margin is not above 0.
    """
    if not margin > 0:
        raise UsageError(f"A non-inferiority margin must be above 0, not {margin!r}")
    if difference.se is None:
        return NonInferiority(verdict="undecided", bounds=None, margin=margin, detectable=None)
    half = float(norm.ppf(confidence)) * difference.se
    bounds = Interval(difference.mean - half, difference.mean + half)
    # One-sided at 1 - confidence is two-sided at twice that.
    detectable = minimum_detectable_effect(difference.se, alpha=2 * (1 - confidence))
    return NonInferiority(
        verdict=_verdict(bounds, margin), bounds=bounds, margin=margin, detectable=detectable
    )


def _verdict(bounds: Interval, margin: float) -> Verdict:
    if bounds.low > -margin:
        return "pass"
    return "regression" if bounds.high < -margin else "undecided"
