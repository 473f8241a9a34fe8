"""Figures of one kind, and whether another is their sum, difference or share."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

PAIRS = 24
"""Values: of more than so many, some two make any figure, so only their totals are combined."""


class Pool(NamedTuple):
    """Figures of one kind, ascending.

    `terms` are combined with each other, `totals` are what shares are taken of, `sums` what averages are taken of.
    """

    terms: list[float]
    totals: list[float]
    sums: list[float]


def pool_of(columns: Sequence[tuple[str, Sequence[float]]]) -> Pool:
    """Return what a column holds over all results: its figures where they are few, sums, extremes, means.

    Sums are those of each result, of each group of results, and of all. Running sums from the top are wholes too:
    前三名合计.

    Args:
        columns: for each result its group and its figures.
    """
    sums = {sum(column) for _, column in columns}
    for group in {group for group, _ in columns}:
        sums.add(sum(sum(column) for other, column in columns if other == group))
    sums.add(sum(sum(column) for _, column in columns))
    totals: set[float] = set(sums)
    for _, column in columns:
        descending = sorted(column, reverse=True)
        totals |= {
            descending[0],
            descending[-1],
            sum(column),
            sum(column) / len(column),
            descending[len(column) // 2],
        }
        totals |= set(accumulate(descending[:20]))
    single = {value for _, column in columns for value in column}
    return Pool(sorted(totals | single if len(single) <= PAIRS else totals), sorted(totals), sorted(sums))


def is_sum_or_difference(terms: Sequence[float], low: float, high: float) -> bool:
    """Return whether one of `terms`, or two of them added or subtracted, give a value of `low` to `high`."""
    return any_within(terms, low, high) or any(
        any_within(terms, low - term, high - term) or any_within(terms, low + term, high + term)
        for term in terms
    )


def is_share_of(whole: float, parts: Sequence[float], low: float, high: float) -> bool:
    """Return whether `low` to `high` percent is the share of a part in `whole`, or the change between them."""
    share = (low / 100 * whole, high / 100 * whole)
    grown = (whole + share[0], whole + share[1])
    fallen = (whole - share[1], whole - share[0])
    return any(any_within(parts, *bounds) for bounds in (share, grown, fallen))


def any_within(values: Sequence[float], low: float, high: float) -> bool:
    """Return whether one of the ascending `values` lies between `low` and `high`, both ends included."""
    index = bisect_left(values, low)
    return index < len(values) and values[index] <= high
