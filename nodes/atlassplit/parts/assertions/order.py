"""The check of the order of rows."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any, Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.assertions.comparison import single_column
from mindatlas.nodes.atlassplit.parts.assertions.evidence import (
    CannotCheckError,
    Evidence,
    Finding,
    column_of,
)
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import is_missing, numbers_of
from mindatlas.nodes.atlassplit.parts.assertions.group_keys import Key, keys_of
from mindatlas.nodes.atlassplit.parts.assertions.result_rows import data_rows
from mindatlas.nodes.atlassplit.parts.assertions.rows import none_expected

_FOLLOWS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "increasing": ge,
    "decreasing": le,
    "strictly_increasing": gt,
    "strictly_decreasing": lt,
}


def monotonic(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether a column only rises, or falls, from row to row: #{t: v_t before v_{t−1}} = 0.

    `expected` is increasing (also when left out), decreasing, strictly_increasing or strictly_decreasing; by
    group when there are `by` columns. Numbers, also those stored as text, else dates, else text by code
    point. Missing cells and total rows are passed over; there is no tolerance. Needs one column.
    """
    direction = str(assertion.expected or "increasing")
    if direction not in _FOLLOWS:
        raise CannotCheckError(f"expects one of {', '.join(_FOLLOWS)}, not {direction!r}")
    violations = 0
    for frame in evidence.tables(assertion.table).values():
        rows, _ = data_rows(frame, evidence, assertion.by)
        values = _comparable(column_of(rows, single_column(assertion)))
        violations += _violations(values, keys_of(rows, assertion.by), _FOLLOWS[direction])
    return none_expected(violations, f"{violations} rows break the order ({direction})")


def _violations(values: list[Any], keys: list[Key], follows: Callable[[Any, Any], bool]) -> int:
    last: dict[Key, Any] = {}
    count = 0
    for key, value in zip(keys, values, strict=True):
        if value is None:
            continue
        count += key in last and not follows(value, last[key])
        last[key] = value
    return count


def _comparable(column: pd.Series) -> list[Any]:
    """Return values that compare with each other, None where a cell is missing."""
    numbers = numbers_of(column)
    if not numbers.unreadable:
        return list(numbers.values)
    values = [None if is_missing(value) else value for value in column.tolist()]
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) > 1:
        raise CannotCheckError(f"values of several types do not compare: {sorted(k.__name__ for k in kinds)}")
    return values
