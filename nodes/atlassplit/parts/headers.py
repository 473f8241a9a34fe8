"""Where a table's header is and what its columns are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time
from itertools import pairwise

from mindatlas.nodes.atlassplit.parts.cell_values import plain_value
from mindatlas.nodes.atlassplit.parts.header_names import spread
from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, Lost, MergedRange, filled_count, is_blank
from mindatlas.nodes.text import fold

SEARCHED_ROWS = 40  # rows from the top among which the header must be
BODY_ROWS = 30  # rows below a candidate that tell what the data looks like
LEAST_FILL = 0.6  # share of the columns that a header must name; a title line names fewer
MOST_LEVELS = 3

_NUMERIC_TEXT = re.compile(r"[-+(]?[￥¥$€£]?[\d,]*\.?\d+(?:[eE][-+]?\d+)?\s*[%万亿元)]*")
_SHORT_NUMBER_LABEL = re.compile(r"\d{1,4}")
_CAPTION = re.compile(r".{1,12}[:：](?:\s*\S.*)?", re.S)


@dataclass(frozen=True, kw_only=True)
class Header:
    """A header as found; rows and columns are positions in the rows that were searched.

    Attributes:
        titles: Rows above the header that hold something.
        levels: Header rows, top first; empty for a table without a header.
        body: First row that may be data.
    """

    titles: tuple[int, ...]
    levels: tuple[int, ...]
    body: int


def find_header(
    rows: Sequence[list[Cell]], merges: Sequence[MergedRange] = (), *, text_only: bool = False
) -> Header:
    """Return the header of the table in `rows`, at least one of which is not blank.

    The header is the first row that names most columns by labels; rows above it are its upper levels when
    their cells span or repeat, and titles otherwise. When that first full row holds values instead, the table
    has no header.

    Args:
        rows: Rows of equal length.
        merges: Merged ranges, by places in `rows`.
        text_only: All cells are text; plain numbers among them count as numbers.
    """
    if text_only:
        seen = SEARCHED_ROWS + BODY_ROWS
        return find_header([*([_typed(cell) for cell in row] for row in rows[:seen]), *rows[seen:]], merges)
    top = range(min(len(rows), SEARCHED_ROWS))
    filled = [row for row in top if not all(map(is_blank, rows[row]))]
    lowest = next((at for at, row in enumerate(filled) if _names_most_columns(rows, row, merges)), 0)
    lowest = _skip_sparse(rows, filled, lowest)
    if not _is_label_row(rows, filled[lowest], merges):
        return Header(titles=tuple(filled[:lowest]), levels=(), body=filled[lowest])
    levels = _levels(rows, filled, lowest, merges)
    return Header(titles=tuple(row for row in filled if row < levels[0]), levels=levels, body=levels[-1] + 1)


def usual_fill(rows: Sequence[list[Cell]], row: int) -> int:
    """Return how many cells a usual row below `row` has; those of the row itself when there is none."""
    below = sorted(filter(None, map(filled_count, rows[row + 1 : row + 1 + BODY_ROWS])))
    return below[len(below) // 2] if below else filled_count(rows[row])


def has_values_below(rows: Sequence[list[Cell]], row: int) -> bool:
    """Return whether a column has mostly values below where the row has text, as below a true header."""
    below = rows[row + 1 : row + 1 + BODY_ROWS]
    return any(
        isinstance(cell, str) and _mostly_values([line[column] for line in below])
        for column, cell in enumerate(rows[row])
        if not is_blank(cell)
    )


def is_label(cell: Cell) -> bool:
    """Return whether a cell can name a column: text that is no amount, a whole number, or a date."""
    if isinstance(cell, str):
        text = cell.strip()
        is_amount = _NUMERIC_TEXT.fullmatch(text) and not _SHORT_NUMBER_LABEL.fullmatch(text)
        return bool(text) and not is_amount
    if isinstance(cell, bool | Lost | time):
        return False
    return isinstance(cell, date) or (isinstance(cell, int | float) and float(cell).is_integer())


def _names_most_columns(rows: Sequence[list[Cell]], row: int, merges: Sequence[MergedRange]) -> bool:
    width = usual_fill(rows, row)
    if width > 1 and sum(not is_blank(cell) for cell in rows[row]) == 1:
        return False  # one text, be it merged over the whole width, is a title
    return filled_count(spread(rows, row, merges)) >= LEAST_FILL * width


def _skip_sparse(rows: Sequence[list[Cell]], filled: list[int], at: int) -> int:
    """Return the place of a fuller label row right below that stands over values, else `at`.

    A line of captions (制表人：张三, 单位：元) may name enough columns of a narrow table.
    """
    if at + 1 >= len(filled):
        return at
    upper, lower = rows[filled[at]], rows[filled[at + 1]]
    fuller = filled_count(lower) > filled_count(upper) and all(is_label(c) for c in lower if not is_blank(c))
    return at + 1 if fuller and has_values_below(rows, filled[at + 1]) else at


def _typed(cell: Cell) -> Cell:
    return plain_value(cell) if isinstance(cell, str) else cell


def _mostly_values(cells: Sequence[Cell]) -> bool:
    present = [cell for cell in cells if not is_blank(cell)]
    return sum(not isinstance(cell, str) or not is_label(cell) for cell in present) * 2 > len(present)


def _is_label_row(rows: Sequence[list[Cell]], row: int, merges: Sequence[MergedRange]) -> bool:
    cells = [cell for cell in spread(rows, row, merges) if not is_blank(cell)]
    if not all(map(is_label, cells)):
        return False
    if all(isinstance(cell, str) for cell in cells) or has_values_below(rows, row):
        return True
    numbers = [int(cell) for cell in cells if isinstance(cell, int | float)]
    return _is_series(numbers, beside_text=any(isinstance(cell, str) for cell in cells)) and not (
        _continues_below(rows, row)
    )


def _is_series(numbers: Sequence[int], *, beside_text: bool) -> bool:
    """Return whether whole numbers read as labels: years, or months and days counted beside a text label."""
    years = all(1900 <= number <= 2100 for number in numbers)
    counted = len(numbers) > 2 and all(b - a == 1 for a, b in pairwise(numbers))
    return years or (counted and beside_text)


def _continues_below(rows: Sequence[list[Cell]], row: int) -> bool:
    """Return whether the numbers and dates of a row are like those below it, so that it is data itself."""
    below = next((line for line in rows[row + 1 :] if filled_count(line)), None)
    pairs = [
        (cell, below[column])
        for column, cell in enumerate(rows[row])
        if below and not isinstance(cell, str) and not is_blank(below[column])
    ]
    return bool(pairs) and all(_alike(*pair) for pair in pairs)


def _alike(cell: Cell, below: Cell) -> bool:
    if isinstance(cell, date):
        return isinstance(below, date)
    is_year = isinstance(below, int | float) and 1900 <= below <= 2100 and float(below).is_integer()
    return is_year or below == cell


def _levels(
    rows: Sequence[list[Cell]], filled: list[int], at: int, merges: Sequence[MergedRange]
) -> tuple[int, ...]:
    levels = [filled[at]]
    while len(levels) < MOST_LEVELS and levels[0] - 1 in filled and _is_upper(rows, levels[0] - 1, merges):
        levels.insert(0, levels[0] - 1)
    while len(levels) < MOST_LEVELS and levels[-1] + 1 < len(rows) and _has_lower(rows, levels[-1], merges):
        levels.append(levels[-1] + 1)
    return tuple(levels)


def _is_upper(rows: Sequence[list[Cell]], row: int, merges: Sequence[MergedRange]) -> bool:
    """Return whether `row` groups the columns that the row below names."""
    cells = [cell for cell in rows[row] if not is_blank(cell)]
    if not all(map(is_label, cells)) or any(isinstance(c, str) and _CAPTION.fullmatch(c) for c in cells):
        return False
    if len(cells) == 1 and not is_blank(rows[row][0]):
        return False  # a title stands at the left, a single group of columns right of the row labels
    named = sum(not is_blank(cell) for cell in rows[row + 1])
    spans = [right - left + 1 for top, left, _, right in merges if top == row and right > left]
    if spans:
        return max(spans) < named or len(cells) > 1
    lower = [fold(str(cell)) for cell in rows[row + 1] if not is_blank(cell)]
    return len(set(lower)) < len(lower) and len(cells) < named


def _has_lower(rows: Sequence[list[Cell]], row: int, merges: Sequence[MergedRange]) -> bool:
    """Return whether the row below `row` names the columns under its merged or blank cells."""
    below = rows[row + 1]
    named = [column for column, cell in enumerate(below) if not is_blank(cell)]
    if not named or not all(is_label(below[column]) and isinstance(below[column], str) for column in named):
        return False
    across = [(left, right) for top, left, bottom, right in merges if top == bottom == row and right > left]
    if across:
        return all(
            any(left <= column <= right for left, right in across) or is_blank(rows[row][column])
            for column in named
        )
    blanks = {column for column, cell in enumerate(rows[row]) if is_blank(cell)}
    lower = [fold(str(below[column])) for column in named]
    return bool(blanks) and blanks <= set(named) and len(named) < len(below) and len(set(lower)) < len(lower)
