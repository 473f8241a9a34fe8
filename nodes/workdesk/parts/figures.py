"""The figures that a text states, apart from dates, ordinals, codes and identifiers."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, NamedTuple

from mindatlas.nodes.numbers import parse_number
from mindatlas.nodes.workdesk.parts.figure_masks import MEASURE, says_something, scan

_NUMBER = re.compile(
    r"(?P<digits>\d(?<![\w.]\d)(?:\d{0,2}(?:,\d{3})+(?:\.\d+)?|\d*(?:\.\d+)?))\s*(?P<unit>千万|百万|万|亿|千(?![瓦米克])|%|个?百分点|(?:million|thousand|billion|percent|k|m)\b)?",
    re.IGNORECASE,
)
_MINUS = re.compile(r"(?<![\w)])-$")
_CHINESE = re.compile(
    rf"(?<![零〇一二三四五六七八九十百千万两几数])(?P<digits>[一二三四五六七八九十百千万两零〇]{{2,}})(?=\s*(?:多|余)?{MEASURE})"
)
_UNITS = {
    "千": 1e3,
    "thousand": 1e3,
    "k": 1e3,
    "万": 1e4,
    "百万": 1e6,
    "million": 1e6,
    "m": 1e6,
    "千万": 1e7,
    "亿": 1e8,
    "billion": 1e9,
}
_APPROXIMATE = re.compile(
    r"(?:约|大约|大概|近|接近|将近|左右|逾|上|about|around|roughly|approximately|nearly|almost|some|~|≈)\s*(?:有|为)?\s*$",
    re.IGNORECASE,
)
_APPROXIMATE_AFTER = re.compile(r"\s*(?:多|余|几|\+|左右|上下|以上|or so)", re.IGNORECASE)
_ABOVE = re.compile(
    r"(?:超|超过|多于|高于|大于|至少|不少于|不低于|\b(?:over|more than|above|at least|greater than|higher than|larger than|exceed\w*))\s*$",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"(?:不到|不足|低于|少于|小于|不超过|\b(?:under|less than|below|fewer than|lower than|cheaper than|smaller than|at most))\s*$",
    re.IGNORECASE,
)
_SEPARATORS = frozenset(("", "|", ",", ";", ")", "\n", "|\n"))
_DENIED = re.compile(r"没|未|无|不存在|\b(?:not|no|none|never|without)\b|n['’]t\b", re.IGNORECASE)
_WINDOW = 16  # characters before a figure that qualify it
_DURATION = re.compile(
    r"\s*(?:个?(?:小时|分钟|天|秒|周|工作日|月)|(?:hours?|hrs?|minutes?|mins?|days?|seconds?|weeks?|months?|h)\b)",
    re.IGNORECASE,
)


class Figure(NamedTuple):
    """A figure as a text states it.

    Attributes:
        value: its value, 万 and the like counted in; a percentage is its number, 12.5 for 12.5%.
        step: what the last digit that is written is worth: 0.1 for 3.5, 100 for 1.23万.
        approximate: words such as 约 or “about” stand beside it.
        duration: it counts hours, days and the like.
        bound: it is a limit that figures lie above or below (超过 40, “under 700”), or none does.
    """

    text: str
    start: int
    end: int
    value: float
    step: float
    percent: bool = False
    approximate: bool = False
    duration: bool = False
    bound: Literal["", "above", "below", "denied"] = ""


def find_figures(text: str, known: Collection[float] = ()) -> list[Figure]:
    """Return the figures of `text`, left to right.

    Left out are code, dates and times, ranges of days, ordinals and list marks, ranks and pages, limits, status
    codes and identifiers. Chinese numerals count from ten on and with a measure word: 一百二十单.

    Args:
        text: the text to read.
        known: values whose figures need no closer look; what stands around them is not read.
    """
    plain = scan(text).masked
    figures = [_figure(plain, match, known) for match in _NUMBER.finditer(plain)]
    if any(unit in plain for unit in "十百千万"):
        figures += [found for match in _CHINESE.finditer(plain) if (found := _chinese(plain, match))]
    return sorted(figures, key=lambda figure: figure.start)


def _figure(plain: str, match: re.Match[str], known: Collection[float]) -> Figure:
    if (
        known
        and match["unit"] is None
        and "," not in match["digits"]
        and (value := float(match["digits"])) in known
    ):
        return Figure(match["digits"], match.start(), match.end(), value, 1.0)
    digits, unit = match["digits"].replace(",", ""), (match["unit"] or "").lower()
    percent = unit in ("%", "percent") or unit.endswith("百分点")
    scale = 1.0 if percent else _UNITS.get(unit, 1.0)
    decimals = len(digits.partition(".")[2])
    sign = -1 if _MINUS.search(plain[max(0, match.start() - 2) : match.start()]) else 1
    before = plain[max(0, match.start() - _WINDOW) : match.start()]
    before = before if says_something(before) else ""
    end = match.end()
    alone = plain[end : end + 2].strip(" ") in _SEPARATORS
    return Figure(
        text=match[0].strip(),
        start=match.start(),
        end=end,
        value=sign * float(digits) * scale,
        step=scale / 10**decimals,
        percent=percent,
        approximate=_is_approximate(plain, end, before) if before or not alone else False,
        duration=not alone and bool(_DURATION.match(plain, end)),
        bound=_bound(before, plain[max(0, match.start() - 2 * _WINDOW) : match.start()]),
    )


def _bound(before: str, wider: str) -> Literal["", "above", "below", "denied"]:
    if not before:
        return ""
    if _DENIED.search(wider) and (_ABOVE.search(before) or _BELOW.search(before)):
        return "denied"
    return "above" if _ABOVE.search(before) else "below" if _BELOW.search(before) else ""


def _chinese(plain: str, match: re.Match[str]) -> Figure | None:
    value = parse_number(match["digits"])
    if value is None or value < 10 or match["digits"][0] in "百千万":
        return None
    before = plain[max(0, match.start() - _WINDOW) : match.start()]
    return Figure(
        text=match["digits"],
        start=match.start(),
        end=match.end(),
        value=value,
        step=1.0,
        approximate=_is_approximate(plain, match.end(), before),
    )


def _is_approximate(plain: str, end: int, before: str) -> bool:
    return bool((before and _APPROXIMATE.search(before)) or _APPROXIMATE_AFTER.match(plain, end))
