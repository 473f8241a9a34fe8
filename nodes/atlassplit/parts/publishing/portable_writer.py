"""Writes a result to a workbook with pandas; scripts carry this code with them.

Everything here is copied into `out.py` as it stands: no import of this package, no name that a program uses. It
writes the values, not the looks.
"""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pandas as pd


def _write_result(outcome: Any, path: Path) -> None:
    """Write a frame, a series, a dict of them or a single value; no text becomes a formula or a link."""
    tables = outcome if isinstance(outcome, dict) else {"Result": outcome}
    options = {"strings_to_formulas": False, "strings_to_urls": False}
    with pd.ExcelWriter(path, engine="xlsxwriter", engine_kwargs={"options": options}) as book:
        taken: set[str] = set()
        for name, table in tables.items():
            sheet = _free_sheet_name(str(name), taken)
            _plain_frame(table, str(name)).to_excel(book, sheet_name=sheet, index=False, inf_rep="")


def _plain_frame(table: Any, name: str) -> pd.DataFrame:
    """Return a table without index levels and column levels, its cells such as a workbook can hold."""
    if not isinstance(table, pd.DataFrame | pd.Series):
        return pd.DataFrame({name: [table]})
    frame = (
        table.to_frame("value" if table.name is None else table.name)
        if isinstance(table, pd.Series)
        else table
    )
    frame = frame.copy()
    frame.columns = pd.Index(
        [
            "/".join(str(part) for part in label if part != "") if isinstance(label, tuple) else label
            for label in frame
        ],
        dtype=object,
    )
    if any(level is not None for level in frame.index.names) or not pd.api.types.is_integer_dtype(
        frame.index.dtype
    ):
        levels = frame.index.to_frame(index=False)
        kept = [at for at, level in enumerate(frame.index.names) if level not in frame.columns]
        frame = pd.concat([levels.iloc[:, kept], frame.reset_index(drop=True)], axis=1)
    plain = {at: frame.iloc[:, at].astype(object).map(_plain_cell) for at in range(frame.shape[1])}
    return pd.DataFrame(plain).set_axis(frame.columns, axis=1)


def _plain_cell(cell: Any) -> Any:
    """Return a cell without time zone; long numbers, early dates and whatever else Excel has not as text."""
    if isinstance(cell, dt.datetime) and cell.tzinfo is not None:
        cell = cell.replace(tzinfo=None)
    if isinstance(cell, int) and abs(cell) >= 10**15:
        return str(cell)
    if isinstance(cell, dt.date) and cell.year < 1900:
        return cell.isoformat().removesuffix("T00:00:00")
    if isinstance(cell, str):
        return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", "", cell)
    return str(cell) if isinstance(cell, list | dict | tuple | set | pd.Period | pd.Interval) else cell


def _free_sheet_name(name: str, taken: set[str]) -> str:
    """Return a legal name of a sheet that no other has, and note it."""
    legal = re.sub(r"[\[\]:*?/\\\x00-\x1f]", "_", name).strip("'")[:31].strip("'") or "Sheet"
    legal = f"{legal}_" if legal.casefold() == "history" else legal
    free, number = legal, 1
    while free.casefold() in taken:
        number += 1
        free = f"{legal[: 31 - len(f' ({number})')]} ({number})"
    taken.add(free.casefold())
    return free
