"""The check of a sum over all rows."""

from __future__ import annotations

from decimal import Decimal

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.assertions.comparison import (
    compared,
    expected_number,
    input_numbers,
    numbers_in,
    single_column,
    total_row_note,
    unreadable_note,
)
from mindatlas.nodes.atlassplit.parts.assertions.evidence import CannotCheckError, Evidence, Finding
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import to_decimal, total
from mindatlas.nodes.atlassplit.parts.assertions.result_rows import data_rows


def total_sum_match(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether Σ result[column] is the expected sum, without one Σ input[column].

    Missing cells count as 0, total rows of the result do not count. A result that is a single number is its
    own sum. Needs one column.
    """
    actual, notes = _result_total(assertion, evidence)
    if assertion.expected is not None:
        return compared(assertion, expected_number(assertion), actual, notes)
    numbers = input_numbers(assertion, evidence)
    return compared(assertion, total(numbers.present), actual, [*notes, *unreadable_note(numbers)])


def _result_total(assertion: Assertion, evidence: Evidence) -> tuple[Decimal, list[str]]:
    if not isinstance(evidence.result, pd.DataFrame | dict | None):
        number = to_decimal(evidence.result)
        if number is None:
            raise CannotCheckError("the result is a single value and no number")
        return number, []
    sums, notes = [], []
    for frame in evidence.tables(assertion.table).values():
        rows, totals = data_rows(frame, evidence, assertion.by)
        numbers = numbers_in(rows, single_column(assertion))
        sums.append(total(numbers.present))
        notes += [*total_row_note(totals), *unreadable_note(numbers)]
    return total(sums), notes
