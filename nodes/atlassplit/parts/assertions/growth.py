"""The check of growth rates against the values they come from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.assertions.comparison import expected_number, numbers_in
from mindatlas.nodes.atlassplit.parts.assertions.evidence import (
    CannotCheckError,
    Evidence,
    Finding,
    column_of,
)
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import divide, numbers_of, subtract, to_json
from mindatlas.nodes.atlassplit.parts.assertions.group_keys import Key, key_text, keys_of
from mindatlas.nodes.atlassplit.parts.assertions.result_rows import data_rows

_PERCENT: Final = 100


@dataclass(frozen=True, kw_only=True)
class _Rate:
    """The growth in one row: `stated` by the result, None when the cell is missing, and as it should be."""

    row: int
    group: str
    stated: Decimal | None
    right: Decimal


def growth_rate_check(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether the growth is right: g_t = (v_t − v_{t−lag}) / v_{t−lag}, by group, rows as they stand.

    - columns (value, growth): each growth is compared with the one that follows from the values, as a ratio
      or, when all rows fit that, as a percentage; expected, actual and difference are of the worst row.
    - a number expected: the growth of the last row, computed from the value column, is compared with it.

    Not compared: rows without a row `lag` before them in their group, rows over a missing or zero value, total
    rows. `lag` counts rows, so a comparison with the year before over months that are not all there needs
    the month among the `by` columns and lag 1.
    """
    if len(assertion.columns) not in (1, 2):
        raise CannotCheckError("needs the column of the values and that of their growth")
    if len(assertion.columns) == 1 and assertion.expected is None:
        raise CannotCheckError("needs the column of the growth, or the growth that is expected")
    rates = [
        rate
        for frame in evidence.tables(assertion.table).values()
        for rate in _rates(data_rows(frame, evidence, assertion.by)[0], assertion)
    ]
    if assertion.expected is not None:
        return _last(assertion, rates)
    if not rates:
        return Finding(passed=True, reason="no row has an earlier one to compare with")
    as_percent = not _all_fit(assertion, rates, 1) and _all_fit(assertion, rates, _PERCENT)
    return _worst(assertion, rates, _PERCENT if as_percent else 1)


def _rates(frame: pd.DataFrame, assertion: Assertion) -> Iterator[_Rate]:
    values = numbers_in(frame, assertion.columns[0]).values
    stated = numbers_of(column_of(frame, assertion.columns[-1])).values  # inf over 0 is no number, and fine
    earlier: dict[Key, list[Decimal | None]] = {}
    for row, (key, value) in enumerate(zip(keys_of(frame, assertion.by), values, strict=True)):
        before = earlier.setdefault(key, [])
        base = before[-assertion.lag] if len(before) >= assertion.lag else None
        if value is not None and base:
            right = divide(subtract(value, base), base)
            yield _Rate(row=row, group=key_text(key), stated=stated[row], right=right)
        before.append(value)


def _last(assertion: Assertion, rates: list[_Rate]) -> Finding:
    if not rates:
        raise CannotCheckError("no row has an earlier one to compare with")
    expected, actual = expected_number(assertion), rates[-1].right
    difference = subtract(actual, expected)
    return Finding(
        passed=assertion.tolerance.accepts(difference, expected),
        expected=to_json(expected),
        actual=_rounded(actual),
        difference=difference,
    )


def _all_fit(assertion: Assertion, rates: list[_Rate], scale: int) -> bool:
    return all(_fits(assertion, rate, scale) for rate in rates)


def _fits(assertion: Assertion, rate: _Rate, scale: int) -> bool:
    """Return whether a row is right; the tolerance is that of a ratio, whatever the scale."""
    return rate.stated is not None and assertion.tolerance.accepts(
        subtract(divide(rate.stated, Decimal(scale)), rate.right), rate.right
    )


def _worst(assertion: Assertion, rates: list[_Rate], scale: int) -> Finding:
    odd = [rate for rate in rates if not _fits(assertion, rate, scale)]
    worst = max(odd or rates, key=lambda rate: _distance(rate, scale))
    right = worst.right * scale
    difference = None if worst.stated is None else subtract(worst.stated, right)
    notes = ["the growth is stated in percent"] if scale == _PERCENT else []
    if odd:
        place = f"row {worst.row + 1}" + (f" of {worst.group!r}" if worst.group else "")
        notes.insert(0, f"{len(odd)} of {len(rates)} rates differ, most of all that in {place}")
    return Finding(
        passed=not odd,
        expected=_rounded(right),
        actual=None if worst.stated is None else to_json(worst.stated),
        difference=difference,
        reason="; ".join(notes),
        quoted=(worst.group,) if odd and worst.group else (),
    )


def _distance(rate: _Rate, scale: int) -> Decimal:
    if rate.stated is None:
        return Decimal("Infinity")
    return abs(subtract(rate.stated, rate.right * scale))


def _rounded(number: Decimal) -> int | float:
    """Return a quotient for people: 10 decimal places say all that a tolerance can ask."""
    return to_json(round(number, 10))
