"""Checks of a result's make-up: its columns and its tables."""

from __future__ import annotations

from collections.abc import Sequence

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion, Json
from mindatlas.nodes.atlassplit.parts.assertions.evidence import (
    CannotCheckError,
    Evidence,
    Finding,
    column_of,
    has_column,
    label_text,
    quoted_names,
)
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import is_missing
from mindatlas.nodes.atlassplit.parts.assertions.group_keys import value_key
from mindatlas.nodes.text import fold


def columns_present(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether every table of the result has the columns, compared folded; more columns are fine.

    The names are `columns`, or else those of `expected`.
    """
    names = list(assertion.columns) or _names(assertion.expected)
    missing: list[str] = []
    real: list[object] = []
    for frame in evidence.tables(assertion.table).values():
        missing += [name for name in names if not has_column(frame, name) and name not in missing]
        real += [label for label in frame.columns if label not in real]
    found = [name for name in names if name not in missing]
    reason = f"missing: {quoted_names(missing)}; there are {quoted_names(real)}" if missing else ""
    return Finding(passed=not missing, expected=names, actual=found, reason=reason)


def sheet_set(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether the result is made of exactly the expected tables, compared folded, in any order.

    `expected` is their names. Without them there must be one table for each value of the input column in
    `columns` (or `by`), and where cells of it are missing one more table, of any name, may hold those rows.
    """
    if not isinstance(evidence.result, dict):
        raise CannotCheckError("the result is not made of named tables")
    actual = list(evidence.result)
    expected, spare = (_names(assertion.expected), 0) if assertion.expected else _values(assertion, evidence)
    wanted, found = {fold(name): name for name in expected}, {fold(name): name for name in actual}
    missing = [name for key, name in wanted.items() if key not in found]
    extra = [name for key, name in found.items() if key not in wanted][spare:]
    told = [f"missing: {quoted_names(missing)}"] if missing else []
    told += [f"not expected: {quoted_names(extra)}"] if extra else []
    passed = not told
    return Finding(
        passed=passed, expected=expected, actual=actual, reason="; ".join(told), quoted=(*missing, *extra)
    )


def _names(expected: Json) -> list[str]:
    if not isinstance(expected, Sequence) or isinstance(expected, str) or not expected:
        raise CannotCheckError(f"expects a list of names, not {expected!r}")
    return [label_text(name) for name in expected]


def _values(assertion: Assertion, evidence: Evidence) -> tuple[list[str], int]:
    """Return the distinct values of the input column as names, and 1 when cells of it are missing."""
    names = assertion.columns or assertion.by
    if len(names) != 1:
        raise CannotCheckError("needs the expected names, or the one column that was split by")
    column = column_of(evidence.input_with(names), names[0])
    keys = {value_key(value): _name_of(value) for value in reversed(column.unique().tolist())}
    found = [keys[key] for key in sorted(key for key in keys if key is not None)]
    return found, int(None in keys)


def _name_of(value: object) -> str:
    return "" if is_missing(value) else str(value_key(value) if not isinstance(value, str) else value)
