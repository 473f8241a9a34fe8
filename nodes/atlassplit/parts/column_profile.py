"""What the schema card says of one column."""

from __future__ import annotations

from datetime import datetime, time, timedelta

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.cell_values import TypedColumn
from mindatlas.nodes.atlassplit.parts.column_warnings import ColumnFacts, find_warnings
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnCard

MOST_SAMPLES = 3
LONGEST_SAMPLE = 40
MOST_VALUES = 50

_RANGED = ("integer", "number", "date", "datetime", "duration")


def profile_column(column: TypedColumn, facts: ColumnFacts) -> ColumnCard:
    """Return the card of a column; missing cells count in its null rate only."""
    present = column.values.dropna()
    distinct = _distinct(present)
    shown = [show(value) for value in distinct[: MOST_VALUES + 1]]
    minimum, maximum = _range(column, present)
    return ColumnCard(
        name=facts.name,
        original=show(facts.original),
        position=facts.position,
        type=column.type,
        samples=tuple(map(_shortened, shown[:MOST_SAMPLES])),
        null_rate=1 - len(present) / len(column.values) if len(column.values) else 0.0,
        distinct=len(distinct),
        minimum=minimum,
        maximum=maximum,
        warnings=find_warnings(column, facts, present, distinct),
        values=tuple(shown) if len(distinct) <= MOST_VALUES else (),
        errors=column.errors,
        uncached=column.uncached,
    )


def _distinct(present: pd.Series) -> list[object]:
    """Return the distinct values in order; texts by way of NumPy, as an Arrow array yields its items slowly."""
    values = present.unique()
    if isinstance(present.dtype, pd.StringDtype):
        return list(np.asarray(values, dtype=object))
    return list(values)


def show(value: object) -> str:
    """Return a value as a person writes it: 12 for 12.0, dates without midnight, durations as h:mm:ss."""
    if isinstance(value, float | np.floating):
        value = float(value)
        return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
    if isinstance(value, np.datetime64 | np.timedelta64):
        value = pd.Timestamp(value) if isinstance(value, np.datetime64) else pd.Timedelta(value)
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d") if value.time() == time() else str(value)
    if isinstance(value, timedelta):
        seconds = abs(round(value.total_seconds()))
        sign = "-" if value < timedelta() else ""
        return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return str(value)


def _range(column: TypedColumn, present: pd.Series) -> tuple[str | None, str | None]:
    if column.type not in _RANGED or present.empty:
        return None, None
    return show(present.min()), show(present.max())


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_SAMPLE else text[: LONGEST_SAMPLE - 1] + "…"
