"""What checks of numbers share: the column and number an assertion names, and the comparison."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.assertions.evidence import (
    CannotCheckError,
    Evidence,
    Finding,
    column_of,
)
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import (
    Numbers,
    numbers_of,
    subtract,
    to_decimal,
    to_json,
)


def single_column(assertion: Assertion) -> str:
    """Return the one column of an assertion.

    Raises:
        CannotCheckError: It names none or several.
    """
    if len(assertion.columns) != 1:
        raise CannotCheckError(f"needs exactly one column, not {len(assertion.columns)}")
    return assertion.columns[0]


def expected_number(assertion: Assertion) -> Decimal:
    """Return the expected number.

    Raises:
        CannotCheckError: None is given, or something else.
    """
    value = assertion.expected
    number = None if isinstance(value, bool) else to_decimal(value)
    if number is None:
        raise CannotCheckError(f"expects a number, not {value!r}")
    return number


def numbers_in(frame: pd.DataFrame, name: str) -> Numbers:
    """Return the numbers of a column; cells that say none are left out and listed.

    Raises:
        CannotCheckError: There is no such column, or most of its cells are text that says no number.
    """
    numbers = numbers_of(column_of(frame, name))
    if numbers.is_text:
        raise CannotCheckError(f"column {name!r} holds text, not numbers")
    return numbers


def input_numbers(assertion: Assertion, evidence: Evidence) -> Numbers:
    """Return the numbers of the input column that the assertion's one column is compared with.

    Raises:
        CannotCheckError: No input has it, or it holds no numbers.
    """
    name = input_column(assertion)
    return numbers_in(evidence.input_with([name]), name)


def input_column(assertion: Assertion) -> str:
    """Return what the assertion's one column is called in the input."""
    return (*assertion.input_columns, single_column(assertion))[0]


def compared(assertion: Assertion, expected: Decimal, actual: Decimal, notes: Iterable[str] = ()) -> Finding:
    """Return whether two numbers agree within the tolerance; `notes` are told once each."""
    return Finding(
        passed=is_close(assertion, expected, actual),
        expected=to_json(expected),
        actual=to_json(actual),
        difference=subtract(actual, expected),
        reason="; ".join(dict.fromkeys(notes)),
    )


def is_close(assertion: Assertion, expected: Decimal, actual: Decimal) -> bool:
    """Return whether two numbers agree within the tolerance of the assertion."""
    return assertion.tolerance.accepts(subtract(actual, expected), expected)


def unreadable_note(numbers: Numbers) -> list[str]:
    """Return the note on cells that say no number, if there are any."""
    count = len(numbers.unreadable)
    return [f"{count} cells say no number and are left out"] if count else []


def total_row_note(totals: int) -> list[str]:
    """Return the note on total rows that were left out, if there were any."""
    return [f"{totals} total rows of the result are left out"] if totals else []
