"""Checks of single values against bounds; each bound is one-sided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion, Json, Tolerance
from mindatlas.nodes.atlassplit.parts.assertions.evidence import (
    CannotCheckError,
    Evidence,
    Finding,
    column_of,
    label_text,
)
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import (
    Numbers,
    numbers_of,
    subtract,
    to_decimal,
    to_json,
)

_ZERO: Final = Decimal(0)
_EPOCH: Final = pd.Timestamp(1970, 1, 1)
_NO_TOLERANCE: Final = Tolerance(absolute=0)


def non_negative(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether the smallest number is at least 0: min(columns) ≥ 0 − tolerance.

    Missing cells do not count. Without columns all columns of numbers are looked at.
    """
    found = [
        _readable(numbers)
        for frame in evidence.tables(assertion.table).values()
        for numbers in _asked_numbers(frame, assertion.columns)
    ]
    values = [value for numbers in found for value in numbers]
    return _in_range(assertion.tolerance, _Range(low=_ZERO, high=None), values)


def value_in_range(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether all values lie in a range: low − tolerance ≤ value ≤ high + tolerance.

    `expected` is [low, high] or {"min": low, "max": high}, either bound null. `actual` is the smallest and
    the largest value, the difference how far the worst lies outside, negative below the range. Bounds that
    are dates (ISO 8601) are for columns of dates: no tolerance, difference in days. Missing cells do not
    count. Needs columns.
    """
    if not assertion.columns:
        raise CannotCheckError("needs at least one column")
    bounds = _Range.of(assertion.expected)
    columns = [
        column_of(frame, name)
        for frame in evidence.tables(assertion.table).values()
        for name in assertion.columns
    ]
    if not bounds.of_dates:
        values = [value for column in columns for value in _readable(numbers_of(column))]
        return _in_range(assertion.tolerance, bounds, values)
    days = [day for column in columns for day in _days_of(column)]
    return _in_range(_NO_TOLERANCE, bounds, days)


class _Range:
    """Two bounds, either None, as numbers; dates as days since 1970."""

    def __init__(self, *, low: Decimal | None, high: Decimal | None, of_dates: bool = False) -> None:
        self.low, self.high, self.of_dates = low, high, of_dates

    @classmethod
    def of(cls, expected: Json) -> _Range:
        """Return the range that an assertion states.

        Raises:
            CannotCheckError: It states none, or one of mixed kinds.
        """
        given: Sequence[object] = ()
        if isinstance(expected, Mapping):
            given = [expected.get("min"), expected.get("max")]
        elif isinstance(expected, Sequence) and not isinstance(expected, str):
            given = expected
        if len(given) != 2 or all(bound is None for bound in given):
            raise CannotCheckError(f"expects [low, high] with at least one of them, not {expected!r}")
        numbers = [None if isinstance(bound, bool) else to_decimal(bound) for bound in given]
        of_dates = any(bound is not None and n is None for bound, n in zip(given, numbers, strict=True))
        low, high = [None if bound is None else _day(bound) for bound in given] if of_dates else numbers
        return cls(low=low, high=high, of_dates=of_dates)

    def outside(self, smallest: Decimal, largest: Decimal) -> tuple[Decimal, Decimal]:
        """Return how far the worse of two values lies outside, signed, and the bound it breaks."""
        below = subtract(smallest, self.low) if self.low is not None else _ZERO
        above = subtract(largest, self.high) if self.high is not None else _ZERO
        if below < 0 and -below >= above:
            return below, self.low or _ZERO
        return max(above, _ZERO), self.high or _ZERO

    def show(self, value: Decimal | None) -> Json:
        """Return a value of the range as JSON."""
        if value is None or not self.of_dates:
            return None if value is None else to_json(value)
        moment = _EPOCH + pd.Timedelta(seconds=round(float(value) * 86400))
        return moment.date().isoformat() if moment == moment.normalize() else moment.isoformat()


def _in_range(tolerance: Tolerance, bounds: _Range, values: Sequence[Decimal]) -> Finding:
    finding = Finding(passed=True, expected=[bounds.show(bounds.low), bounds.show(bounds.high)])
    if not values:
        return replace(finding, reason="there is no value to look at")
    smallest, largest = min(values), max(values)
    difference, bound = bounds.outside(smallest, largest)
    return replace(
        finding,
        passed=tolerance.accepts(difference, bound),
        actual=[bounds.show(smallest), bounds.show(largest)],
        difference=difference,
    )


def _asked_numbers(frame: pd.DataFrame, names: Sequence[str]) -> Iterator[Numbers]:
    for name in names or map(label_text, frame.columns):
        numbers = numbers_of(column_of(frame, name))
        if names or (numbers.present and not numbers.unreadable):
            yield numbers


def _readable(numbers: Numbers) -> tuple[Decimal, ...]:
    if numbers.unreadable:
        raise CannotCheckError(f"{len(numbers.unreadable)} cells say no number")
    return numbers.present


def _days_of(column: pd.Series) -> list[Decimal]:
    return [_day(value) for value in column.dropna().tolist()]


def _day(value: object) -> Decimal:
    """Return a date as days since 1970, its time zone left out."""
    try:
        moment = pd.Timestamp(value)  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise CannotCheckError(f"a value is no date: {type(value).__name__}") from error
    if isinstance(value, bool | int | float):
        raise CannotCheckError("a value is a number, not a date")
    seconds = (moment.tz_localize(None) - _EPOCH).total_seconds()
    return Decimal(repr(seconds)) / 86400
