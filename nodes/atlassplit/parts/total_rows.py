"""Rows of totals: what their labels look like and whether their numbers bear them out."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Sequence

from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, Lost, is_blank
from mindatlas.nodes.atlassplit.parts.text_numbers import parse_number
from mindatlas.nodes.text import fold

LABEL_COLUMNS = 6  # a total's label stands in one of the first columns
LONGEST_LABEL = 40
SAMPLED_ROWS = 200  # rows that tell which columns hold numbers
REMEMBERED_TOTALS = 100  # earlier totals that a sum may start after
ABSOLUTE_TOLERANCE = 0.01
RELATIVE_TOLERANCE = 1e-6

_WORDS = (
    "合计|总计|小计|共计|累计|汇总|总和|平均|平均值|均值|total|subtotal|sub-total|grand total|sum|average"
)
_LABEL = re.compile(
    rf"(?:.*[\s:\-—_/(【\[]|.*[\u4e00-\u9fff]|)(?:{_WORDS})(?:[\s:)】\]]*|\s*[(:].*)"
    r"|(?:sub|grand )?total\s+\S.*",
    re.S,
)
_HINT = re.compile("[计計总總均]|sum|total|average", re.I)


def is_total_label(text: str) -> bool:
    """Return whether a text reads as the label of a total or mean: 合 计, 华东小计, Total, 平均（元）."""
    if len(text) > LONGEST_LABEL or not _HINT.search(text):
        return False
    return bool(_LABEL.fullmatch(fold(text)))


def find_totals(
    rows: Sequence[list[Cell]], body: int, skipped: Collection[int]
) -> tuple[list[int], list[int]]:
    """Return the rows that are totals and those that only look so, both ascending.

    A row with a total's label is one when at least half of its numbers are sums, or else means, of the data
    above (of all, or of that since an earlier total; for a first row, of all below), when it has no stored
    number at all, or when it leaves most dimension cells blank that other rows fill.

    Args:
        rows: All rows of the sheet's used range.
        body: First row below the header.
        skipped: Rows known to be no data.
    """
    labels = _label_columns(rows, body, skipped)
    if not labels:
        return [], []
    sums = _Sums(rows, body, labels, skipped)
    totals, doubtful = [], []
    for row, label_column in labels.items():
        sums.advance_to(row)
        if sums.explain(row) or sums.is_bare(row) or sums.leaves_blank(row, label_column):
            totals.append(row)
            sums.mark()
        else:
            doubtful.append(row)
            sums.include(row)
    return totals, doubtful


def number_in(cell: Cell) -> float | None:
    """Return the number that a cell holds or says as text, None when it holds none."""
    if isinstance(cell, int | float):
        return None if isinstance(cell, bool) else float(cell)
    number = parse_number(cell) if isinstance(cell, str) and cell else None
    return float(number.value) if number else None


def _label_columns(rows: Sequence[list[Cell]], body: int, skipped: Collection[int]) -> dict[int, int]:
    """Return the rows with a total's label and the column it stands in, rows ascending."""
    found: dict[int, int] = {}
    for column in reversed(range(min(LABEL_COLUMNS, len(rows[0])))):
        cells = [row[column] for row in rows[body:]]
        texts = [cell for cell in set(cells) if isinstance(cell, str)]
        if not _HINT.search("\n".join(texts)):
            continue  # one search instead of one for each of 100,000 texts
        labels = {text for text in texts if is_total_label(text)}
        if labels:
            found |= {row: column for row, cell in enumerate(cells, body) if cell in labels}
    return {row: found[row] for row in sorted(found) if row not in skipped}


class _Sums:
    """Sums of the data rows passed so far, and since each total passed."""

    def __init__(
        self, rows: Sequence[list[Cell]], body: int, labels: Collection[int], skipped: Collection[int]
    ) -> None:
        self._rows = rows
        self._data = [row for row in range(body, len(rows)) if row not in labels and row not in skipped]
        sample = [rows[row] for row in self._data[:SAMPLED_ROWS]]
        numeric = [column for column in range(len(rows[0])) if _mostly(sample, column, _holds_number)]
        self._dimensions = [
            column
            for column in range(len(rows[0]))
            if column not in numeric and _mostly(sample, column, lambda cell: not is_blank(cell), of_all=True)
        ]
        self._numbers = {
            column: array("d", (number_in(rows[row][column]) or 0.0 for row in self._data))
            for column in numeric
        }
        self._sums = dict.fromkeys(numeric, 0.0)
        self._passed = self._included = 0
        self._marks = [(0, dict(self._sums))]

    def advance_to(self, row: int) -> None:
        """Add the data rows above `row` that were not added yet."""
        start = self._passed
        while self._passed < len(self._data) and self._data[self._passed] < row:
            self._passed += 1
        for column, numbers in self._numbers.items():
            self._sums[column] += sum(numbers[start : self._passed])

    def include(self, row: int) -> None:
        """Add a row that turned out to be data."""
        self._included += 1
        for column in self._sums:
            self._sums[column] += number_in(self._rows[row][column]) or 0.0

    def mark(self) -> None:
        """Remember the sums at a total."""
        self._marks.append((self._passed + self._included, dict(self._sums)))

    def explain(self, row: int) -> bool:
        """Return whether a row's numbers are sums or means of the data, by one and the same start."""
        found = {column: number_in(self._rows[row][column]) for column in self._numbers}
        numbers = {column: number for column, number in found.items() if number is not None}
        if not self._passed:
            all_below = {column: sum(self._numbers[column]) for column in numbers}
            return _agree(numbers, all_below, len(self._data))
        return any(
            _agree(
                numbers,
                {column: self._sums[column] - start[column] for column in numbers},
                self._passed + self._included - count,
            )
            for count, start in [self._marks[0], *self._marks[1:][-REMEMBERED_TOTALS:]]
        )

    def is_bare(self, row: int) -> bool:
        """Return whether a row has no number in any column of numbers, be it that none is stored."""
        cells = [self._rows[row][column] for column in self._numbers]
        return bool(cells) and all(is_blank(cell) or cell is Lost.UNCACHED for cell in cells)

    def leaves_blank(self, row: int, label_column: int) -> bool:
        """Return whether most other dimension cells of a row are blank, and there are some."""
        others = [self._rows[row][column] for column in self._dimensions if column != label_column]
        return bool(others) and sum(map(is_blank, others)) * 2 > len(others)


def _agree(numbers: dict[int, float], sums: dict[int, float], count: int) -> bool:
    """Return whether at least half of `numbers` are the sums, or else the means, over `count` rows."""
    for divisor in (1, max(count, 1)):
        expected = {column: total / divisor for column, total in sums.items()}
        agreeing = [column for column, number in numbers.items() if _is_near(number, expected[column])]
        if len(agreeing) * 2 >= len(numbers) and any(numbers[column] for column in agreeing):
            return True
    return False


def _is_near(number: float, expected: float) -> bool:
    return abs(number - expected) <= ABSOLUTE_TOLERANCE + RELATIVE_TOLERANCE * abs(expected)


def _holds_number(cell: Cell) -> bool:
    return cell is Lost.UNCACHED or number_in(cell) is not None


def _mostly(
    sample: Sequence[list[Cell]], column: int, holds: Callable[[Cell], bool], *, of_all: bool = False
) -> bool:
    cells = [row[column] for row in sample if of_all or not is_blank(row[column])]
    return sum(map(holds, cells)) * 2 > len(cells)
