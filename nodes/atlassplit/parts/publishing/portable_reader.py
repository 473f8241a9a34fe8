"""Reads one table of a workbook by a recipe; scripts carry this code with them, so it needs pandas only.

Everything here is copied into `out.py` as it stands: no import of this package, no name that a program uses.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd


def _read_grid(path: Path, recipe: dict[str, Any]) -> list[list[Any]]:
    """Return the cells of a sheet, or of a text file, blank ones as empty text."""
    if recipe["sheet"] is None:
        text = path.read_bytes().decode(recipe["encoding"])
        first, _, rest = text.partition("\n")
        lines = io.StringIO(rest if first.startswith("sep=") else text, newline="")
        return list(csv.reader(lines, delimiter=recipe["separator"]))
    sheet = pd.read_excel(
        path, sheet_name=recipe["sheet"], header=None, dtype=object, na_filter=False, engine="calamine"
    )
    return sheet.to_numpy(dtype=object).tolist()  # type: ignore[no-any-return]


def _read_table(path: Path, recipe: dict[str, Any]) -> pd.DataFrame:
    """Return the table of a file that the recipe describes."""
    return _pick_table(_read_grid(path, recipe), recipe)


def _pick_table(grid: list[list[Any]], recipe: dict[str, Any]) -> pd.DataFrame:
    """Return the table: its rows and columns picked from the sheet, each column of its type."""
    rows = [grid[row] for first, last in recipe["rows"] for row in range(first, last + 1)]
    columns = {}
    for at, (position, dtype, filled) in enumerate(recipe["columns"]):
        cells = [row[position] if position < len(row) else "" for row in rows]
        for row in filled:  # cells below a merged one
            cells[row] = cells[row - 1]
        columns[at] = _typed_column(cells, dtype)
    frame = pd.DataFrame(columns, index=pd.RangeIndex(len(rows)))
    frame.columns = pd.Index(recipe["names"], dtype=None if columns else object)
    return frame


def _typed_column(cells: list[Any], dtype: str) -> pd.Series:
    """Return cells as a column; what is blank or an error in the sheet is missing."""
    if dtype == "str":
        return pd.Series([cell if isinstance(cell, str) and cell else None for cell in cells], dtype="str")
    values = [_cell_value(cell, dtype) for cell in cells]
    if dtype.startswith(("datetime64", "timedelta64")):
        return pd.Series(np.array(values, dtype=dtype))
    if dtype.startswith("object"):
        return pd.Series([np.nan if value is None else value for value in values], dtype=object)
    return pd.Series(values, dtype=dtype)


def _cell_value(cell: Any, dtype: str) -> Any:
    """Return one value of a column that is no text, None for a blank cell."""
    if (isinstance(cell, str) and not cell.strip()) or cell is None or cell is pd.NaT:
        return None
    if dtype in ("bool", "object bool"):
        return str(cell).strip().lower() == "true"
    if dtype.startswith("timedelta64") and isinstance(cell, dt.time):
        return dt.timedelta(
            hours=cell.hour, minutes=cell.minute, seconds=cell.second, microseconds=cell.microsecond
        )
    if dtype in ("int64", "Int64", "object int"):
        return int(cell)
    if dtype == "float64":
        return float(cell)
    if dtype == "object float" and isinstance(cell, int) and not isinstance(cell, bool):
        return float(cell)
    if type(cell) is dt.date:
        return dt.datetime.combine(cell, dt.time())
    return cell
