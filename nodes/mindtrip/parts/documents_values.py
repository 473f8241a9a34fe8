"""Values of document fields: what a cell, a JSON value or a YAML scalar becomes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, datetime, time

Value = str | int | float | bool | list[str]

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?")
_CODE = re.compile(r"0[0-9]+")
_CODE_NAME = re.compile(
    r"(?:^|[^A-Za-z])(?i:id|tel|zip)$|[a-z]I[dD]$|(?i:code|phone)$"
    r"|(?:编号|编码|代码|单号|号码|电话|手机|手机号|邮编)$"
)
_SEPARATOR = re.compile(r"[、,，;；|｜\n]")
_UNPRINTABLE = re.compile("[\0\ud800-\udfff]")


def printable(text: str) -> str:
    """Return `text` with U+FFFD for what no UTF-8 file or index can hold: NUL and lone surrogates."""
    return _UNPRINTABLE.sub("\ufffd", text)


def split_list(text: str) -> list[str]:
    """Return the items of a list written in one cell (冲浪、露营), without empty or repeated ones."""
    return list(dict.fromkeys(item.strip() for item in _SEPARATOR.split(text) if item.strip()))


def is_code_column(name: str, cells: list[str]) -> bool:
    """Return whether the cells stay text: the name says id, code or phone, or a cell has a leading zero."""
    return bool(_CODE_NAME.search(name)) or any(_CODE.fullmatch(cell) for cell in cells)


def parse_number(text: str) -> str | int | float:
    """Return the number that `text` plainly is (12, -3, 4.50), else `text` itself.

    Plainly: no leading zero, sign +, exponent, separator, unit, nor more digits than a float holds exactly.
    """
    if not _NUMBER.fullmatch(text) or len(text.strip("-").replace(".", "")) > 15:
        return text
    return float(text) if "." in text else int(text)


def flatten(value: object) -> Value | None:
    """Return a field's value, or None when it is empty (null, NaN, blank text, nothing inside).

    Numbers and booleans stay; dates and times become ISO 8601; an object becomes `key: value; key: value`; a
    list keeps its items as text.
    """
    if isinstance(value, list | tuple):
        return [text for item in value if (text := as_text(flatten(item)))] or None
    if isinstance(value, Mapping):
        pairs = ((key, as_text(flatten(item))) for key, item in value.items())
        return "; ".join(f"{printable(str(key))}: {text}" for key, text in pairs if text) or None
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    if isinstance(value, bool | int | float):
        return value
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return None if value is None else printable(str(value)).strip() or None


def as_text(value: Value | None) -> str:
    """Return the value as one line of text: items joined by 、, whole floats without .0, None as empty."""
    if isinstance(value, list):
        return "、".join(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)
