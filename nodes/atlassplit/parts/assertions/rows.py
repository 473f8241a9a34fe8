"""Checks of rows: how many, how often the same, how complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.assertions.comparison import compared, expected_number
from mindatlas.nodes.atlassplit.parts.assertions.evidence import (
    CannotCheckError,
    Evidence,
    Finding,
    column_of,
    label_text,
)
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import is_missing
from mindatlas.nodes.atlassplit.parts.assertions.group_keys import key_text, keys_of
from mindatlas.nodes.atlassplit.parts.assertions.result_rows import data_rows

_MOST_KEYS_TOLD: Final = 5


def row_count(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether the result has the expected number of rows, all its tables together.

    `expected` is a number, or {"min": low, "max": high} with either left out. Without one it is the number of
    groups that the input has over the `by` columns, or without `by` the number of rows of the active input:
    what a split keeps, and a join may not multiply. A missing key is a group; the result's total rows are no
    groups; texts that differ in case, width or spaces only may be one group or several.
    """
    tables = evidence.tables(assertion.table).values()
    if assertion.expected is None and assertion.by:
        actual = sum(len(data_rows(frame, evidence, assertion.by)[0]) for frame in tables)
        return compared(assertion, Decimal(_nearest_count(assertion.by, evidence, actual)), Decimal(actual))
    actual = sum(map(len, tables))
    if isinstance(assertion.expected, Mapping):
        return _within(actual, assertion.expected)
    if assertion.expected is None:
        return compared(assertion, Decimal(len(evidence.inputs[evidence.active])), Decimal(actual))
    return compared(assertion, expected_number(assertion), Decimal(actual))


def unique_key(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether no two rows of a table share a key: Σ over keys (count − 1) = 0.

    The key is `columns`, or else `by`; values are compared as written and a missing one is a value. Each table
    is looked at on its own.
    """
    names = assertion.columns or assertion.by
    if not names:
        raise CannotCheckError("needs the columns of the key")
    repeated: list[str] = []
    rows = 0
    for frame in evidence.tables(assertion.table).values():
        counts = Counter(keys_of(frame, names, exact=True))
        repeated += [key_text(key) for key, count in counts.items() if count > 1]
        rows += sum(count - 1 for count in counts.values())
    shown = ", ".join(map(repr, repeated[:_MOST_KEYS_TOLD]))
    told = f"{len(repeated)} keys occur more than once, such as {shown}"
    return none_expected(rows, told, repeated[:_MOST_KEYS_TOLD])


def no_nulls(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether no cell of the columns is missing or blank text; without columns of all columns."""
    missing: Counter[str] = Counter()
    for frame in evidence.tables(assertion.table).values():
        for name, column in _asked_columns(frame, assertion.columns):
            missing[name] += sum(map(_is_blank, column.tolist()))
    where = ", ".join(f"{name!r} {count}" for name, count in missing.items() if count)
    return none_expected(missing.total(), f"missing cells in {where}")


def none_expected(count: int, told: str, quoted: Sequence[str] = ()) -> Finding:
    """Return the finding of a check that counts what should not be; `told` is the reason when there is some."""
    return Finding(
        passed=count == 0,
        expected=0,
        actual=count,
        difference=Decimal(count),
        reason=told if count else "",
        quoted=tuple(quoted),
    )


def _nearest_count(by: Sequence[str], evidence: Evidence, actual: int) -> int:
    """Return the number of groups of the input, folded or as written, whichever is nearer to `actual`."""
    frame = evidence.input_with(by)
    counts = [len({*keys_of(frame, by)}), len({*keys_of(frame, by, exact=True)})]
    return min(counts, key=lambda count: abs(count - actual))


def _within(actual: int, bounds: Mapping[str, object]) -> Finding:
    low, high = bounds.get("min"), bounds.get("max")
    if not isinstance(low, int | None) or not isinstance(high, int | None):
        raise CannotCheckError("expects whole numbers as min and max")
    below = min(actual - low, 0) if low is not None else 0
    above = max(actual - high, 0) if high is not None else 0
    difference = below or above
    return Finding(
        passed=not difference,
        expected={"min": low, "max": high},
        actual=actual,
        difference=Decimal(difference),
    )


def _asked_columns(frame: pd.DataFrame, names: Sequence[str]) -> Iterator[tuple[str, pd.Series]]:
    if names:
        yield from ((name, column_of(frame, name)) for name in names)
    else:
        yield from ((label_text(label), frame.iloc[:, at]) for at, label in enumerate(frame.columns))


def _is_blank(value: object) -> bool:
    return is_missing(value) or (isinstance(value, str) and not value.strip())
