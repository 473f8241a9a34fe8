"""Numbers and dates that are stored as text: their value and the pattern they are written in."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

NumberPattern = Literal["全角", "括号负数", "￥", "千分位", "%", "元", "万", "亿", "空格", "普通"]
NUMBER_PATTERNS: tuple[NumberPattern, ...] = (
    *("全角", "括号负数", "￥", "千分位", "%"),
    *("元", "万", "亿", "空格", "普通"),
)
DATE_PATTERNS = {
    "YYYY-MM-DD": r"\d{4}-\d{1,2}-\d{1,2}",
    "YYYY/MM/DD": r"\d{4}/\d{1,2}/\d{1,2}",
    "YYYY.MM.DD": r"\d{4}\.\d{1,2}\.\d{1,2}",
    "YYYY年M月D日": r"\d{2,4}年\d{1,2}月\d{1,2}[日号]",
    "YYYY年M月": r"\d{2,4}年\d{1,2}月",
    "YYYY-MM": r"(?:19|20)\d{2}[-/](?:0?[1-9]|1[0-2])",
    "D/M/YYYY or M/D/YYYY": r"\d{1,2}[-/.]\d{1,2}[-/.]\d{4}",
    "YYYYMMDD": r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])",
}

_UNIT_FACTORS = {"元": 1, "万": 10_000, "亿": 100_000_000}
_NUMBER = re.compile(
    r"(?P<open>\()?(?P<sign>[-+−])?(?P<currency>[¥￥$€£]|RMB|CNY|USD)?\s*(?P<sign2>[-+−])?"
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d*)?|\d+(?:\.\d*)?|\.\d+)(?P<exponent>[eE][-+]?\d{1,3})?"
    r"\s*(?P<percent>%)?(?P<unit>[万亿]?元|[万亿])?(?P<close>\))?"
)
_TIME = r"(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?"
_DATE_NAMES = tuple(DATE_PATTERNS)
_DATE = re.compile(f"(?:{'|'.join(f'({pattern})' for pattern in DATE_PATTERNS.values())}){_TIME}")
_QUICK = re.compile(r"[\s\d０-９.．]")
_ANY_DIGIT = str.maketrans("123456789１２３４５６７８９", "0" * 9 + "０" * 9)
_SHAPES_KEPT = 4096


@dataclass(frozen=True, kw_only=True)
class TextNumber:
    """The exact value of a text and the patterns in it, in the order of `NUMBER_PATTERNS`."""

    value: Decimal
    patterns: tuple[NumberPattern, ...]


def parse_number(text: str) -> TextNumber | None:
    """Return the number that a text says, None when it says none.

    Reads thousands separators, currency signs, percent signs (12.5% is 0.125), brackets for negative numbers,
    full-width digits, the units 元, 万 and 亿 (1.2万 is 12000) and spaces at the ends. A comma is never a
    decimal comma. Plain digits have the pattern 普通.

    Example:
        >>> parse_number("￥1,200.50").value, parse_number("(300)").value, parse_number("3.5%").value
        (Decimal('1200.50'), Decimal('-300'), Decimal('0.035'))
    """
    normal = _normal(text)
    match = _number_match(normal)
    if match is None:
        return None
    value = Decimal(match["digits"].replace(",", "") + (match["exponent"] or ""))
    unit = match["unit"] or ""
    for name, factor in _UNIT_FACTORS.items():
        value *= factor if name in unit else 1
    if match["percent"]:
        value = value.scaleb(-2)
    negative = match["open"] or (match["sign"] or match["sign2"] or "") in ("-", "−")
    return TextNumber(value=-value if negative else value, patterns=_patterns(text, normal, match))


def number_patterns(text: str) -> tuple[NumberPattern, ...]:
    """Return the patterns of `parse_number`, empty when the text says no number.

    They do not depend on which digits the text has, so texts alike but for those are looked at once: a column of
    amounts has as many values as rows, but few shapes.
    """
    return _patterns_of_shape(text.translate(_ANY_DIGIT))


@lru_cache(maxsize=_SHAPES_KEPT)
def _patterns_of_shape(shape: str) -> tuple[NumberPattern, ...]:
    number = parse_number(shape)
    return number.patterns if number else ()


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _number_match(normal: str) -> re.Match[str] | None:
    match = _NUMBER.fullmatch(normal.strip())
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    return None if match["sign"] and match["sign2"] else match


def _patterns(text: str, normal: str, match: re.Match[str]) -> tuple[NumberPattern, ...]:
    unit = match["unit"] or ""
    found: dict[NumberPattern, bool] = {
        "全角": any(char != "￥" and 0xFF00 < ord(char) < 0xFF5F for char in text),
        "括号负数": bool(match["open"]),
        "￥": bool(match["currency"]),
        "千分位": "," in match["digits"],
        "%": bool(match["percent"]),
        "元": "元" in unit,
        "万": "万" in unit,
        "亿": "亿" in unit,
        "空格": normal != normal.strip() or " " in normal.strip(),
    }
    patterns: tuple[NumberPattern, ...] = tuple(pattern for pattern in NUMBER_PATTERNS if found.get(pattern))
    return patterns or ("普通",)


def date_pattern(text: str) -> str | None:
    """Return the name of the date pattern that a text is written in, None when it is no date."""
    if not _QUICK.match(text):
        return None
    match = _DATE.fullmatch(_normal(text).strip())
    return _DATE_NAMES[match.lastindex - 1] if match and match.lastindex else None
