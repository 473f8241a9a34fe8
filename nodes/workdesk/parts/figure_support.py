"""Whether a figure follows from what the tools brought: stands there, or is a simple sum, share or count of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, combinations
from typing import Any

from mindatlas.nodes.workdesk.parts.figure_columns import DATE, GROUPS, group_counts, measures
from mindatlas.nodes.workdesk.parts.figure_pools import (
    PAIRS,
    Pool,
    any_within,
    is_share_of,
    is_sum_or_difference,
    pool_of,
)
from mindatlas.nodes.workdesk.parts.figures import Figure, find_figures
from mindatlas.nodes.workdesk.parts.result_data import ResultData

_HAS_DIGIT = re.compile(r"[0-9０-９十百千万]")
_CODE_OR_TIME = re.compile(r"[A-Za-z][\w-]*|\d{4}-\d{2}-\d{2}.*", re.ASCII | re.DOTALL)
_FEW = 8  # values of a column, of which two may be counted together: 已完成和已关闭共 5 单
_LOOSE = 0.1  # how far a figure with 约 or “about” may lie off, as a share of it


class FigureSupport:
    """Answers whether figures follow from results.

    Args:
        results: what the tools brought.
        also: texts whose figures may be repeated: the question, the arguments of the calls.
    """

    def __init__(self, results: Sequence[ResultData], also: Iterable[str] = ()) -> None:
        self._results = results
        self._also = tuple(also)

    def supports(self, figure: Figure, earlier: Sequence[float] = ()) -> bool:
        """Return whether `figure` follows from the results, or from figures of the reply before it.

        It follows when it stands in a result, counts rows (all, or those of one value), or is the sum, difference,
        share, change, ratio or average of such figures, as far as it is rounded. `earlier` are the figures of the
        reply before it, whose running sums and differences follow as well.
        """
        if figure.value in self.cells:
            return True
        if figure.bound == "denied" or (figure.bound and figure.percent):
            return True
        if figure.bound:
            return any(
                value > figure.value if figure.bound == "above" else value < figure.value
                for value in self._terms
            )
        if figure.duration and self._has_times:
            return True
        low, high = _bounds(figure)
        if figure.percent:
            return (
                figure.value in (0, 100)
                or any_within(self._direct, low, high)
                or self._is_share(low, high)
                or any_within(self._texts, low, high)
            )
        return (
            self._is_combined(low, high)  # first, since it is cheap: sums are what tables are followed by
            or any_within(self._direct, low, high)
            or any_within(self._texts, low, high)
            or self._is_ratio(figure, low, high)
            or self._follows(low, high, earlier)
        )

    @cached_property
    def _rows(self) -> list[list[dict[str, Any]]]:
        return [[row for row in result.rows if type(row) is dict] for result in self._results]

    @cached_property
    def _has_times(self) -> bool:
        return any(DATE.search(result.content) for result in self._results)

    @cached_property
    def cells(self) -> set[float]:
        """The numbers that stand in cells of the results, as they are, and the numbers of records."""
        cells = {
            cell for rows in self._rows for row in rows for cell in row.values() if type(cell) in (int, float)
        }
        records = {float(len(result.rows)) for result in self._results}
        return cells | records | {float(result.total) for result in self._results if result.total is not None}

    @cached_property
    def _texts(self) -> list[float]:
        """The figures that stand in texts and deeper structures of the results."""
        return sorted({value for result in self._results for value in _numbers(result.rows)})

    @cached_property
    def _direct(self) -> list[float]:
        """All figures that stand in the results, the counts of rows, and the figures that may be repeated."""
        values = set(self.cells)
        values |= {
            float(len(cell))
            for rows in self._rows
            for row in rows
            for cell in row.values()
            if type(cell) is list
        }
        values |= {figure.value for result in self._results for figure in find_figures(_head(result))}
        values |= {figure.value for text in self._also for figure in find_figures(text)}
        for counter in self._groups:
            size, counts = sum(counter.values()), counter.values()
            values |= {float(count) for count in counts} | {float(size - count) for count in counts}
            values.add(float(len(counter)))
            if len(counter) <= _FEW:
                values |= {float(one + other) for one, other in combinations(counts, 2)}
        return sorted(values | {abs(value) for value in values})

    @cached_property
    def _groups(self) -> list[Counter[Any]]:
        return [counter for rows in self._rows for counter in group_counts(rows)]

    @cached_property
    def _pools(self) -> list[Pool]:
        """What may be combined with each other: a column over all results, and the numbers of records."""
        columns: dict[str, list[tuple[str, list[float]]]] = {}
        for result, rows in zip(self._results, self._rows, strict=True):
            for key, column in measures(rows):
                columns.setdefault(key, []).append((result.group, column))
        pools = [pool_of(parts) for parts in columns.values()]
        return [pool for pool in (*pools, self._record_counts(), self._text_figures()) if pool.terms]

    def _record_counts(self) -> Pool:
        records = {float(len(rows)) for rows in self._rows}
        records |= {float(result.total) for result in self._results if result.total}
        return Pool(sorted(records), sorted(records), sorted(records))

    def _text_figures(self) -> Pool:
        texts = (row["text"] for rows in self._rows for row in rows if isinstance(row.get("text"), str))
        figures = sorted({figure.value for text in texts for figure in find_figures(text)})
        return Pool(figures, figures, figures) if len(figures) <= PAIRS else Pool([], [], [])

    @cached_property
    def _terms(self) -> list[float]:
        return sorted({term for pool in self._pools for term in pool.terms})

    def _is_combined(self, low: float, high: float) -> bool:
        return any(is_sum_or_difference(pool.terms, low, high) for pool in self._pools)

    def _is_share(self, low: float, high: float) -> bool:
        for pool in self._pools:
            wholes = pool.totals if len(pool.terms) > PAIRS else pool.terms
            if any(whole > 0 and is_share_of(whole, pool.terms, low, high) for whole in wholes):
                return True
        records = self._record_counts().totals
        return any(is_share_of(whole, self._direct, low, high) for whole in records if whole > 0)

    def _is_ratio(self, figure: Figure, low: float, high: float) -> bool:
        """Return whether the figure is an average or a ratio; whole numbers are too easily one by chance."""
        if figure.step >= 1:
            counts = {*self._row_counts, *(self._day_counts if figure.approximate else ())}
            sums = [total for pool in self._pools for total in pool.sums]
            return any(
                low * count <= total <= high * count for count in counts if count > 1 for total in sums
            )
        return any(
            any_within(self._terms, low * whole, high * whole)
            for whole in {*self._terms, *self._day_counts}
            if whole > 0
        )

    @cached_property
    def _row_counts(self) -> list[int]:
        return [len(rows) for rows in self._rows if len(rows) <= GROUPS]

    @property
    def _day_counts(self) -> tuple[float, ...]:
        return (7.0, 28.0, 29.0, 30.0, 31.0, 90.0, 91.0, 92.0, 365.0, 366.0) if self._results else ()

    def _follows(self, low: float, high: float, earlier: Sequence[float]) -> bool:
        running = accumulate(reversed(earlier[-20:]))
        if any(low <= value <= high for value in running):
            return True
        return any(
            low + value <= total <= high + value
            for value in earlier[-5:]
            for pool in self._pools
            for total in pool.totals
        )


def _bounds(figure: Figure) -> tuple[float, float]:
    """Return the values that `figure` may stand for: rounded either way, or roughly where it says so."""
    slack = figure.step * (0.5 if figure.step == 1 else 1)
    if figure.approximate:
        slack = max(abs(figure.value) * _LOOSE, figure.step)
    value = abs(figure.value)
    return value - slack * (1 - 1e-9), value + slack * (1 - 1e-9)


def _head(result: ResultData) -> str:
    """Return the part of a result that is no row: the fields beside the list, which are short."""
    return result.content[:200] + " " + result.content[-200:] if len(result.content) > 400 else result.content


def _numbers(value: Any) -> Iterator[float]:
    """Yield the figures of a JSON value: numbers, and those in texts that are no mere code, name or time."""
    pending = [value]
    while pending:
        item = pending.pop()
        kind = type(item)
        if kind is int or kind is float:
            yield float(item)
        elif kind is dict:
            pending.extend(item.values())
        elif kind is list or kind is tuple:
            pending.extend(item)
        elif kind is str and _HAS_DIGIT.search(item) and not _CODE_OR_TIME.fullmatch(item):
            yield from (figure.value for figure in find_figures(item))
