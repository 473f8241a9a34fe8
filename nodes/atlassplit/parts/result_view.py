"""A result as outputs show it: plain JSON, capped."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any, Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.evidence import label_text
from mindatlas.nodes.atlassplit.parts.execution import Result

MOST_ROWS: Final = 200


def view_of(result: Result) -> dict[str, Any] | None:
    """Return the result as JSON: at most 200 rows a table, dates as ISO 8601, missing as None.

    A frame is `{kind: table, columns, rows, n_rows}`, a dict of frames `{kind: tables, tables}`, a single value
    `{kind: scalar, value}`; no result is None. `n_rows` counts all rows.
    """
    if result is None:
        return None
    if isinstance(result, pd.DataFrame):
        return {"kind": "table", **_table(result)}
    if isinstance(result, dict):
        return {"kind": "tables", "tables": {str(name): _table(frame) for name, frame in result.items()}}
    return {"kind": "scalar", "value": plain(result)}


def _table(frame: pd.DataFrame) -> dict[str, Any]:
    head = frame.head(MOST_ROWS)
    cells = [[plain(value) for value in head.iloc[:, at].astype(object)] for at in range(head.shape[1])]
    return {
        "columns": [label_text(name) for name in frame.columns],
        "rows": [list(row) for row in zip(*cells, strict=True)] if cells else [[] for _ in range(len(head))],
        "n_rows": len(frame),
    }


def plain(value: Any) -> bool | int | float | str | None:
    """Return one cell as a JSON value; what JSON has no number for (inf) becomes text."""
    if isinstance(value, bool | str):
        return value
    if value is None or pd.isna(value):
        return None
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    if hasattr(value, "item"):
        return plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return value if isinstance(value, int) else str(value)
