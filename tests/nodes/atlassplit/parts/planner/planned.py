"""Runs a request the whole way: the file is read, the request planned, the program written and executed."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import math
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.planner import Plan, Refusal, read_plan, write_code
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.atlassplit.parts.workbook_model import Books
from tests.nodes.atlassplit.parts.planner.book_files import FILES, write_books

TODAY = dt.date(2025, 6, 30)


@cache
def _folder() -> Path:
    folder = Path(mkdtemp(prefix="planner-books-"))
    write_books(folder)
    return folder


def read(book: str, request: str) -> Books:
    """Return the workbook of `book` as the reader sees it."""
    return read_workbooks([_folder() / FILES[book]], request=request, cache=_folder() / "cache")


def plan(book: str, request: str) -> Plan | Refusal:
    """Return the plan for a request to a workbook, or the refusal."""
    return read_plan(request, read(book, request).card, today=TODAY)


def answer(book: str, request: str) -> Any:
    """Return what the program of the request leaves as `result`."""
    found = plan(book, request)
    assert isinstance(found, Plan), found
    card = read(book, request).card
    sheets = {table.key: read_frame(Path(table.parquet)) for table in card.tables}
    names: dict[str, Any] = {"pd": pd, "np": np, "df": sheets[card.active], "sheets": sheets}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(write_code(found), names)
    return names["result"]


def rows_of(result: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a frame as plain tuples: missing is None, numbers are floats, days are dates."""
    assert isinstance(result, pd.DataFrame), result
    return [tuple(map(plain, row)) for row in result.itertuples(index=False)]


def plain(value: Any) -> Any:
    """Return a cell as a plain value that compares with what plain Python computed."""
    if value is None or value is pd.NA or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, pd.Timestamp):
        return value.date()
    if isinstance(value, int | float | np.number):
        return round(float(value), 6)
    return value
