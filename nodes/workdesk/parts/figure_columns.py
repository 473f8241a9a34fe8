"""The columns of a result: those that hold figures, and how many rows have each value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
GROUPS = 60
"""Columns with more different values than this are not counted by value."""

_CODE_LIKE = re.compile(
    r"(?:^|_)(?:id|code|status|state|type|priority|level|page|no|flag)$|编号|编码|状态|类型", re.IGNORECASE
)


def measures(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, list[float]]]:
    """Yield the columns that hold figures, by name; codes are left aside."""
    for key in dict.fromkeys(key for row in rows[:20] for key in row):
        if _CODE_LIKE.search(key):
            continue
        column = [number for row in rows if (number := _as_number(row.get(key))) is not None]
        if column:
            yield key, column


def _as_number(cell: Any) -> float | None:
    kind = type(cell)
    if kind is int or kind is float:
        return float(cell)
    if kind is str and cell[:1].isdigit() and cell.replace(".", "", 1).replace(",", "").isdigit():
        return float(cell.replace(",", ""))
    return None


def group_counts(rows: Sequence[Mapping[str, Any]]) -> Iterator[Counter[Any]]:
    """Yield how many rows have each value of a column, and each day and month of a time."""
    for key in dict.fromkeys(key for row in rows[:20] for key in row):
        cells = [row.get(key) for row in rows]
        try:
            counter = Counter(cells)
        except TypeError:  # lists and objects are no values to group by
            continue
        if len(counter) <= GROUPS:
            yield counter
        if isinstance(cells[0], str) and DATE.match(cells[0]):
            yield Counter(str(cell)[:10] for cell in cells)
            yield Counter(str(cell)[:7] for cell in cells)
