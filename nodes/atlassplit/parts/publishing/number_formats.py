"""The number format of a written column: the source's where there is one, else what its values ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from mindatlas.nodes.atlassplit.parts.publishing.sheet_cells import DateCell, DateKind, SheetCell
from mindatlas.nodes.atlassplit.parts.publishing.templates import ColumnLook

GENERAL: Final = "General"
TEXT: Final = "@"
PERCENT: Final = "0.00%"
DATE_FORMATS: Final[dict[DateKind, str]] = {
    "date": "yyyy-mm-dd",
    "datetime": "yyyy-mm-dd hh:mm:ss",
    "time": "hh:mm:ss",
    "duration": "[h]:mm:ss",
}
_LONGEST_FORMAT: Final = 255
_LITERAL: Final = re.compile(r'"[^"]*"|\\.|_.|\[(?![hms]+\])[^\]]*\]|\*.', re.I)
_DATE_PART: Final = re.compile(r"[ymdhs]|上午|下午", re.I)
_DAY_PART: Final = re.compile("[yd]", re.I)
# 利率 and 汇率 alike: whether a percent sign fits is left to the values.
_RATIO_NAME: Final = re.compile(
    r"率|占比|比例|比重|环比|同比|增幅|增速|(?<![a-z])(?:share|growth|ratio|rate|pct|percent)(?![a-z])", re.I
)
_CODE: Final = re.compile(r"[0-9]{2,}")


def number_format(header: str, cells: Sequence[SheetCell], look: ColumnLook | None) -> str:
    """Return the format of a column's numbers, or of its texts when it has no number.

    Taken over from the source column of the same name unless it is a date's format. Otherwise shares and rates
    (率, 占比, growth, ratio, …) whose values are mostly between -1 and 1 are percentages, and identifiers
    made of digits are text, so that editing a cell keeps its zeros.
    """
    source = look.number_format if look else GENERAL
    numbers = [cell for cell in cells if isinstance(cell, int | float) and not isinstance(cell, bool)]
    if not numbers:
        texts = (cell for cell in cells if isinstance(cell, str))
        return TEXT if source == TEXT or any(map(_CODE.fullmatch, texts)) else GENERAL
    if _is_usable(source) and source != TEXT and not is_date_format(source):
        return source
    return PERCENT if _RATIO_NAME.search(header) and "%" not in header and _are_shares(numbers) else GENERAL


def date_formats(cells: Iterable[SheetCell], look: ColumnLook | None) -> dict[DateKind, str]:
    """Return the format of each kind of date in a column: the source's where it fits, else ISO 8601.

    In a column of dates with and without a time of day, all show the time.
    """
    kinds = {cell.kind for cell in cells if isinstance(cell, DateCell)}
    formats = dict(DATE_FORMATS)
    if kinds >= {"date", "datetime"}:
        formats["date"] = formats["datetime"]
    source = look.number_format if look else GENERAL
    if _is_usable(source) and is_date_format(source):
        fitting: tuple[DateKind, ...] = (
            ("date", "datetime") if _DAY_PART.search(source) else ("time", "duration")
        )
        formats |= dict.fromkeys(fitting, source)
    return {kind: formats[kind] for kind in DATE_FORMATS if kind in kinds}


def is_date_format(code: str) -> bool:
    """Return whether a number format shows a date or a time, its literal parts left out."""
    return bool(_DATE_PART.search(_LITERAL.sub("", code.replace(GENERAL, ""))))


def _is_usable(code: str) -> bool:
    return code not in ("", GENERAL) and len(code) <= _LONGEST_FORMAT


def _are_shares(numbers: Sequence[float]) -> bool:
    return sum(abs(number) <= 1 for number in numbers) * 2 > len(numbers)
