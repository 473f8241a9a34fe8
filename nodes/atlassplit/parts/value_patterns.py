"""The shape of a value without the value: what a private card shows instead of samples."""

from __future__ import annotations

import re
import unicodedata

LONGEST_PATTERN = 24  # characters; the shape of a longer text says no more

_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


def pattern_of(text: str) -> str:
    """Return `text` with each character replaced by its class.

    A plain number becomes `####.##`; elsewhere digits become 9, Latin letters A or a. Punctuation, currency
    signs and spaces stay, as they are what makes a pattern (`AA-9999`, `9,999.99`, `99%`); all else becomes
    文. Applying it to a pattern changes nothing.

    Example:
        >>> pattern_of("SH-0071"), pattern_of("1234.50"), pattern_of("朝阳店")
        ('AA-9999', '####.##', '文文文')
    """
    shape = re.sub(r"\d", "#", text) if _NUMBER.fullmatch(text) else shape_of(text)
    return shape if len(shape) <= LONGEST_PATTERN else shape[: LONGEST_PATTERN - 1] + "…"


def shape_of(text: str) -> str:
    """Return `text` with each character replaced by its class, whole and with digits as 9.

    Example:
        >>> shape_of("1234.50")
        '9999.99'
    """
    return text.translate(_CLASSES)


class _Classes(dict[int, str]):
    """The class of each character, found when it is first met: a table for `str.translate`."""

    def __missing__(self, code: int) -> str:
        self[code] = _class_of(chr(code))
        return self[code]


_CLASSES = _Classes()


def _class_of(char: str) -> str:
    if char.isascii() and char.isalpha():
        return "A" if char.isupper() else "a"
    category = unicodedata.category(char)
    if category == "Nd":
        return "9"
    return char if category[0] in "PZ" or category in ("Sc", "Sm") else "文"
