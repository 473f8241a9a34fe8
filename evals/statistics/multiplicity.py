"""Several tests at once."""

from __future__ import annotations

from collections.abc import Mapping

from mindatlas.nodes.errors import UsageError


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return the adjusted p-values by Holm's step-down method, in the order given; each at least the raw one.

    Source: Holm, Scandinavian Journal of Statistics 6 (1979). Rejecting where the adjusted value is below
    alpha keeps the chance of any false finding below alpha.

    Raises:
        UsageError: a value lies outside [0, 1].
    """
    if wrong := [name for name, value in p_values.items() if not 0 <= value <= 1]:
        raise UsageError(f"The p-value of {wrong[0]!r} must lie within [0, 1], not be {p_values[wrong[0]]!r}")
    adjusted: dict[str, float] = {}
    largest = 0.0
    for rank, name in enumerate(sorted(p_values, key=lambda name: (p_values[name], name))):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[name]))
        adjusted[name] = largest
    return {name: adjusted[name] for name in p_values}
