"""The check of sums by group, and of their total."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.assertions.comparison import (
    compared,
    expected_number,
    input_column,
    is_close,
    numbers_in,
    single_column,
    total_row_note,
    unreadable_note,
)
from mindatlas.nodes.atlassplit.parts.assertions.evidence import Evidence, Finding, has_column
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import as_text, to_decimal, total
from mindatlas.nodes.atlassplit.parts.assertions.group_keys import Key, key_text, keys_of
from mindatlas.nodes.atlassplit.parts.assertions.result_rows import data_rows
from mindatlas.nodes.text import fold

_MOST_GROUPS_TOLD: Final = 5
_ZERO: Final = Decimal(0)


def group_sums_match_total(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether the sums by group are right: Σ over g of result_g = Σ input, and each result_g = input_g.

    result_g is the sum of the result's rows whose `by` columns hold the key g; keys are compared folded and a
    missing key is a group as any other. With a number expected, only the sum over all groups is compared with
    it; with an object {key: number} (parts of a key joined by `/`) each of its groups. Where the input lacks a
    `by` column (a month that the result derives from a date), only the sums over all are compared. Needs one
    column, and `by` columns that the result has.
    """
    found: dict[Key, Decimal] = {}
    notes: list[str] = []
    for frame in evidence.tables(assertion.table).values():
        rows, totals = data_rows(frame, evidence, assertion.by)
        numbers = numbers_in(rows, single_column(assertion))
        _add_groups(found, keys_of(rows, assertion.by), numbers.values)
        notes += [*total_row_note(totals), *unreadable_note(numbers)]
    if isinstance(assertion.expected, Mapping):
        return _against_given(assertion, assertion.expected, found, notes)
    if assertion.expected is not None:
        return compared(assertion, expected_number(assertion), total(found.values()), notes)
    return _against_input(assertion, evidence, found, notes)


def _against_given(
    assertion: Assertion, given: Mapping[str, object], found: Mapping[Key, Decimal], notes: Sequence[str]
) -> Finding:
    numbers = {fold(key): to_decimal(value) for key, value in given.items()}
    expected: dict[Key, Decimal] = {(key,): number for key, number in numbers.items() if number is not None}
    by_text: dict[Key, Decimal] = {(key_text(key),): number for key, number in found.items()}
    asked = {key: number for key, number in by_text.items() if key in expected}
    return _compared_groups(assertion, expected, asked, notes)


def _against_input(
    assertion: Assertion, evidence: Evidence, found: dict[Key, Decimal], notes: list[str]
) -> Finding:
    name = input_column(assertion)
    frame = evidence.input_with([name])
    numbers = numbers_in(frame, name)
    notes = [*notes, *unreadable_note(numbers)]
    absent = [column for column in assertion.by if not has_column(frame, column)]
    if absent:
        names = ", ".join(map(repr, absent))
        notes.append(f"the input has no {names}, so only the sums over all are compared")
        return compared(assertion, total(numbers.present), total(found.values()), notes)
    expected: dict[Key, Decimal] = {}
    _add_groups(expected, keys_of(frame, assertion.by), numbers.values)
    return _compared_groups(assertion, expected, found, notes)


def _compared_groups(
    assertion: Assertion,
    expected: Mapping[Key, Decimal],
    found: Mapping[Key, Decimal],
    notes: Sequence[str],
) -> Finding:
    whole = compared(assertion, total(expected.values()), total(found.values()), notes)
    keys = sorted({*expected, *found}, key=key_text)
    odd = [key for key in keys if not is_close(assertion, expected.get(key, _ZERO), found.get(key, _ZERO))]
    if not odd:
        return whole
    told = [_told(key, expected.get(key), found.get(key)) for key in odd[:_MOST_GROUPS_TOLD]]
    more = [f"and {len(odd) - len(told)} more"] if len(odd) > len(told) else []
    sums = [as_text(side[key]) for side in (expected, found) for key in odd if key in side]
    return replace(
        whole,
        passed=False,
        reason="; ".join([f"{len(odd)} of {len(keys)} groups differ", *told, *more, *dict.fromkeys(notes)]),
        quoted=(*map(key_text, odd), *sums),
    )


def _told(key: Key, expected: Decimal | None, found: Decimal | None) -> str:
    if expected is None:
        return f"{key_text(key)!r} is no group that is expected"
    actual = "missing" if found is None else as_text(found)
    return f"{key_text(key)!r} expected {as_text(expected)}, actual {actual}"


def _add_groups(sums: dict[Key, Decimal], keys: Sequence[Key], values: Sequence[Decimal | None]) -> None:
    groups: dict[Key, list[Decimal]] = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        groups[key].append(value or _ZERO)
    for key, numbers in groups.items():
        sums[key] = total([sums.get(key, _ZERO), *numbers])
