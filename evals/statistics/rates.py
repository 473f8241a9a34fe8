"""Intervals of a rate."""

from __future__ import annotations

from scipy.stats import binomtest

from mindatlas.evals.statistics.interval import Interval
from mindatlas.nodes.errors import UsageError


def wilson(passed: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the Wilson score interval of `passed` of `n`, within [0, 1].

    Source: Wilson, Journal of the American Statistical Association 22 (1927).

    Raises:
        UsageError: `n` is 0, or `passed` lies outside 0..n.
    """
    if n < 1 or not 0 <= passed <= n:
        raise UsageError(f"There is no rate of {passed!r} of {n!r}: n must be at least 1, passed within 0..n")
    found = binomtest(passed, n).proportion_ci(confidence_level=confidence, method="wilson")
    return Interval(float(found.low), float(found.high))
