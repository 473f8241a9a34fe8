"""Time expressions in Chinese and English text, resolved against a given today.

The rules, where language leaves room:

- Weeks run from Monday to Sunday. Quarters and halves are those of the calendar year.
- What names no year, month or week means its latest occurrence that has begun: in April, 3月 is last month
  and 5月 is May of last year; on a Wednesday, 周三 is today and 周四 was six days ago.
- 上周五 and 下周五 are Friday of last and next week. "last Friday" is the latest Friday before today, "next
  Friday" the first one after it.
- The last N days end today and include it; so do weeks (7 N days), months and years. The next N begin
  tomorrow.
- N 天前 is a day; N weeks, months or years ago are the whole calendar week, month or year.
- 月初 and 上旬 are days 1 to 10, 中旬 11 to 20, 月底 and 下旬 from the 21st on; 年初 is January and 年底 is
  December. "The start" and "the end of last month" are its first and its last day.
- In a range, the end is the first occurrence after the start, and a year at one end holds for the other:
  去年11月到2月, "March to May 2024". The grain of a range is the finer of its ends.
- 至今, 以来, since and year to date end today.
- Feasts with a fixed day are that day; 国庆假期 is 1 to 7 October.
- Not resolved: feasts of the lunar calendar (春节, 中秋, 三月三), seasons, holidays whose length changes by
  year (五一假期), recurring times (每周三, every Friday), what hangs on the context (同年5月, 去年同期), and
  what is anyone's guess (3/5/2025, 25年).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from mindatlas.nodes import dates_en, dates_iso, dates_zh
from mindatlas.nodes.date_patterns import ANCHORS, Pattern, group
from mindatlas.nodes.date_ranges import Clock, DateRange, Grain, finer

__all__ = ["DateRange", "Grain", "TimeMention", "find_dates"]

_PATTERNS: tuple[Pattern, ...] = (*dates_iso.PATTERNS, *dates_zh.PATTERNS, *dates_en.PATTERNS)

_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | str.maketrans(
    "\u3000\u00a0\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u301c\u223c週個後禮過這號從節慶來間內與長兩國",
    "  " + "-" * 7 + "~~" + "周个后礼过这号从节庆来间内与长两国",
)
"""One character for one, so that offsets hold: full-width forms, dashes, traditional time words."""

_TO = re.compile(
    r"(?:[早晚]上|[上下]午|中午|凌晨)?(?:[0-9]{1,2}(?:[点时]|:[0-9]{2}))?(?:起|开始)?"
    r"[ \t]*(?:--?|~|截[至止]到?|直?到|至|to|through|thru|until|till|up to)[ \t]*(?:the )?",
    re.IGNORECASE,
)
_AND = re.compile(r"[ \t]*(?:and|和|与|跟)[ \t]*(?:the )?", re.IGNORECASE)
_FROM = re.compile(r"(?:\b(?:from|in between|between)\s(?:the\s)?|自从?|从|由)$", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s(?:the\s)?$", re.IGNORECASE)
_AMONG = re.compile(r"之间|期间")
_SINCE = re.compile(r"\bsince\s(?:the\s)?$", re.IGNORECASE)
_UP_TO_NOW = re.compile(
    r"[ \t]*(?:的?以来|至今(?![天日年早晚])|迄今|直?到(?:现在|目前)(?:为止)?|(?:to date|until now|so far)\b)",
    re.IGNORECASE,
)
_ONWARD = re.compile(r"[ \t]*(?:起|开始)(?![到至])")
_CONTEXT = 16  # characters: longer than any of the words above


@dataclass(frozen=True, kw_only=True)
class TimeMention:
    """One time expression: `text[start:end] == surface`, and the days it stands for."""

    start: int
    end: int
    surface: str
    range: DateRange


@dataclass(frozen=True, kw_only=True)
class _Found:
    """A match of one pattern, and the days it stands for when read alone."""

    match: re.Match[str]
    pattern: Pattern
    range: DateRange

    @property
    def floats(self) -> bool:
        return self.pattern.floating and not any(group(self.match, name) for name in ANCHORS)


class _Reading(NamedTuple):
    """An expression of one or two finds, with the words around them that belong to it."""

    start: int
    end: int
    range: DateRange
    finds: int = 1


def find_dates(text: str, today: date) -> list[TimeMention]:
    """Return the time expressions in `text`, left to right, the longest at each place, not overlapping."""
    today = today.date() if isinstance(today, datetime) else today
    plain = text.translate(_PLAIN)
    found = list(_select(plain, Clock(today=today)))
    mentions: list[TimeMention] = []
    index = 0
    while index < len(found):
        start, end, dates, finds = _read(plain, found[index : index + 2], today)
        mentions.append(TimeMention(start=start, end=end, surface=text[start:end], range=dates))
        index += finds
    return mentions


def _select(plain: str, clock: Clock) -> Iterator[_Found]:
    """Yield the matches that come first and, of those at one place, are longest, if they are times."""
    matches = [(match, pattern) for pattern in _PATTERNS for match in pattern.regex.finditer(plain)]
    matches.sort(key=lambda item: (item[0].start(), -item[0].end()))
    position = 0
    for match, pattern in matches:
        if match.start() >= position:
            position = match.end()
            if dates := _resolve(pattern, match, clock):
                yield _Found(match=match, pattern=pattern, range=dates)


def _resolve(pattern: Pattern, match: re.Match[str], clock: Clock) -> DateRange | None:
    try:
        return pattern.resolve(match, clock)
    except (ValueError, OverflowError):  # 30 February, the year 10000
        return None


def _read(plain: str, found: Sequence[_Found], today: date) -> _Reading:
    """Return the expression that the first find, or the first two, make with the words around them."""
    one = found[0]
    start, end = one.match.span()
    before, after = plain[max(0, start - _CONTEXT) : start], plain[end : end + _CONTEXT]
    opened = _FROM.search(before)
    from_start = opened.start() - len(before) + start if opened else start
    if one.pattern.spans:
        return _Reading(from_start, end, one.range)
    if len(found) > 1 and _joined(plain, one, found[1], before) and (dates := _span(one, found[1], today)):
        return _Reading(from_start, found[1].match.end(), dates, finds=2)
    if one.range.start <= today:
        until_today = DateRange(start=one.range.start, end=today, grain="day")
        if since := _SINCE.search(before):
            return _Reading(start - len(since[0]), end, until_today)
        if mark := _UP_TO_NOW.match(after) or (opened and _ONWARD.match(after)):
            return _Reading(from_start, end + len(mark[0]), until_today)
    return _Reading(start, end, one.range)


def _joined(plain: str, one: _Found, other: _Found, before: str) -> bool:
    """Return whether the text reads: one to other, between one and other, 一和二之间."""
    between = plain[one.match.end() : other.match.start()]
    if _TO.fullmatch(between):
        return True
    enclosed = _BETWEEN.search(before) or _AMONG.match(plain, other.match.end())
    return bool(enclosed and _AND.fullmatch(between))


def _span(one: _Found, other: _Found, today: date) -> DateRange | None:
    """Return the range from one find to the other, None when it would run backwards."""
    first: DateRange | None
    second: DateRange | None
    first, second = one.range, other.range
    if one.floats and (group(other.match, "year") or group(other.match, "relative_year")):
        first = _resolve(one.pattern, one.match, Clock(today=second.start))
    if other.floats and first:
        second = _resolve(other.pattern, other.match, Clock(today=today, since=first.start))
    if not first or not second or not first.start <= second.start <= second.end:
        return None
    return DateRange(start=first.start, end=second.end, grain=finer(first.grain, second.grain))
