"""Checks of what a run did to the input, and whether it did anything."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.assertions.evidence import (
    CannotCheckError,
    Evidence,
    Finding,
    column_of,
    label_text,
)
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import is_missing


def input_intact(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether the input tables were left as they were, as the sandbox found them after the run."""
    reason = "" if evidence.input_intact else "the code changed an input table; let it work on a copy"
    return _yes_or_no(assertion, evidence.input_intact, reason)


def changed_something(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether the result says anything that the input does not.

    A table is unchanged when it has the columns, the rows and the values of an input table, in the same
    order; 1 and 1.0 are the same value, 1 and "1" are not. With `columns` only those are compared, which a
    cleaning of these columns must have changed. A single value is a change; so are several tables unless
    each of them is an input table.
    """
    if evidence.result is None:
        raise CannotCheckError("there is no result")
    changed = True
    if isinstance(evidence.result, pd.DataFrame | dict):
        tables = evidence.tables(assertion.table).values()
        changed = not all(_is_input(table, assertion.columns, evidence) for table in tables)
    return _yes_or_no(assertion, changed, "" if changed else "the result is what the input was")


def _yes_or_no(assertion: Assertion, actual: bool, reason: str) -> Finding:
    expected = assertion.expected is not False
    return Finding(passed=actual == expected, expected=expected, actual=actual, reason=reason)


def _is_input(table: pd.DataFrame, names: Sequence[str], evidence: Evidence) -> bool:
    columns = _columns(table, names)
    return any(
        columns == _columns(frame, names)
        for frame in evidence.inputs.values()
        if len(frame) == len(table) and (names or frame.shape == table.shape)
    )


def _columns(frame: pd.DataFrame, names: Sequence[str]) -> list[tuple[str, list[object]]]:
    """Return names and values, missing cells as None."""
    columns = [column_of(frame, name) for name in names] or [
        frame.iloc[:, at] for at in range(frame.shape[1])
    ]
    return [
        (label_text(column.name), [None if is_missing(value) else value for value in column.tolist()])
        for column in columns
    ]
