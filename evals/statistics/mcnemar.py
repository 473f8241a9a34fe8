"""McNemar's test of two arms with one result per case each."""

from __future__ import annotations

from scipy.stats import binom, binomtest

from mindatlas.nodes.errors import UsageError


def mcnemar_exact(gained: int, lost: int) -> float:
    """Return the two-sided exact p-value; 1.0 where no case changed.

    Args:
        gained: cases that only the candidate passed.
        lost: cases that only the baseline passed.

    Raises:
        UsageError: a count is negative.
    """
    _check(gained, lost)
    return float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0


def mcnemar_mid_p(gained: int, lost: int) -> float:
    """Return the two-sided mid-p value, in (0, 1]; less conservative than the exact test.

    Source: Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13:91 (2013).

    Raises:
        UsageError: a count is negative.
    """
    _check(gained, lost)
    changed = gained + lost
    if not changed:
        return 1.0
    fewer = min(gained, lost)
    return min(1.0, float(2 * binom.cdf(fewer, changed, 0.5) - binom.pmf(fewer, changed, 0.5)))


def _check(gained: int, lost: int) -> None:
    if gained < 0 or lost < 0:
        raise UsageError(f"Counts of changed cases cannot be negative: {gained!r} gained, {lost!r} lost")
