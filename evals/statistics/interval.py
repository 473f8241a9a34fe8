"""An interval of an estimate."""

from __future__ import annotations

from typing import NamedTuple


class Interval(NamedTuple):
    """Both ends of a confidence interval, in the unit of the estimate."""

    low: float
    high: float
