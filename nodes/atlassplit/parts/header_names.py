"""What the columns of a table are called, once its header rows are known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time

from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, Lost, MergedRange, is_blank
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName
from mindatlas.nodes.text import fold


def column_labels(
    rows: Sequence[list[Cell]], levels: Sequence[int], merges: Sequence[MergedRange] = ()
) -> tuple[ColumnName, ...]:
    """Return the label of each column as the sheet has it, empty text where it has none.

    One header row gives its cells as written, numbers and dates too. Several give their texts joined by `/`,
    each text once: merged cells name every column they cover, but no level below.
    """
    if len(levels) == 1:
        return tuple(map(_label, rows[levels[0]]))
    return tuple(_joined(rows, levels, column, merges) for column in range(len(rows[0])))


def unique_names(originals: Sequence[ColumnName]) -> tuple[ColumnName, ...]:
    """Return labels that differ from each other: repeats get `.1`, `.2`, … and blanks `Unnamed: position`.

    Both forms are those of `pandas.read_excel`. A label that some column has by itself is never given away.
    """
    names: list[ColumnName] = []
    used: set[ColumnName] = set()
    written = set(originals)
    for position, original in enumerate(originals):
        stem = f"Unnamed: {position}" if original == "" else original
        name, count = stem, 0
        while name in used or (name in written and name is not original):
            count += 1
            name = f"{stem}.{count}"
        used.add(name)
        names.append(name)
    return tuple(names)


def spread(rows: Sequence[list[Cell]], row: int, merges: Sequence[MergedRange]) -> list[Cell]:
    """Return the cells of a row with the text of horizontally merged ones in each column they cover."""
    cells = list(rows[row])
    for top, left, _, right in merges:
        if top == row and right > left:
            cells[left : right + 1] = [cells[left]] * (min(right + 1, len(cells)) - left)
    return cells


def _joined(
    rows: Sequence[list[Cell]], levels: Sequence[int], column: int, merges: Sequence[MergedRange]
) -> str:
    parts: list[str] = []
    for level in levels:
        cells = spread(rows, level, merges)
        if level != levels[-1] and not any(top == level and right > left for top, left, _, right in merges):
            cells = _filled_right(cells, rows[level + 1])
        text = "" if is_blank(cells[column]) else str(_label(cells[column])).strip()
        if text and (not parts or fold(parts[-1]) != fold(text)):
            parts.append(text)
    return "/".join(parts)


def _filled_right(cells: Sequence[Cell], below: Sequence[Cell]) -> list[Cell]:
    """Return an upper level whose blank cells take the text on their left where the level below has one."""
    result: list[Cell] = []
    for cell, lower in zip(cells, below, strict=True):
        result.append(result[-1] if result and is_blank(cell) and not is_blank(lower) else cell)
    return result


def _label(cell: Cell) -> ColumnName:
    if isinstance(cell, str):
        return "" if is_blank(cell) else cell
    if isinstance(cell, bool | Lost | time):
        return str(cell)
    if isinstance(cell, datetime):
        return cell
    if isinstance(cell, date):
        return datetime.combine(cell, time())
    if isinstance(cell, int | float):
        return int(cell) if float(cell).is_integer() else float(cell)
    return str(cell)
