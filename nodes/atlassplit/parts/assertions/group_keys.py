"""Cell values as keys of groups, told apart as a reader would, missing ones included."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.evidence import column_of
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import as_text, is_missing, to_decimal
from mindatlas.nodes.text import fold

Key: TypeAlias = "tuple[str | None, ...]"
MISSING_TEXT: Final = "(blank)"


def keys_of(frame: pd.DataFrame, names: Sequence[str], *, exact: bool = False) -> list[Key]:
    """Return the key of each row over the columns `names`; without names all rows have the key ().

    Texts are folded (case, width, spaces) unless `exact`, since grouping with or without cleaning the names
    first is both right; 1, 1.0 and "1" are one key, and so are a date and its midnight. A missing cell or a
    blank text is None.

    Raises:
        CannotCheckError: A column is missing or ambiguous.
    """
    if not names:
        return [()] * len(frame)
    columns = [_column_keys(column_of(frame, name), exact=exact) for name in names]
    return list(zip(*columns, strict=True))


def key_text(key: Key) -> str:
    """Return a key for people, its parts joined by `/`."""
    return "/".join(MISSING_TEXT if part is None else part for part in key)


def value_key(value: object) -> str | None:
    """Return the key of one cell."""
    if is_missing(value):
        return None
    if isinstance(value, str):
        return fold(value) or None
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    if isinstance(value, dt.datetime | np.datetime64):
        moment = pd.Timestamp(value)
        return (moment.date() if moment == moment.normalize() else moment).isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    number = to_decimal(value)
    return fold(str(value)) if number is None else as_text(number)


def _column_keys(column: pd.Series, *, exact: bool) -> list[str | None]:
    """Return the keys of a column, each distinct value looked at once."""
    try:
        codes, distinct = pd.factorize(column.to_numpy() if column.dtype == object else column)
    except TypeError:  # a list or a dict in a cell
        return [_exact_key(value) if exact else value_key(value) for value in column.tolist()]
    keys = [_exact_key(value) if exact else value_key(value) for value in distinct.tolist()]
    keys.append(None)  # where the code is -1: missing
    return [keys[code] for code in codes.tolist()]


def _exact_key(value: object) -> str | None:
    if isinstance(value, str):
        return value if value.strip() else None
    return value_key(value)
