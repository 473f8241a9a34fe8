"""Pieces of the English time expressions: regular expressions without regard to case, and word tables.

March, May and the short forms are words of their own (may I, march on), so alone they count only with a
capital and after a preposition.
"""

from __future__ import annotations

import re

from mindatlas.nodes.date_patterns import Pattern, Resolve, group, number
from mindatlas.nodes.date_ranges import Clock, Unit

_MONTHS = {
    **{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6},
    **{"jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12},
}
_WEEKDAYS = {"mon": 0, "tue": 1, "wed": 2, "thu": 3, "fri": 4, "sat": 5, "sun": 6}
_COUNTS = {
    **{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6},
    **{"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12},
}
ORDINALS = {
    **{"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4, "final": 4},
    **{"1st": 1, "2nd": 2, "3rd": 3, "4th": 4},
}
_OFFSETS = {"this": 0, "current": 0, "last": -1, "past": -1, "previous": -1, "next": 1, "coming": 1}

PLAIN_MONTH = "january|february|april|june|july|august|september|october|november|december"
"""Names that are nothing but a month."""
CAPITAL_MONTH = (
    r"(?-i:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
MONTH = rf"(?:{PLAIN_MONTH}|march|may|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
SHORT_WEEKDAY = r"(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)"

DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?(?![0-9A-Za-z%:]|[.,][0-9])"
YEAR_DIGITS = "(?:19|20)[0-9]{2}"
YEAR_END = "(?![0-9A-Za-z%]|[.,:/-][0-9])"
YEAR = rf"(?:(?P<year>{YEAR_DIGITS}){YEAR_END}|(?P<relative_year>this|last|next)[ ]year\b)"
IN_YEAR = rf"(?:,?[ ](?:(?:of|in)[ ])?(?:the[ ])?{YEAR})"
UNIT = r"(?P<unit>day|week|month|quarter|year)"
NUMBER = "[0-9]{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
RELATIVE = "this|current|last|past|previous|next|coming"
DAY_START = r"(?<![0-9.,$#-])\b"

TO = r"[ ]?(?:--?|~|\bto\b|\bthrough\b|\bthru\b|\buntil\b|\btill\b)[ ]?(?:the[ ])?"


def english(
    name: str, regex: str, resolve: Resolve, *, floating: bool = False, spans: bool = False
) -> Pattern:
    """Return the pattern, compiled without regard to case; Chinese characters next to a word end it."""
    compiled = re.compile(regex, re.ASCII | re.IGNORECASE | re.MULTILINE)
    return Pattern(name=name, regex=compiled, resolve=resolve, floating=floating, spans=spans)


def after(words: str) -> str:
    """Return a look-behind for one of the words, which stand parted by spaces."""
    return "(?:" + "|".join(rf"(?<=\b{word}[ ])" for word in words.split()) + ")"


def month_number(name: str) -> int:
    """Return 1 to 12 for the name of a month, short or long."""
    return _MONTHS[name[:3].lower()]


def weekday_number(name: str) -> int:
    """Return 0 (Monday) to 6 for the name of a weekday, short or long."""
    return _WEEKDAYS[name[:3].lower()]


def count_of(match: re.Match[str]) -> int:
    """Return the number of units in the match; `a` and `an` are one."""
    word = match["count"].lower()
    return 1 if word in {"a", "an"} else _COUNTS.get(word) or number(word)


def unit_of(match: re.Match[str]) -> Unit:
    """Return the unit in the match."""
    units: dict[str, Unit] = {
        "day": "day",
        "week": "week",
        "month": "month",
        "quarter": "quarter",
        "year": "year",
    }
    return units[match["unit"].lower()]


def offset(word: str) -> int:
    """Return how many units from the current one this, last, next … is."""
    return _OFFSETS[word.lower()]


def year_of(match: re.Match[str], clock: Clock) -> int | None:
    """Return the year that the match names, None when it names none."""
    if written := group(match, "year"):
        return int(written)
    relative = group(match, "relative_year")
    return clock.today.year + offset(relative) if relative else None
