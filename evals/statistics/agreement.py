"""How far a judge agrees with labels, and what that does to a rate it measured."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from scipy.stats import norm

from mindatlas.evals.statistics.interval import Interval
from mindatlas.nodes.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Kappa:
    """Agreement beyond chance.

    Attributes:
        kappa: 1 = full agreement, 0 = chance; None where both always give the same one label, which shows nothing.
        agreement: the share of equal labels, in [0, 1].
        base_rates: the share of each label among the reference's: a kappa is not readable without them.
    """

    kappa: float | None
    agreement: float
    base_rates: dict[Hashable, float]
    n: int


def cohen_kappa(reference: Sequence[Hashable], judged: Sequence[Hashable]) -> Kappa:
    """Return Cohen's kappa of two series of labels for the same items, (p_o - p_e) / (1 - p_e).

    Source: Cohen, Educational and Psychological Measurement 20 (1960).

    Raises:
        UsageError: there is no item, or the series differ in length.
    """
    n = len(reference)
    if n != len(judged) or not n:
        raise UsageError(f"Kappa needs two labels for each item, not {n} and {len(judged)}")
    ours, theirs = Counter(reference), Counter(judged)
    observed = sum(a == b for a, b in zip(reference, judged, strict=True)) / n
    expected = sum(ours[label] * theirs[label] for label in ours) / n**2
    kappa = (observed - expected) / (1 - expected) if expected < 1 else None
    rates = {label: count / n for label, count in sorted(ours.items(), key=lambda item: str(item[0]))}
    return Kappa(kappa=kappa, agreement=observed, base_rates=rates, n=n)


def rogan_gladen(
    positive: tuple[int, int], true_positive: tuple[int, int], true_negative: tuple[int, int]
) -> tuple[float, Interval] | None:
    """Return the rate corrected for the judge's errors, with its 95 % interval; both within [0, 1].

    theta = (p + q0 - 1) / (q0 + q1 - 1), q1 the sensitivity, q0 the specificity. The variance adds the
    uncertainty of both (Lang and Reiczigel, Preventive Veterinary Medicine 113, 2014, without the adjustment of counts).

    Args:
        positive: (k, n) items that the judge passed.
        true_positive: (k, n) of the items labelled good that the judge passed.
        true_negative: (k, n) of the items labelled bad that the judge failed.

    Returns:
        None where the judge is no better than chance (q0 + q1 <= 1): nothing can be recovered then.

    Raises:
        UsageError: a count is impossible.
    """
    rate, sensitivity, specificity = (_share(*counts) for counts in (positive, true_positive, true_negative))
    gain = sensitivity + specificity - 1
    if gain <= 0:
        return None
    theta = (rate + specificity - 1) / gain
    variance = _variance(rate, positive[1])
    variance += theta**2 * _variance(sensitivity, true_positive[1])
    variance += (1 - theta) ** 2 * _variance(specificity, true_negative[1])
    half = float(norm.ppf(0.975)) * math.sqrt(variance) / gain
    return _clipped(theta), Interval(_clipped(theta - half), _clipped(theta + half))


def _share(count: int, n: int) -> float:
    if n < 1 or not 0 <= count <= n:
        raise UsageError(f"There is no rate of {count!r} of {n!r}")
    return count / n


def _variance(share: float, n: int) -> float:
    return share * (1 - share) / n


def _clipped(value: float) -> float:
    return min(1.0, max(0.0, value))
