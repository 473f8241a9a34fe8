"""Cells and rows of a result beside the expected ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from mindatlas.evals.measures.atlassplit_tolerances import Tolerance, is_close

_MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]00:00:00(?:\.0+)?")
_MONTH = re.compile(r"(\d{4})[-/.年](\d{1,2})(?:月|[-/.]0?1)?")
_QUARTER = re.compile(r"(\d{4})\s*[-年]?\s*(?:[Qq]|第)([1-4])(?:季度?)?")


def is_same(found: Any, expected: Any, tolerance: Tolerance) -> bool:
    """Return whether a cell is the expected one.

    Numbers by tolerance; text as it stands, outer spaces aside; a time of midnight is its date; months and quarters
    are the same however they are written (2024-03, 2024年3月, 2024-03-01). A number written as text is no number.
    """
    if _is_number(expected):
        return _is_number(found) and is_close(found, expected, tolerance)
    if isinstance(expected, str):
        period = _period(expected)
        return _plain(found) == _plain(expected) or (period is not None and _period(found) == period)
    return bool((None if found == "" else found) == expected)


def same_rows(
    found: Sequence[Sequence[Any]], expected: Sequence[Sequence[Any]], tolerance: Tolerance, *, ordered: bool
) -> bool:
    """Return whether the rows are the expected ones, in any order unless `ordered`."""
    if len(found) != len(expected):
        return False
    if not ordered:
        found, expected = sorted(found, key=_order), sorted(expected, key=_order)
    return all(
        is_same(cell, wanted, tolerance)
        for row, wanted_row in zip(found, expected, strict=True)
        for cell, wanted in zip(row, wanted_row, strict=True)
    )


def _order(row: Sequence[Any]) -> tuple[list[str], list[float]]:
    """Sort by the texts first, so that numbers within tolerance of each other do not part equal rows."""
    texts = [_period(cell) or _plain(cell) for cell in row if not _is_number(cell)]
    return texts, [float(cell) for cell in row if _is_number(cell)]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _plain(value: Any) -> str:
    text = str(value).strip() if isinstance(value, str) else repr(value)
    midnight = _MIDNIGHT.fullmatch(text)
    return midnight[1] if midnight else text


def _period(value: Any) -> str | None:
    """Return a month as YYYY-MM, a quarter as YYYY-Qn; None for anything else."""
    text = _plain(value)
    if month := _MONTH.fullmatch(text):
        return f"{month[1]}-{int(month[2]):02d}"
    if quarter := _QUARTER.fullmatch(text):
        return f"{quarter[1]}-Q{quarter[2]}"
    return None
