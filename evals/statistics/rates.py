"""Intervals of a rate."""

from __future__ import annotations

import math

from scipy.stats import norm

from mindatlas.evals.statistics.interval import Interval
from mindatlas.nodes.errors import UsageError


def wilson(passed: float, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the Wilson score interval of `passed` of `n`, within [0, 1].

    `passed` may lie between whole numbers, where each of `n` cases counts the share of its repetitions that
    passed; that is why this does not go through scipy's `proportion_ci`.

    Source: Wilson, Journal of the American Statistical Association 22 (1927).

    Raises:
        UsageError: `n` is 0, or `passed` lies outside 0..n.
    """
    if n < 1 or not 0 <= passed <= n:
        raise UsageError(f"There is no rate of {passed!r} of {n!r}: n must be at least 1, passed within 0..n")
    z, share = float(norm.ppf(0.5 + confidence / 2)), passed / n
    shrink = 1 + z**2 / n
    centre = (share + z**2 / (2 * n)) / shrink
    half = z * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / shrink
    return Interval(min(share, max(0.0, centre - half)), max(share, min(1.0, centre + half)))
