"""The one place where a result becomes cells: everything that is written goes through it, for every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.execution import Result
from mindatlas.nodes.atlassplit.parts.publishing.sheet_cells import (
    Change,
    SheetCell,
    clean_text,
    is_long_number,
    to_cell,
)
from mindatlas.nodes.atlassplit.parts.sandbox_handover import flat_frame
from mindatlas.nodes.errors import UsageError

_TOLD: Final[Mapping[Change, str]] = {
    "timezone": "time zones left out, the wall-clock time is kept",
    "infinite": "infinite numbers left blank",
    "cut": "texts cut to the 32,767 characters that a cell holds",
    "control": "control characters left out",
    "long_number": "numbers of more than 15 digits written as text, to keep them exact",
    "date_as_text": "dates before 1900 or after 9999 and negative durations written as text",
    "structure": "lists or objects written as JSON text",
    "exact_decimal": "decimals of more than 15 digits written as text, to keep them exact",
}


@dataclass(frozen=True, kw_only=True)
class NormalColumn:
    """A column as it is written: its header and its cells, one a row."""

    header: str
    cells: Sequence[SheetCell]


@dataclass(frozen=True, kw_only=True)
class NormalTable:
    """A table as it is written; `name` is the asked one, not yet made legal for a sheet or file."""

    name: str
    columns: tuple[NormalColumn, ...]
    rows: int
    notices: tuple[str, ...]


def normalise(result: Result, *, name: str) -> list[NormalTable]:
    """Return the tables of a result as they are written, in order.

    An index with a name becomes columns, levels of column names are joined by `/`; see `to_cell` for what
    becomes of single values. A column with a whole number of more than 15 digits holds identifiers and is
    written as text. A single value is a table of one cell under the header `name`.

    Args:
        result: What the code left.
        name: What a result without a name of its own is called.

    Raises:
        UsageError: There is no result, or a dict without tables.
    """
    if result is None:
        raise UsageError("there is no result to publish; the code must leave one in `result`")
    if not isinstance(result, pd.DataFrame | dict):
        return [_table(name, pd.DataFrame({name: pd.Series([result], dtype=object)}))]
    tables = {name: result} if isinstance(result, pd.DataFrame) else result
    if not tables:
        raise UsageError("the result holds no table; nothing was selected")
    return [_table(key, frame) for key, frame in tables.items()]


def _table(name: str, frame: pd.DataFrame) -> NormalTable:
    flat = flat_frame(frame)
    in_headers: Counter[Change] = Counter()
    headers = [clean_text(str(label), in_headers) for label in flat.columns]
    notices = [f"headers: {_TOLD[change]}" for change in in_headers if in_headers[change]]
    repeated = [header for header, count in Counter(headers).items() if count > 1]
    notices += [f"the header {header!r} stands over several columns" for header in repeated]
    columns = []
    for at, header in enumerate(headers):
        changes: Counter[Change] = Counter()
        columns.append(NormalColumn(header=header, cells=_cells(flat.iloc[:, at], changes)))
        notices += [
            f"column {header!r}: {_TOLD[change]} ({count} cells)"
            for change, count in changes.items()
            if count
        ]
    return NormalTable(name=name, columns=tuple(columns), rows=len(flat), notices=tuple(notices))


def _cells(column: pd.Series, changes: Counter[Change]) -> list[SheetCell]:
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "iu":
        return _whole_numbers(column.tolist(), changes)
    is_short = isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize < 8
    values = column.to_numpy() if is_short else column.tolist()  # NumPy's text of a float32 is the short one
    return _whole_numbers([to_cell(value, changes) for value in values], changes)


def _whole_numbers(cells: list[SheetCell], changes: Counter[Change]) -> list[SheetCell]:
    """Return the cells with whole numbers as text if one of them is too long to be a number."""
    if not any(isinstance(cell, int) and is_long_number(cell) for cell in cells):
        return cells
    as_text = [str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else cell for cell in cells]
    changes["long_number"] += sum(isinstance(cell, int) and not isinstance(cell, bool) for cell in cells)
    return as_text
