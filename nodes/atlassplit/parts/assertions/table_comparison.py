"""Two tables compared by value, whatever the order of their rows and the names of their columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Tolerance
from mindatlas.nodes.atlassplit.parts.assertions.column_alignment import Value, aligned, as_fractions
from mindatlas.nodes.atlassplit.parts.assertions.evidence import label_text, quoted_names
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import (
    as_text,
    is_missing,
    subtract,
    to_decimal,
)
from mindatlas.nodes.atlassplit.parts.assertions.group_keys import value_key
from mindatlas.nodes.text import fold

_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?")


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """How two tables differ: told for people, the number of rows concerned, the cell values told."""

    problems: tuple[str, ...] = ()
    rows: int = 0
    quoted: tuple[str, ...] = ()


def compare_tables(mine: pd.DataFrame, theirs: pd.DataFrame, tolerance: Tolerance) -> Comparison:
    """Return how `mine` differs from `theirs`; more columns are no difference, more rows are."""
    if len(mine) != len(theirs):
        told = f"{len(mine)} rows, and {len(theirs)} from the other writer"
        return Comparison(problems=(told,), rows=abs(len(mine) - len(theirs)))
    left, right = _columns(mine), _columns(theirs)
    pairs = _pairs(left, right, tolerance)
    unpaired = [right[at][0] for at in range(len(right)) if at not in pairs]
    if unpaired:
        real = quoted_names(name for name, _ in left)
        told = f"no column holds {quoted_names(unpaired)} of the other writer; there are {real}"
        return Comparison(problems=(told,), rows=len(theirs))
    names = [right[at][0] for at in pairs]
    theirs_rows = _sorted_rows([right[at][1] for at in pairs])
    mine_rows = _sorted_rows([aligned(left[mine_at][1], right[at][1]) for at, mine_at in pairs.items()])
    return _compare_rows(names, _in_fractions(names, mine_rows, theirs_rows), theirs_rows, tolerance)


def _in_fractions(
    names: Sequence[str], mine: list[tuple[Value, ...]], theirs: list[tuple[Value, ...]]
) -> list[tuple[Value, ...]]:
    """Return the rows with rates in percent as fractions where the other writer's are."""
    columns = [
        as_fractions(name, list(left), list(right))
        for name, left, right in zip(names, zip(*mine, strict=True), zip(*theirs, strict=True), strict=True)
    ]
    return list(zip(*columns, strict=True)) if mine else mine


def _columns(frame: pd.DataFrame) -> list[tuple[str, list[Value]]]:
    return [
        (label_text(label), list(map(_value, frame.iloc[:, at].tolist())))
        for at, label in enumerate(frame.columns)
    ]


def _value(cell: object) -> Value:
    if is_missing(cell):
        return None
    if isinstance(cell, str):
        return value_key(pd.Timestamp(cell)) if _MOMENT.fullmatch(cell) else (fold(cell) or None)
    number = to_decimal(cell) if isinstance(cell, int | float | Decimal | np.generic) else None
    return value_key(cell) if number is None else number


def _pairs(
    left: Sequence[tuple[str, list[Value]]], right: Sequence[tuple[str, list[Value]]], tolerance: Tolerance
) -> dict[int, int]:
    """Return the place on the left of each column on the right that has one: by name first, then by values."""
    pairs: dict[int, int] = {}
    for at, (name, _) in enumerate(right):
        same = [place for place, (other, _) in enumerate(left) if fold(other) == fold(name)]
        if len(same) == 1 and same[0] not in pairs.values():
            pairs[at] = same[0]
    for at, (_, values) in enumerate(right):
        if at not in pairs:
            free = (place for place in range(len(left)) if place not in pairs.values())
            fit = next((place for place in free if _same_values(left[place][1], values, tolerance)), None)
            pairs |= {at: fit} if fit is not None else {}
    return dict(sorted(pairs.items()))


def _same_values(left: list[Value], right: list[Value], tolerance: Tolerance) -> bool:
    pairs = zip(sorted(aligned(left, right), key=_order), sorted(right, key=_order), strict=True)
    return all(_equal(mine, theirs, tolerance) for mine, theirs in pairs)


def _sorted_rows(columns: Sequence[list[Value]]) -> list[tuple[Value, ...]]:
    """Return the rows in an order that does not hang on rounding: by their texts, then by their numbers."""
    rows = list(zip(*columns, strict=True))
    return sorted(
        rows,
        key=lambda row: (
            [_order(None if isinstance(value, Decimal) else value) for value in row],
            [_order(value) for value in row],
        ),
    )


def _compare_rows(
    names: Sequence[str],
    mine: Sequence[tuple[Value, ...]],
    theirs: Sequence[tuple[Value, ...]],
    tolerance: Tolerance,
) -> Comparison:
    odd = [
        (name, left, right)
        for row, other in zip(mine, theirs, strict=True)
        for name, left, right in [_first_difference(names, row, other, tolerance)]
        if name is not None
    ]
    if not odd:
        return Comparison()
    name, left, right = odd[0]
    shown = [_shown(left), _shown(right)]
    told = (
        f"{len(odd)} of {len(mine)} rows differ, such as {name!r}: {shown[0]}, and {shown[1]} from the other"
    )
    return Comparison(problems=(told,), rows=len(odd), quoted=tuple(shown))


def _first_difference(
    names: Sequence[str], row: Sequence[Value], other: Sequence[Value], tolerance: Tolerance
) -> tuple[str | None, Value, Value]:
    for name, left, right in zip(names, row, other, strict=True):
        if not _equal(left, right, tolerance):
            return name, left, right
    return None, None, None


def _equal(left: Value, right: Value, tolerance: Tolerance) -> bool:
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return tolerance.accepts(subtract(left, right), right)
    return left == right


def _order(value: Value) -> tuple[int, str, Decimal]:
    if value is None:
        return 0, "", Decimal(0)
    return (1, value, Decimal(0)) if isinstance(value, str) else (2, "", value)


def _shown(value: Value) -> str:
    if value is None:
        return "(blank)"
    return as_text(value) if isinstance(value, Decimal) else value
