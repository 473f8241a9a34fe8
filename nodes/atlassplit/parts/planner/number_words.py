"""Numbers in requests: digits with separators and units, and Chinese numerals."""

from __future__ import annotations

import re

from mindatlas.nodes.atlassplit.parts.planner.tokens import NumberValue
from mindatlas.nodes.numbers import parse_number

_SCALES = {"千": 1e3, "万": 1e4, "百万": 1e6, "千万": 1e7, "亿": 1e8, "k": 1e3, "m": 1e6}

NUMBERS = re.compile(
    r"(?:(?P<currency>[¥$€])\s?)?(?<![\d.])(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d])"
    r"(?:\s?(?P<percent>%)|(?P<scale>百万|千万|[千万亿]|[km](?![a-z])))?"
    r"|(?P<chinese>[零一二两三四五六七八九十百千][零一二两三四五六七八九十百千万]*)"
)
"""One number in folded text."""


def read_number(match: re.Match[str]) -> NumberValue | None:
    """Return the number that `NUMBERS` matched, None when Chinese numerals make none."""
    if match["chinese"]:
        value = parse_number(match["chinese"])
        return None if value is None else NumberValue(value=value)
    value = float(match["digits"].replace(",", ""))
    if match["percent"]:
        return NumberValue(value=value / 100, percent=True)
    scale = _SCALES.get(match["scale"] or "", 1)
    return NumberValue(value=value * scale, scaled=bool(match["scale"] or match["currency"]))
