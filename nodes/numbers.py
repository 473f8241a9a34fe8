"""Numbers as people write them: Arabic, full-width and Chinese."""

from __future__ import annotations

import re

from mindatlas.nodes.text import fold

_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}

_ARABIC = re.compile(r"-?\d+(?:\.\d+)?")

NUMBER = r"(?:\d+(?:\.\d+)?|[零〇一二两三四五六七八九十百千万半]+)"
"""Regular expression of one number in folded text, without groups."""


def parse_number(text: str) -> float | None:
    """Return the value of a number in digits or Chinese numerals, or None when it is neither.

    A digit that ends after a unit counts in the next lower unit, as people say it: 两百五 is 250.
    """
    folded = fold(text).replace(",", "")
    if folded == "半":
        return 0.5
    return float(folded) if _ARABIC.fullmatch(folded) else _chinese(folded)


def _chinese(text: str) -> float | None:
    total, section, digit, unit = 0, 0, 0, 1
    for char in text:
        if char in _DIGITS:
            digit = digit * 10 + _DIGITS[char] if unit == 1 else _DIGITS[char]
            continue
        if char in _UNITS:
            section += (digit or 1) * _UNITS[char]
            unit = _UNITS[char]
        elif char == "万":
            total += (section + digit or 1) * 10_000
            section, unit = 0, 10_000
        else:
            return None
        digit = 0
    if not text:
        return None
    spoken = digit * unit // 10 if unit > 10 and digit and "零" not in text and "〇" not in text else digit
    return float(total + section + spoken)
