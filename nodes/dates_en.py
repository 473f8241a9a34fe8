"""English expressions for days, weeks, and stretches of time counted from today."""

from __future__ import annotations

import re
from datetime import timedelta

from mindatlas.nodes import dates_en_calendar
from mindatlas.nodes.date_patterns import group, no_time
from mindatlas.nodes.date_ranges import Clock, DateRange, Unit, coming, current, day, in_week, last
from mindatlas.nodes.dates_en_words import (
    MONTH,
    NUMBER,
    RELATIVE,
    SHORT_WEEKDAY,
    UNIT,
    WEEKDAY,
    YEAR_DIGITS,
    after,
    count_of,
    english,
    offset,
    unit_of,
    weekday_number,
)

_DAYS = {
    **{"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1, "last night": -1},
    **{"this morning": 0, "this afternoon": 0, "this evening": 0},
    **{"day before yesterday": -2, "day after tomorrow": 2},
}
_PERIODS: dict[str, Unit] = {"wtd": "week", "mtd": "month", "qtd": "quarter", "ytd": "year"}


def _day_word(match: re.Match[str], clock: Clock) -> DateRange:
    return current("day", _DAYS[match["word"].lower()], clock.today)


def _unit(match: re.Match[str], clock: Clock) -> DateRange:
    return current(unit_of(match), offset(match["which"]), clock.today)


def _before_last(match: re.Match[str], clock: Clock) -> DateRange:
    return current(unit_of(match), -2, clock.today)


def _edge(match: re.Match[str], clock: Clock) -> DateRange:
    which = match["which"].lower()
    whole = current(unit_of(match), 0 if which == "the" else offset(which), clock.today)
    return day(whole.end if match["edge"].lower() == "end" else whole.start)


def _weekend(match: re.Match[str], clock: Clock) -> DateRange:
    sunday = current("week", offset(match["which"]), clock.today).end
    return DateRange(start=sunday - timedelta(days=1), end=sunday, grain="day")


def _weekday(match: re.Match[str], clock: Clock) -> DateRange | None:
    return in_week(weekday_number(match["weekday"]), clock)


def _which_weekday(match: re.Match[str], clock: Clock) -> DateRange:
    """Return the day of this week, or the latest before today, or the first after today."""
    weekday, step = weekday_number(match["weekday"]), offset(match["relative_week"])
    ahead = (weekday - clock.today.weekday()) % 7
    if step == 0:
        return day(current("week", 0, clock.today).start + timedelta(days=weekday))
    return day(clock.today + timedelta(days=(ahead or 7) if step > 0 else ahead - 7))


def _last(match: re.Match[str], clock: Clock) -> DateRange:
    return last(count_of(match), unit_of(match), clock.today)


def _last_one(match: re.Match[str], clock: Clock) -> DateRange:
    return last(1, unit_of(match), clock.today)


def _coming(match: re.Match[str], clock: Clock) -> DateRange:
    return coming(count_of(match), unit_of(match), clock.today)


def _ago(match: re.Match[str], clock: Clock) -> DateRange:
    return current(unit_of(match), -count_of(match), clock.today)


def _to_date(match: re.Match[str], clock: Clock) -> DateRange:
    short = group(match, "short")
    unit = _PERIODS[short.lower()] if short else unit_of(match)
    return DateRange(start=current(unit, 0, clock.today).start, end=clock.today, grain="day")


_WHICH = r"(?P<which>the|this|last|next)[ ](?P<unit>week|month|quarter|year)\b(?![ ]of\b)"
_COUNT = rf"(?P<count>{NUMBER})"
_WHOLE = (
    rf"(?:{MONTH}\b(?:,?[ ]{YEAR_DIGITS})?|(?:this|the|last|next)[ ](?:week|month|quarter|year)\b"
    rf"|{YEAR_DIGITS}|[a-z]+)"
)

PATTERNS = (
    *dates_en_calendar.PATTERNS,
    english("day_word", rf"\b(?P<word>{'|'.join(_DAYS)})\b", _day_word),
    english(
        "unit",
        r"\b(?P<which>this|current|last|previous|next|coming)[ ](?P<unit>week|month|quarter|year)\b",
        _unit,
    ),
    english("unit_before_last", r"\b(?P<unit>week|month|quarter|year)[ ]before[ ]last\b", _before_last),
    english("edge_of_unit", rf"\b(?P<edge>beginning|start|end)[ ]of[ ]{_WHICH}", _edge),
    english("weekend", r"\b(?P<which>this|last|next)[ ]weekend\b", _weekend),
    english("weekday", rf"\b(?P<weekday>{WEEKDAY})\b", _weekday, floating=True),
    english("short_weekday", rf"{after('on')}(?P<weekday>{SHORT_WEEKDAY})\b", _weekday, floating=True),
    english(
        "which_weekday",
        rf"\b(?P<relative_week>{RELATIVE})[ ](?P<weekday>{WEEKDAY}|{SHORT_WEEKDAY})\b",
        _which_weekday,
    ),
    english(
        "no_weekday",
        rf"\b(?:black|good|cyber|ash|palm|easter|super|man|every|each|any|most|a)[ ]{WEEKDAY}\b"
        rf"|\b(?:first|second|third|fourth|last|[1-4](?:st|nd|rd|th))[ ]{WEEKDAY}[ ](?:of|in)\b",
        no_time,
    ),
    english("last_n", rf"\b(?:last|past|previous)[ ]{_COUNT}[ -]{UNIT}s?\b", _last),
    english("past_unit", rf"\bpast[ ]{UNIT}\b(?![ ]of\b)", _last_one),
    english(
        "within_last_unit",
        rf"{after('in over during within for')}the[ ](?:last|past)[ ]{UNIT}\b(?![ ]of\b)",
        _last_one,
    ),
    english("next_n", rf"\b(?:next|coming|following)[ ]{_COUNT}[ -]{UNIT}s?\b", _coming),
    english("n_ago", rf"\b(?P<count>{NUMBER}|an?)[ ]{UNIT}s?[ ]ago\b", _ago),
    english("to_date", rf"\b(?:{UNIT}[ -]to[ -]date|(?P<short>(?-i:[WMQY]TD)))\b", _to_date),
    english("so_far_this_unit", rf"\bso[ ]far[ ]this[ ]{UNIT}\b", _to_date),
    english("this_unit_so_far", rf"\bthis[ ]{UNIT}[ ]so[ ]far\b", _to_date),
    english(
        "part_of_whole",  # neither all of March nor a week that is counted from today
        r"\b(?:first|second|third|fourth|last|final)[ ](?:day|week|weekend|month)s?"
        rf"[ ](?:of|in)[ ](?:the[ ])?{_WHOLE}",
        no_time,
    ),
    english("unit_of", rf"\b(?:{RELATIVE})[ ](?:week|month|quarter|year)[ ]of\b", no_time),
)
