"""Values as a spreadsheet cell can hold them; whatever has to change on the way is noted."""

from __future__ import annotations

import datetime as dt
import json
import math
import re
from collections import Counter
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import is_missing

LONGEST_TEXT: Final = 32_767  # UTF-16 units in a cell
MOST_DIGITS: Final = 15  # of a number that Excel keeps exact
Change = Literal[
    "timezone", "infinite", "cut", "control", "long_number", "date_as_text", "structure", "exact_decimal"
]
DateKind = Literal["date", "datetime", "time", "duration"]

# What XML 1.0 cannot hold, half surrogate pairs apart; a carriage return would come back as a line feed.
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LINE_END: Final = re.compile("\r\n?")
_QUICK: Final = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
_FIRST_DAY: Final = dt.datetime(1900, 1, 1)  # noqa: DTZ001 (cells have no time zone)
_LEAP_DAY: Final = dt.datetime(1900, 3, 1)  # noqa: DTZ001 (Excel counts a 29 February 1900)
_SERIAL_ZERO: Final = dt.datetime(1899, 12, 30)  # noqa: DTZ001
_DAY: Final = dt.timedelta(days=1)


class DateCell(NamedTuple):
    """A point in time or a duration: days as Excel counts them, what kind it is, and as text."""

    serial: float
    kind: DateKind
    text: str


SheetCell: TypeAlias = str | bool | int | float | DateCell | None


def to_cell(value: object, changes: Counter[Change]) -> SheetCell:
    """Return `value` as a cell, and count in `changes` what could not be kept.

    Missing values and empty text are None. Time zones go, the wall-clock time stays. Infinite numbers become
    missing. Dates that Excel has not (before 1900, after 9999) and negative durations become text, ISO 8601
    and `-h:mm:ss`; so do Decimals of more than 15 digits, Period and Interval, and lists and dicts as JSON.
    """
    if is_missing(value):
        return None
    if isinstance(value, str):
        return clean_text(value, changes) or None
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float | np.floating):
        return _finite(float(str(value)) if isinstance(value, np.floating) else value, changes)
    if isinstance(value, Decimal):
        return _decimal(value, changes)
    if isinstance(value, dt.date | dt.time | dt.timedelta | np.datetime64 | np.timedelta64):
        return _moment(value, changes)
    if isinstance(value, pd.Period | pd.Interval):
        return str(value)
    return clean_text(_as_text(value, changes), changes) or None


def clean_text(text: str, changes: Counter[Change]) -> str:
    """Return text that XML and a cell can hold: no control characters but tab and line feed, not too long."""
    if _QUICK.search(text):
        joined = _LINE_END.sub("\n", text)
        cleaned = _SURROGATE.sub("\ufffd", _ILLEGAL.sub("", joined))
        changes["control"] += cleaned != joined
        text = cleaned
    if len(text) * 2 > LONGEST_TEXT and utf16_length(text) > LONGEST_TEXT:
        changes["cut"] += 1
        text = utf16_cut(text, LONGEST_TEXT)
    return text


def utf16_length(text: str) -> int:
    """Return the length that Excel counts: characters beyond the basic plane are two."""
    return len(text) + sum(char > "\uffff" for char in text)


def utf16_cut(text: str, longest: int) -> str:
    """Return the longest beginning of `text` that is at most `longest` UTF-16 units long."""
    units = text.encode("utf-16-le", "surrogatepass")[: longest * 2]
    return units.decode("utf-16-le", "ignore")


def is_long_number(number: int) -> bool:
    """Return whether a whole number has more digits than Excel keeps."""
    return abs(number) >= 10**MOST_DIGITS


def _finite(number: float, changes: Counter[Change]) -> float | None:
    if math.isfinite(number):
        return number
    changes["infinite"] += math.isinf(number)
    return None


def _decimal(number: Decimal, changes: Counter[Change]) -> SheetCell:
    if not number.is_finite():
        return _finite(float(number), changes)
    whole = number == number.to_integral_value() and number.adjusted() < MOST_DIGITS
    if whole or (len(number.normalize().as_tuple().digits) <= MOST_DIGITS and abs(number.adjusted()) < 300):
        return int(number) if whole else float(number)
    changes["exact_decimal"] += 1
    return str(number)


def _moment(value: Any, changes: Counter[Change]) -> SheetCell:
    if isinstance(value, np.datetime64 | np.timedelta64):
        try:
            value = pd.Timestamp(value) if isinstance(value, np.datetime64) else pd.Timedelta(value)
        except (ValueError, OverflowError):  # beyond the years that pandas knows
            return str(value)
    if isinstance(value, dt.timedelta):
        return _duration(value, changes)
    if getattr(value, "tzinfo", None) is not None:
        changes["timezone"] += 1
        value = value.replace(tzinfo=None)
    if isinstance(value, dt.time):
        return DateCell(_seconds(value) / 86_400, "time", value.isoformat())
    return _date(value, changes)


def _date(value: dt.date, changes: Counter[Change]) -> SheetCell:
    if isinstance(value, pd.Timestamp):
        if not 1 <= value.year <= 9999:
            changes["date_as_text"] += 1
            return value.isoformat().removesuffix("T00:00:00")
        value = value.to_pydatetime(warn=False)
    moment = value if isinstance(value, dt.datetime) else dt.datetime.combine(value, dt.time())
    kind: DateKind = "date" if moment.time() == dt.time() else "datetime"
    text = moment.date().isoformat() if kind == "date" else moment.isoformat(" ")
    if moment < _FIRST_DAY:
        changes["date_as_text"] += 1
        return text
    serial = (moment - _SERIAL_ZERO) / _DAY
    return DateCell(serial if moment >= _LEAP_DAY else serial - 1, kind, text)


def _duration(span: dt.timedelta, changes: Counter[Change]) -> SheetCell:
    seconds = abs(span).total_seconds()
    minutes, rest = divmod(round(seconds, 6), 60)
    tail = f"{rest:02.0f}" if rest == int(rest) else f"{rest:09.6f}".rstrip("0")
    text = f"{int(minutes // 60)}:{int(minutes % 60):02}:{tail}"
    if span < dt.timedelta(0):
        changes["date_as_text"] += 1
        return f"-{text}"
    return DateCell(seconds / 86_400, "duration", text)


def _seconds(time: dt.time) -> float:
    return time.hour * 3600 + time.minute * 60 + time.second + time.microsecond / 1e6


def _as_text(value: object, changes: Counter[Change]) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, list | tuple | set | frozenset | dict | np.ndarray):
        changes["structure"] += 1
        plain = value.tolist() if isinstance(value, np.ndarray) else value
        try:
            ready = sorted(plain, key=str) if isinstance(plain, set | frozenset) else plain
            return json.dumps(ready, ensure_ascii=False, default=str)
        except (TypeError, ValueError, RecursionError):  # a key that is no text, a list within itself
            return str(value)
    return str(value)
