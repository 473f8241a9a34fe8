"""English expressions for dates, months, quarters, halves and years."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from mindatlas.nodes.date_patterns import group, no_time
from mindatlas.nodes.date_ranges import Clock, DateRange, day, half, in_year, month, quarter, year
from mindatlas.nodes.dates_en_words import (
    CAPITAL_MONTH,
    DAY,
    DAY_START,
    IN_YEAR,
    MONTH,
    ORDINALS,
    PLAIN_MONTH,
    RELATIVE,
    TO,
    YEAR_DIGITS,
    YEAR_END,
    after,
    english,
    month_number,
    offset,
    year_of,
)

_SURE_MONTH = rf"(?:{PLAIN_MONTH}|{CAPITAL_MONTH})"
_MONTH_END = r"(?![A-Za-z]|[ ]?[0-9])"
_NO_DAY = r"(?![A-Za-z]|[ ]?[0-9]{1,2}(?![0-9]))"
_LAST_DAY = DAY.replace("<day>", "<last_day>")
_ORDINAL = r"(?P<ordinal>first|second|third|fourth|[1-4](?:st|nd|rd|th))"
_SPANS = ((after("from in during"), TO), (after("between"), rf"(?:{TO}|[ ]and[ ])"))
"""How a range begins, and what may stand between its ends: 2023 and 2024 alone are two years."""
_OF_YEAR = r"[ ]of[ ]the[ ]year\b"
_LETTERS_END = r"(?![0-9A-Za-z>:]|-[A-Za-z])"
_LETTERS_START = r"(?<![0-9A-Za-z<#])(?<![A-Za-z][-_])"


def _in_its_year(match: re.Match[str], clock: Clock, make: Callable[[int], DateRange]) -> DateRange | None:
    """Return `make(year)` for the year in the match, else for the one that is meant without."""
    named = year_of(match, clock)
    return in_year(make, clock) if named is None else make(named)


def _year(match: re.Match[str], clock: Clock) -> DateRange:
    del clock
    return year(int(match["year"]))


def _years(match: re.Match[str], clock: Clock) -> DateRange:
    del clock
    return DateRange(
        start=date(int(match["first"]), 1, 1), end=date(int(match["final"]), 12, 31), grain="year"
    )


def _half(match: re.Match[str], clock: Clock) -> DateRange | None:
    which = int(match["half"])
    return _in_its_year(match, clock, lambda named: half(named, which))


def _quarter(match: re.Match[str], clock: Clock) -> DateRange | None:
    which = int(match["quarter"])
    return _in_its_year(match, clock, lambda named: quarter(named, which))


def _ordinal_half(match: re.Match[str], clock: Clock) -> DateRange:
    return half(year_of(match, clock) or clock.today.year, ORDINALS[match["ordinal"].lower()])


def _ordinal_quarter(match: re.Match[str], clock: Clock) -> DateRange | None:
    which = ORDINALS[match["ordinal"].lower()]
    if group(match, "this_year"):
        return quarter(clock.today.year, which)
    return _in_its_year(match, clock, lambda named: quarter(named, which))


def _month(match: re.Match[str], clock: Clock) -> DateRange | None:
    which = month_number(match["month"])
    return _in_its_year(match, clock, lambda named: month(named, which))


def _which_month(match: re.Match[str], clock: Clock) -> DateRange:
    """Return the month in this year, or the latest before the current one, or the first after it."""
    which, step, today = month_number(match["month"]), offset(match["relative_month"]), clock.today
    shift = 0 if step == 0 else -int(which >= today.month) if step < 0 else int(which <= today.month)
    return month(today.year + shift, which)


def _months(match: re.Match[str], clock: Clock) -> DateRange | None:
    """Return the range from month to month; a year that is named is that of the last one."""
    first, which = month_number(match["month"]), month_number(match["last_month"])
    named = year_of(match, clock)
    if named is not None:
        start, final = month(named - int(first > which), first), month(named, which)
        return DateRange(start=start.start, end=final.end, grain="month")
    opening = in_year(lambda found: month(found, first), clock)
    if not opening:
        return None
    closing = in_year(lambda found: month(found, which), replace(clock, since=opening.start))
    return DateRange(start=opening.start, end=closing.end, grain="month") if closing else None


def _day(match: re.Match[str], clock: Clock) -> DateRange | None:
    which, number = month_number(match["month"]), int(match["day"])
    return _in_its_year(match, clock, lambda named: day(date(named, which, number)))


def _days(match: re.Match[str], clock: Clock) -> DateRange | None:
    first = _day(match, clock)
    return first and replace(first, end=first.start.replace(day=int(match["last_day"])))


PATTERNS = (
    english(
        "year", rf"{after('in since during throughout until year')}(?P<year>{YEAR_DIGITS}){YEAR_END}", _year
    ),
    *(
        english(
            "years",
            rf"{start}(?P<first>{YEAR_DIGITS}){joint}(?P<final>{YEAR_DIGITS}){YEAR_END}",
            _years,
            spans=True,
        )
        for start, joint in _SPANS
    ),
    english("half", rf"{_LETTERS_START}(?-i:H)(?P<half>[12]){_LETTERS_END}{IN_YEAR}?", _half, floating=True),
    english(
        "year_half", rf"(?<![0-9])(?P<year>{YEAR_DIGITS})[ -]?(?-i:H)(?P<half>[12]){_LETTERS_END}", _half
    ),
    english("ordinal_half", rf"\b{_ORDINAL}[ ]half(?:{IN_YEAR}|{_OF_YEAR})", _ordinal_half),
    english(
        "quarter", rf"{_LETTERS_START}Q(?P<quarter>[1-4]){_LETTERS_END}{IN_YEAR}?", _quarter, floating=True
    ),
    english(
        "year_quarter", rf"(?<![0-9])(?P<year>{YEAR_DIGITS})[ -]?Q(?P<quarter>[1-4]){_LETTERS_END}", _quarter
    ),
    english("question", r"^[ \t]*Q[1-4][ ]?[.:)]", no_time),
    english(
        "ordinal_quarter",
        rf"\b{_ORDINAL}[ ]quarter\b(?:{IN_YEAR}|(?P<this_year>{_OF_YEAR}))?(?![ ]of\b)",
        _ordinal_quarter,
        floating=True,
    ),
    english(
        "last_quarter_of_year",
        rf"\b(?P<ordinal>last|final)[ ]quarter(?:{IN_YEAR}|(?P<this_year>{_OF_YEAR}))",
        _ordinal_quarter,
    ),
    english(
        "month_of_year", rf"\b(?P<month>{MONTH}),?[ ](?:of[ ])?(?P<year>{YEAR_DIGITS}){YEAR_END}", _month
    ),
    english("month_of_some_year", rf"\b(?P<month>{_SURE_MONTH}){IN_YEAR}", _month),
    english("month", rf"\b(?P<month>{PLAIN_MONTH}){_MONTH_END}", _month, floating=True),
    english(
        "capital_month",
        after("in since from to until till during of by between through after before early late mid and or")
        + rf"(?P<month>{CAPITAL_MONTH}){_MONTH_END}",
        _month,
        floating=True,
    ),
    english(
        "small_month", rf"{after('in since during')}(?P<month>march|may){_MONTH_END}", _month, floating=True
    ),
    english(
        "which_month",
        rf"\b(?P<relative_month>{RELATIVE})[ ](?P<month>{_SURE_MONTH}){_MONTH_END}",
        _which_month,
    ),
    english(
        "months",
        rf"\b(?P<month>{_SURE_MONTH}){TO}(?P<last_month>{_SURE_MONTH}){_NO_DAY}{IN_YEAR}?",
        _months,
        spans=True,
    ),
    *(
        english(
            "small_months",
            rf"{start}(?P<month>{MONTH}){joint}(?P<last_month>{MONTH}){_NO_DAY}{IN_YEAR}?",
            _months,
            spans=True,
        )
        for start, joint in _SPANS
    ),
    english("month_day", rf"\b(?P<month>{MONTH})[ ](?:the[ ])?{DAY}{IN_YEAR}?", _day, floating=True),
    *(
        english(
            "month_days", rf"{start}(?P<month>{MONTH})[ ]{DAY}{joint}{_LAST_DAY}{IN_YEAR}?", _days, spans=True
        )
        for start, joint in ((r"\b", TO), _SPANS[1])
    ),
    english(
        "day_month",
        rf"{DAY_START}{DAY}[ ](?:of[ ])?(?P<month>{_SURE_MONTH})(?![A-Za-z]){IN_YEAR}?",
        _day,
        floating=True,
    ),
    english(
        "day_small_month",
        rf"{DAY_START}(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)[ ](?:of[ ])?(?P<month>{MONTH})\b{IN_YEAR}?",
        _day,
        floating=True,
    ),
    english(
        "day_month_year", rf"{DAY_START}{DAY}[ ](?:of[ ])?(?P<month>{MONTH}){IN_YEAR}", _day, floating=True
    ),
    english(
        "days_month",
        rf"{DAY_START}{DAY}{TO}{_LAST_DAY}[ ](?:of[ ])?(?P<month>{_SURE_MONTH})(?![A-Za-z]){IN_YEAR}?",
        _days,
        spans=True,
    ),
)
