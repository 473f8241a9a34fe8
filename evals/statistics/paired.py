"""The mean of paired differences and its standard error.

Source: Miller, "Adding Error Bars to Evals", arXiv 2411.00640: repetitions are averaged within the case first.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mindatlas.nodes.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class PairedDifference:
    """The mean difference of candidate and baseline over pairs.

    Attributes:
        mean: candidate minus baseline.
        se: its standard error; None with a single pair or a single cluster, where nothing can be estimated.
        n: pairs.
    """

    mean: float
    se: float | None
    n: int


def paired_difference(differences: ArrayLike) -> PairedDifference:
    """Return the mean of `differences`, shape (n,), with SE = sqrt(sum((d - mean)^2) / (n (n - 1))).

    Raises:
        UsageError: there is no difference, or one is not finite.
    """
    found = checked(differences)
    n = len(found)
    se = float(found.std(ddof=1)) / math.sqrt(n) if n > 1 else None
    return PairedDifference(mean=float(found.mean()), se=se, n=n)


def clustered_difference(differences: ArrayLike, clusters: Sequence[Hashable]) -> PairedDifference:
    """Return the mean of `differences` with a standard error that lets pairs of one cluster depend on each other.

    SE^2 = C / (C - 1) * sum over clusters of (sum of (d - mean))^2 / n^2, C the number of clusters: Miller's
    appendix A with the small-sample factor. Clusters of one case each give the plain standard error.

    Raises:
        UsageError: there is no difference, one is not finite, or the clusters are not one for each.
    """
    found = checked(differences)
    if len(clusters) != len(found):
        raise UsageError(f"{len(found)} differences need as many clusters, not {len(clusters)}")
    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    centred = found - found.mean()
    sums = np.bincount([numbers[name] for name in clusters], weights=centred)
    count = len(numbers)
    se = math.sqrt(count / (count - 1) * float(sums @ sums)) / len(found) if count > 1 else None
    return PairedDifference(mean=float(found.mean()), se=se, n=len(found))


def checked(differences: ArrayLike) -> NDArray[np.float64]:
    """Return `differences` as an array of shape (n,).

    Raises:
        UsageError: it is empty, has another shape, or a value is not finite.
    """
    found = np.asarray(differences, dtype=np.float64)
    if found.ndim != 1 or not len(found):
        raise UsageError(f"Expected a row of at least one difference, not the shape {found.shape!r}")
    if not np.isfinite(found).all():
        raise UsageError("A difference is not finite: leave out what could not be scored, and say how many")
    return found
