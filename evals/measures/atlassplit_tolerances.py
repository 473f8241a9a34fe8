"""Tolerances by name: how far a number of a result may lie from the expected one."""

from __future__ import annotations

from typing import Final, Literal

Tolerance = Literal["exact", "float64", "cent", "basis_point"]

# (relative, absolute); a number holds when it lies within either of them.
TOLERANCES: Final[dict[Tolerance, tuple[float, float]]] = {
    "exact": (0.0, 0.0),
    "float64": (1e-9, 1e-9),  # sums in another order
    "cent": (1e-9, 0.005),  # amounts that may be rounded to two decimals
    "basis_point": (0.0, 0.00005),  # shares and rates as fractions, that may be rounded to four decimals
}


def is_close(found: float, expected: float, tolerance: Tolerance) -> bool:
    """Return whether `found` lies within the named tolerance of `expected`; NaN and infinities never do."""
    relative, absolute = TOLERANCES[tolerance]
    return abs(found - expected) <= max(relative * abs(expected), absolute)
