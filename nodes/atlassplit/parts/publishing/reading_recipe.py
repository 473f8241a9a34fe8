"""Recipes by which a script reads the tables of a run again, each tried out before it is given away."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.csv_text import read_delimited
from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.publishing.portable_reader import _pick_table, _read_grid, _typed_column
from mindatlas.nodes.atlassplit.parts.workbook_model import BookFile, Books, TableCard

Recipe = dict[str, Any]
_EXCEL_KINDS: Final = frozenset({"xlsx", "xlsb", "xls", "ods"})
# What reading a file by pandas alone, or by a recipe that does not fit it, can raise.
_UNREADABLE: Final = (
    ArithmeticError,
    AttributeError,
    ImportError,
    LookupError,
    OSError,
    TypeError,
    ValueError,
)


def recipes_of(books: Books) -> dict[str, Recipe] | None:
    """Return the recipe of each table by key, None when one of them cannot be read to the same frame.

    That is so for HTML files, and for tables whose rows no simple rule picks (more than 100 hidden rows).
    """
    files = {file.book: file for file in books.files}
    recipes: dict[str, Recipe] = {}
    for table in books.card.tables:
        recipe = _recipe(table, files[table.book])
        if recipe is None:
            return None
        recipes[table.key] = recipe
    return recipes


def _recipe(table: TableCard, file: BookFile) -> Recipe | None:
    try:
        frame = read_frame(Path(table.parquet))
        source = _source(table, file)
        if source is None:
            return None
        grid = _read_grid(Path(file.path), source)
        recipe = source | _picked(table, frame, grid)
        again = _pick_table(grid, recipe)
    except _UNREADABLE:
        return None
    return recipe if _is_same(frame, again) else None


def _source(table: TableCard, file: BookFile) -> Recipe | None:
    if file.kind in _EXCEL_KINDS:
        return {"sheet": table.sheet}
    if file.kind != "csv":
        return None
    read = read_delimited(Path(file.path).read_bytes(), file.book)
    return {"sheet": None, "encoding": read.encoding, "separator": read.separator}


def _picked(table: TableCard, frame: pd.DataFrame, grid: Sequence[Sequence[Any]]) -> Recipe:
    """Return the rows and columns of the grid that are the frame's.

    The data are the last rows that are neither blank nor set aside.
    """
    aside = {row.row - 1 for row in table.set_aside}
    filled = [at for at, row in enumerate(grid) if at not in aside and any(cell != "" for cell in row)]
    rows = filled[len(filled) - len(frame) :] if len(frame) else []
    width = max(map(len, grid), default=0)
    cells = [[grid[row][at] if at < len(grid[row]) else "" for row in rows] for at in range(width)]
    return {
        "rows": [[run[0], run[-1]] for run in _runs(rows)],
        "columns": _columns(frame, cells),
        "names": [_name(label) for label in frame.columns],
    }


def _columns(frame: pd.DataFrame, cells: Sequence[list[Any]]) -> list[list[Any]]:
    """Return place, type and merged cells of each column: the next of the sheet that reads as the frame's.

    Raises:
        LookupError: There is none.
    """
    found: list[list[Any]] = []
    at = 0
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        at, dtype, filled = _next_fit(column, cells, at)
        found.append([at, dtype, filled])
        at += 1
    return found


def _next_fit(column: pd.Series, cells: Sequence[list[Any]], start: int) -> tuple[int, str, list[int]]:
    missing = column.isna().tolist()
    for at in range(start, len(cells)):
        filled = [row for row, cell in enumerate(cells[at]) if row and cell == "" and not missing[row]]
        whole = list(cells[at])
        for row in filled:
            whole[row] = whole[row - 1]
        for dtype in _dtypes(column):
            try:
                if _is_same_column(column, _typed_column(whole, dtype)):
                    return at, dtype, filled
            except (ArithmeticError, TypeError, ValueError):  # cells of another kind
                continue
    raise LookupError("no column of the sheet fits")


def _dtypes(column: pd.Series) -> tuple[str, ...]:
    name = str(column.dtype)
    return ("object", "object int", "object float", "object bool") if name == "object" else (name,)


def _runs(rows: Sequence[int]) -> Iterator[list[int]]:
    for _, run in groupby(enumerate(rows), key=lambda entry: entry[1] - entry[0]):
        yield [row for _, row in run]


def _name(label: object) -> object:
    if isinstance(label, dt.datetime):
        raise TypeError("a header that is a date has no literal form in a script")
    return label


def _is_same(left: pd.DataFrame, right: pd.DataFrame) -> bool:
    same_names = list(left.columns) == list(right.columns) and len(left) == len(right)
    return same_names and all(
        _is_same_column(left.iloc[:, at], right.iloc[:, at]) for at in range(left.shape[1])
    )


def _is_same_column(left: pd.Series, right: pd.Series) -> bool:
    if left.dtype != right.dtype or not left.isna().equals(right.isna()):
        return False
    if left.dtype != object:
        return left.equals(right)
    pairs = zip(left.dropna().tolist(), right.dropna().tolist(), strict=True)
    return all(type(one) is type(other) and one == other for one, other in pairs)
