"""Single spreadsheet cells as tagged text: the first character says the type, the rest the exact value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from typing import Final

import numpy as np
import pandas as pd

# What an Excel cell can hold is far smaller; this keeps a forged "1E+999999999" from ever being written out.
_LARGEST_EXPONENT: Final = 400

_MICROSECOND: Final = dt.timedelta(microseconds=1)

# In order: a bool is an int, a Timestamp is a datetime and a datetime is a date.
_WRITERS: Final[tuple[tuple[type, str, Callable[..., str]], ...]] = (
    (str, "s", lambda text: text.encode("utf-8", "replace").decode("utf-8")),
    (bool, "b", lambda flag: "1" if flag else "0"),
    (int, "i", str),
    (float, "f", lambda number: repr(float(number))),
    (Decimal, "D", str),
    (pd.Timestamp, "T", lambda moment: moment.isoformat()),
    (dt.datetime, "t", lambda moment: moment.isoformat()),
    (dt.date, "d", lambda day: day.isoformat()),
    (dt.time, "h", lambda time: time.isoformat()),
    (pd.Timedelta, "E", lambda span: f"{span.as_unit('ns').value}"),
    (dt.timedelta, "e", lambda span: str(span // _MICROSECOND)),
)


class CellError(ValueError):
    """A value that no cell can hold; the message names its type."""


def encode_cell(value: object) -> str | None:
    """Return `value` as tagged text, None for None.

    Keeps int (of any size), float, str, bool, Decimal, date, time, datetime, Timestamp, timedelta,
    Timedelta, NaN, NaT and NA apart and exact, but for a time zone's name, which becomes its offset, the
    `fold` of an ambiguous time, and half a surrogate pair, which becomes `?`. A NumPy scalar becomes the
    Python value it equals.

    Raises:
        CellError: Any other type.
    """
    if value is None:
        return None
    if value is pd.NaT:
        return "N"
    if value is pd.NA:
        return "A"
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return encode_cell(pd.Timestamp(value) if isinstance(value, np.datetime64) else pd.Timedelta(value))
    if isinstance(value, np.generic):
        value = value.item()
    for kind, tag, write in _WRITERS:
        if isinstance(value, kind):
            return tag + write(value)
    raise CellError(f"a cell cannot hold a {type(value).__name__}")


def decode_cell(text: str | None) -> object:
    """Return the value that `encode_cell` wrote.

    Raises:
        ValueError: The text is no tagged cell.
    """
    if text is None:
        return None
    read = _READERS.get(text[:1])
    if read is None:
        raise ValueError(f"not a tagged cell: {text[:40]!r}")
    return read(text[1:])


def _read_decimal(text: str) -> Decimal:
    try:
        number = Decimal(text)
    except ArithmeticError as error:
        raise ValueError(f"not a decimal: {text[:40]!r}") from error
    if number.is_finite() and abs(number.adjusted()) > _LARGEST_EXPONENT:
        raise ValueError(f"decimal out of range: {text[:40]!r}")
    return number


_READERS: Final[dict[str, Callable[[str], object]]] = {
    "s": str,
    "b": lambda text: text == "1",
    "i": int,
    "f": float,
    "D": _read_decimal,
    "T": pd.Timestamp,
    "t": dt.datetime.fromisoformat,
    "d": dt.date.fromisoformat,
    "h": dt.time.fromisoformat,
    "E": lambda text: pd.Timedelta(int(text), unit="ns"),
    "e": lambda text: int(text) * _MICROSECOND,
    "N": lambda _: pd.NaT,
    "A": lambda _: pd.NA,
}
