"""Cells of an xlsx sheet that say to lie beyond all others: calamine would allocate everything up to them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# Comments and CDATA may hide tags from patterns, zeros belong to UTF-16, and references are looked for as every
# program writes them: patterns that start with a fixed text are found ten times faster.
_UNPLAIN: Final = (b"<!", b"\0", b"r='", b"r =", b"r= ", b"\tr=", b"\nr=", b"\rr=")
_LETTERS: Final = (b"A", b"Z")
_DIGITS: Final = (b"0", b"9")


def has_strays(piece: bytes, *, last_row: bytes, last_column: bytes) -> bool:
    """Return whether a cell with a value may lie beyond the last row or column, by what its reference says.

    A healthy sheet has none, since its cells stand in the order of their references.

    Args:
        piece: XML of the sheet, cut between rows.
        last_row: Number of the last row so far, from 1.
        last_column: Letters of the last column so far.
    """
    if any(mark in piece for mark in _UNPLAIN):
        return True
    return _beyond(last_row, last_column).search(piece) is not None


@lru_cache(maxsize=4)
def _beyond(last_row: bytes, last_column: bytes) -> re.Pattern[bytes]:
    column, row = _after(last_column, *_LETTERS), _after(last_row, *_DIGITS)
    place = rb'(?:%b)\d|[A-Z]+(?:%b)"|[^"]*[^A-Z0-9"]' % (column, row)
    return re.compile(rb' r="(?:%b)[^>]*(?<!/)>' % place)


def _after(text: bytes, first: bytes, last: bytes) -> bytes:
    """Return a pattern for what comes after `text` where longer texts come after shorter ones.

    Args:
        text: Letters or digits.
        first: The first letter or digit.
        last: The last one.
    """
    choices = [b"[%b-%b]{%d,}" % (first, last, len(text) + 1)]
    for at in range(len(text)):
        here = text[at : at + 1]
        if here < last:
            rest = len(text) - at - 1
            choices.append(
                b"%b[%b-%b][%b-%b]{%d}" % (text[:at], bytes([here[0] + 1]), last, first, last, rest)
            )
    return b"|".join(choices)
