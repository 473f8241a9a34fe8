"""Cells of a column as a typed pandas Series that keeps every value: text stays text, long numbers exact."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.raw_sheets import BLANK, ERROR_TEXTS, Cell, Lost
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnType

EXACT_INTEGERS = 2**53  # beyond, a double skips integers
INT64_END = 2**63
LONGEST_PLAIN_NUMBER = 15  # digits; a longer one in a text file is an identifier

# No leading zero: 007 is a code. No exponent without a point: 1E5 is as often one.
_PLAIN_INTEGER = re.compile(rf"-?(?:0|[1-9]\d{{0,{LONGEST_PLAIN_NUMBER - 1}}})")
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d+(?:[eE][-+]?\d{1,3})?)?|-?\.\d+")
_PLAIN_BOOLEANS = {"TRUE": True, "FALSE": False, "True": True, "False": False, "true": True, "false": False}


@dataclass(frozen=True, kw_only=True)
class TypedColumn:
    """A column's values; error cells and formulas without a stored value are missing, and counted."""

    values: pd.Series
    type: ColumnType
    errors: int
    uncached: int


def typed_column(cells: Sequence[Cell], *, text_only: bool = False) -> TypedColumn:
    """Return the cells of one column as a Series of the narrowest type that holds them all.

    Whole numbers become int64 (float64 when cells are missing, Int64 when that would not be exact, Python
    integers when nothing else is), text str, dates datetime64, times and durations timedelta64, so that they
    add up. Cells of several types stay the Python values they are, in an object column.

    Args:
        cells: Values as read; blank cells are empty text.
        text_only: The file has no types: a column of plain numbers, or of TRUE and FALSE, becomes one.
            Numbers with a leading zero or over 15 digits are codes and keep the column text.
    """
    if not ERROR_TEXTS.isdisjoint(cells):
        cells = [Lost.ERROR if cell in ERROR_TEXTS else cell for cell in cells]
    errors, uncached = cells.count(Lost.ERROR), cells.count(Lost.UNCACHED)
    if errors or uncached:
        cells = [BLANK if isinstance(cell, Lost) else cell for cell in cells]
    if text_only:
        cells = _plain_values(cells)
    values, column_type = _typed(cells)
    return TypedColumn(values=values, type=column_type, errors=errors, uncached=uncached)


def plain_value(text: str) -> Cell:
    """Return the number that a text is when it is a plain one, else the text."""
    stripped = text.strip()
    if _PLAIN_INTEGER.fullmatch(stripped):
        return int(stripped)
    return float(stripped) if _PLAIN_NUMBER.fullmatch(stripped) else text


def _plain_values(cells: Sequence[Cell]) -> Sequence[Cell]:
    texts = [cell.strip() if isinstance(cell, str) else BLANK for cell in cells]
    present = [text for text in texts if text]
    if all(map(_PLAIN_NUMBER.fullmatch, present)):
        return [plain_value(text) for text in texts]
    if all(text in _PLAIN_BOOLEANS for text in present):
        return [_PLAIN_BOOLEANS[text] if text else BLANK for text in texts]
    return cells


def _typed(cells: Sequence[Cell]) -> tuple[pd.Series, ColumnType]:
    present = [cell for cell in cells if cell != BLANK] if BLANK in cells else cells
    kinds = set(map(type, present))
    if not kinds:
        return pd.Series(np.full(len(cells), np.nan)), "empty"
    if kinds <= {int, float}:
        return _numbers(cells, present)
    if kinds == {str}:
        return _texts(cells, has_blanks=len(present) < len(cells)), "text"
    if kinds == {bool}:
        dtype = bool if len(present) == len(cells) else object
        return pd.Series(_with_nan(cells), dtype=dtype), "boolean"
    if kinds <= {date, datetime}:
        return _dates(cells, present)
    if kinds <= {time, timedelta}:
        return pd.Series(np.array(list(map(_span, cells)), dtype="timedelta64[us]")), "duration"
    return _mixed(cells, present), "mixed"


def _numbers(cells: Sequence[Cell], present: Sequence[Cell]) -> tuple[pd.Series, ColumnType]:
    has_blanks = len(present) < len(cells)
    doubles = np.array(_with_nan(cells) if has_blanks else cells, dtype=np.float64)
    largest = np.nanmax(np.abs(doubles))
    whole = bool((np.isnan(doubles) | (doubles == np.trunc(doubles))).all())
    if whole and largest <= EXACT_INTEGERS:
        return pd.Series(doubles if has_blanks else doubles.astype(np.int64)), "integer"
    if whole and largest < INT64_END:
        integers = [None if cell == BLANK else _whole(cell) for cell in cells]
        return pd.Series(integers, dtype="Int64" if has_blanks else "int64"), "integer"
    if whole and any(isinstance(cell, int) and abs(cell) > EXACT_INTEGERS for cell in present):
        return pd.Series([np.nan if c == BLANK else _whole(c) for c in cells], dtype=object), "integer"
    return pd.Series(doubles), "number"


def _texts(cells: Sequence[Cell], *, has_blanks: bool) -> pd.Series:
    texts: list[Any] = [None if cell == BLANK else cell for cell in cells] if has_blanks else list(cells)
    return pd.Series(texts, dtype="str")


def _dates(cells: Sequence[Cell], present: Sequence[Cell]) -> tuple[pd.Series, ColumnType]:
    moments = np.array([None if cell == BLANK else cell for cell in cells], dtype="datetime64[us]")
    at_midnight = not any(isinstance(cell, datetime) and cell.time() != time() for cell in present)
    return pd.Series(moments), "date" if at_midnight else "datetime"


def _span(cell: Cell) -> timedelta | None:
    if isinstance(cell, time):
        return timedelta(
            hours=cell.hour, minutes=cell.minute, seconds=cell.second, microseconds=cell.microsecond
        )
    return cell if isinstance(cell, timedelta) else None


def _mixed(cells: Sequence[Cell], present: Sequence[Cell]) -> pd.Series:
    numbers = [cell for cell in present if isinstance(cell, int | float)]
    all_whole = all(float(number).is_integer() for number in numbers)
    return pd.Series([_mixed_value(cell, all_whole=all_whole) for cell in cells], dtype=object)


def _mixed_value(cell: Cell, *, all_whole: bool) -> object:
    if cell == BLANK:
        return np.nan
    if isinstance(cell, float) and all_whole:
        return int(cell)
    if isinstance(cell, date) and not isinstance(cell, datetime):
        return datetime.combine(cell, time())
    return cell


def _whole(cell: Cell) -> int:
    return int(cell) if isinstance(cell, int | float) else 0


def _with_nan(cells: Sequence[Cell]) -> list[object]:
    return [np.nan if cell == BLANK else cell for cell in cells]
