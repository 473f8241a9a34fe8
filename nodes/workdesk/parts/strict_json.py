"""JSON read strictly: what a cut stream or a careless model wrote is refused, never guessed."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_GAP = re.compile(r"[\s,;]*")


class StrictJsonError(ValueError):
    """Text that is not strictly valid JSON; the message says where and why."""


def read_json(text: str) -> Any:
    """Return the one value that `text` is.

    Raises:
        StrictJsonError: anything else: cut text, NaN, a number too large for a float, a key given twice with two
            values, half a surrogate pair, text after the value.
    """
    values = read_json_values(text)
    if len(values) != 1:
        raise StrictJsonError(f"{len(values)} JSON values stand where one is expected")
    return values[0]


def read_json_values(text: str) -> list[Any]:
    """Return the values that stand one after the other in `text`, at least one, each strictly valid.

    Raises:
        StrictJsonError: any of them is not, or there is none.
    """
    text = text.strip().removeprefix("\ufeff").strip()
    values, position = [], 0
    while position < len(text):
        value, position = _value(text, position)
        values.append(value)
        gap = _GAP.match(text, position)
        position = gap.end() if gap else position
    if not values or text[-1] in ",;":
        raise StrictJsonError("The text ends where a JSON value is expected")
    return values


def _value(text: str, position: int) -> tuple[Any, int]:
    try:
        value, end = _DECODER.raw_decode(text, position)
    except RecursionError as error:
        raise StrictJsonError("The JSON is nested too deeply") from error
    except ValueError as error:  # JSONDecodeError, and integers of thousands of digits
        raise StrictJsonError(str(error)) from error
    try:
        text[position:end].encode()
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise StrictJsonError("The JSON holds half a surrogate pair") from error
    return value, end


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read: dict[str, Any] = {}
    for key, value in pairs:
        if key in read and read[key] != value:
            raise StrictJsonError(f"The key {key!r} stands there twice, with different values")
        read[key] = value
    return read


def _number(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise StrictJsonError(f"The number {text} is too large")
    return value


def _constant(name: str) -> Any:
    raise StrictJsonError(f"{name} is no JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_float=_number, parse_constant=_constant)
