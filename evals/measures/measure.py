"""What a measure is: a named, versioned function of a case and an output that gives a number or a reason."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.suite import Direction

Output = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Scored:
    """The value of a measure, or None and why it is not defined for this case: never a silent zero."""

    value: float | None
    reason: str = ""

    def __post_init__(self) -> None:
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"A score must be a finite number or None, not {self.value!r}")


@dataclass(frozen=True, kw_only=True)
class Measure:
    """One measure.

    Attributes:
        name: as suites and reports call it; the stage is part of it.
        version: raised whenever the formula changes, so that values of two formulas are never compared.
        direction: which way is better.
        score: the value for a case and the output of its graph.
    """

    name: str
    version: int
    direction: Direction
    score: Callable[[Case, Output], Scored]


def value(number: float) -> Scored:
    """Return a defined score."""
    return Scored(value=float(number))


def undefined(reason: str) -> Scored:
    """Return the score of a case that the measure says nothing about."""
    return Scored(value=None, reason=reason)
