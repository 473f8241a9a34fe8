"""Cells as exact decimal numbers, so that 0.1 and 0.2 add up to 0.3 and money to the cent."""

from __future__ import annotations

import datetime as dt
import decimal
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.text_numbers import parse_number

# Wide enough for sums of any amounts; beyond, the last digits are rounded as in every decimal sum.
_PRECISION: Final = 60
_MOST_PLAIN_DIGITS: Final = 30
_PLAIN_TEXT: Final = re.compile(r"-?[0-9]{1,3}(?:,[0-9]{3})*(?:\.[0-9]+)?")
_MICROSECOND: Final = dt.timedelta(microseconds=1)


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """The numbers of a column: None where a cell is missing or says no number.

    `unreadable` are the texts of the cells that are not missing and yet no finite number, in order.
    """

    values: tuple[Decimal | None, ...]
    unreadable: tuple[str, ...]

    @property
    def present(self) -> tuple[Decimal, ...]:
        """The numbers that are there, in order."""
        return tuple(value for value in self.values if value is not None)

    @property
    def is_text(self) -> bool:
        """Whether more cells say no number than say one: this is no column of numbers."""
        return len(self.unreadable) > len(self.present)


def numbers_of(column: pd.Series) -> Numbers:
    """Return the numbers of a column; texts are read as the reader's warnings do (￥1,200, 12.5%, (300))."""
    unreadable: list[str] = []
    values: list[Decimal | None] = []
    for value in _python_values(column):
        number = None if is_missing(value) else to_decimal(value)
        if number is None and not is_missing(value) and not (isinstance(value, str) and not value.strip()):
            unreadable.append(str(value))
        values.append(number)
    return Numbers(values=tuple(values), unreadable=tuple(unreadable))


def to_decimal(value: object) -> Decimal | None:
    """Return the exact number that a cell shows, None when it shows no finite one.

    A float counts as the shortest decimal that reads back as it, true and false as 1 and 0, a duration as its
    seconds.
    """
    if isinstance(value, float):
        number = Decimal(repr(float(value)))
    elif isinstance(value, int | np.integer | np.bool_):
        number = Decimal(int(value))
    elif isinstance(value, Decimal):
        number = value
    elif isinstance(value, np.floating):
        number = Decimal(str(value))
    elif isinstance(value, str):
        return _read(value)
    elif isinstance(value, dt.timedelta):
        number = Decimal(value // _MICROSECOND) / 1_000_000
    else:
        return None
    return number if number.is_finite() else None


def _read(text: str) -> Decimal | None:
    if _PLAIN_TEXT.fullmatch(text):  # nearly all amounts, without the search for patterns
        return Decimal(text.replace(",", ""))
    found = parse_number(text)
    return found.value if found else None


def is_missing(value: object) -> bool:
    """Return whether a cell is blank: None, NaN, NaT or NA."""
    if value is None or value is pd.NA or value is pd.NaT:
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, float | np.floating) and bool(value != value)


def total(numbers: Iterable[Decimal]) -> Decimal:
    """Return the exact sum, 0 of nothing."""
    with decimal.localcontext(prec=_PRECISION):
        return sum(numbers, Decimal(0))


def subtract(left: Decimal, right: Decimal) -> Decimal:
    """Return left − right, exact."""
    with decimal.localcontext(prec=_PRECISION):
        return left - right


def divide(left: Decimal, right: Decimal) -> Decimal:
    """Return left / right to 28 digits; the divisor must not be 0."""
    with decimal.localcontext(prec=28):
        return left / right


def to_json(number: Decimal) -> int | float:
    """Return a JSON number: whole ones as int, others as the nearest float."""
    if number == number.to_integral_value() and number.adjusted() < _MOST_PLAIN_DIGITS:
        return int(number)
    return float(number)


def as_text(number: Decimal) -> str:
    """Return a number for people: no exponent unless huge or tiny, no zeros at the end."""
    return str(to_json(number))


def _python_values(column: pd.Series) -> Iterator[object] | Sequence[Any]:
    """Return the cells; those of float32 stay NumPy ones, whose text is the short one."""
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind == "f" and dtype.itemsize < 8:
        return iter(column.to_numpy())
    values: list[Any] = column.tolist()
    return values
