"""What a number of cases can show, and how many cases a difference takes.

Source: Connor, Biometrics 43 (1987), for paired pass rates; z values of the normal distribution.
"""

from __future__ import annotations

import math

from scipy.stats import norm

from mindatlas.nodes.errors import UsageError


def minimum_detectable_effect(se: float, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest true difference found with `power` at two-sided `alpha`, in the unit of `se`.

    Raises:
        UsageError: `se` is not a number of at least 0.
    """
    if not (math.isfinite(se) and se >= 0):
        raise UsageError(f"A standard error must be at least 0, not {se!r}")
    return _z(1 - alpha / 2, power) * se


def discordant_effect(discordant_share: float, n: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Return the smallest difference of two paired pass rates that `n` pairs show, in [0, 1].

    (z_alpha + z_beta) * sqrt(share / n), the share being that of the pairs with different results.

    Raises:
        UsageError: `n` is below 1, or the share lies outside [0, 1].
    """
    if n < 1 or not 0 <= discordant_share <= 1:
        raise UsageError(f"A share {discordant_share!r} of {n!r} pairs is impossible")
    return min(1.0, minimum_detectable_effect(math.sqrt(discordant_share / n), alpha=alpha, power=power))


def discordant_sample_size(
    lift: float, discordant_share: float, *, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Return the pairs that McNemar's test needs to find a `lift`, both in (0, 1].

    n = (z_alpha sqrt(share) + z_beta sqrt(share - lift^2))^2 / lift^2, rounded up.

    Raises:
        UsageError: the lift is 0, or larger than the share of discordant pairs allows.
    """
    size = abs(lift)
    if not 0 < size <= discordant_share <= 1:
        raise UsageError(
            f"A lift of {lift!r} needs a share of discordant pairs from {size!r} to 1, not {discordant_share!r}"
        )
    rest = math.sqrt(max(0.0, discordant_share - size**2))
    root = float(norm.ppf(1 - alpha / 2)) * math.sqrt(discordant_share) + float(norm.ppf(power)) * rest
    return math.ceil((root / size) ** 2)


def _z(*levels: float) -> float:
    return sum(float(norm.ppf(level)) for level in levels)
