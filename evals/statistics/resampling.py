"""Intervals and tests by resampling whole cases; seeded, so that the same data give the same figures."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import bootstrap, permutation_test

from mindatlas.evals.statistics.interval import Interval
from mindatlas.evals.statistics.paired import checked
from mindatlas.nodes.errors import UsageError

MIN_RESAMPLES = 10_000
_BCA_BELOW = 200  # cases; above it the acceleration and bias terms no longer matter (Efron, JASA 82, 1987)
_BATCH_CELLS = 4_000_000  # 32 MB of doubles at a time


def bootstrap_interval(
    differences: ArrayLike,
    *,
    seed: int,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = MIN_RESAMPLES,
    confidence: float = 0.95,
) -> Interval | None:
    """Return the bootstrap interval of the mean of paired `differences`, shape (n,).

    Whole cases are drawn, or whole clusters where `clusters` names one for each case. BCa below 200 units,
    percentiles from there on. Equal differences give an interval of no width: the data show no spread.

    Returns:
        The interval; None with a single unit, of which nothing can be resampled.

    Raises:
        UsageError: there is no difference, one is not finite, or `resamples` is below 10,000.
    """
    if resamples < MIN_RESAMPLES:
        raise UsageError(f"A bootstrap needs at least {MIN_RESAMPLES} resamples, not {resamples!r}")
    found = checked(differences)
    sums, counts = _by_unit(found, clusters)
    if len(sums) < 2:
        return None
    if np.ptp(sums / counts) == 0:
        return Interval(float(found.mean()), float(found.mean()))
    result = bootstrap(
        (sums, counts),
        _ratio,
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, _BATCH_CELLS // len(sums)),
        confidence_level=confidence,
        method="BCa" if len(sums) < _BCA_BELOW else "percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return Interval(float(result.low), float(result.high))


def sign_flip_p(
    differences: ArrayLike,
    *,
    seed: int,
    clusters: Sequence[Hashable] | None = None,
    resamples: int = MIN_RESAMPLES,
) -> float:
    """Return the two-sided p-value of the mean against random signs of whole cases, or of whole clusters.

    Exact where all 2^n signs are at most `resamples`; else (1 + #{|D*| >= |D|}) / (resamples + 1).

    Raises:
        UsageError: there is no difference, or one is not finite.
    """
    units, _ = _by_unit(checked(differences), clusters)
    found = units[units != 0]  # a unit without a difference is the same under either sign
    if len(found) < 2:
        return 1.0  # either sign of a single unit is as far from 0
    result = permutation_test(
        (found,),
        _size_of_mean,
        permutation_type="samples",
        alternative="greater",
        vectorized=True,
        n_resamples=resamples,
        batch=max(1, _BATCH_CELLS // len(found)),
        rng=np.random.default_rng(seed),
    )
    return float(result.pvalue)


def _by_unit(
    found: NDArray[np.float64], clusters: Sequence[Hashable] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the sum of differences and the number of cases of each unit that is drawn as a whole."""
    if clusters is None:
        return found, np.ones(len(found))
    if len(clusters) != len(found):
        raise UsageError(f"{len(found)} differences need as many clusters, not {len(clusters)}")
    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    index = [numbers[name] for name in clusters]
    return np.bincount(index, weights=found).astype(np.float64), np.bincount(index).astype(np.float64)


def _ratio(sums: NDArray[np.float64], counts: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Return the mean over cases, which a drawn cluster brings in all at once."""
    return np.asarray(np.sum(sums, axis=axis) / np.sum(counts, axis=axis))


def _size_of_mean(differences: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    return np.asarray(np.abs(np.mean(differences, axis=axis)))
