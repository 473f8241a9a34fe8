"""Chinese expressions for days, weeks, and stretches of time counted from today."""

from __future__ import annotations

import re
from datetime import timedelta

from mindatlas.nodes import dates_zh_calendar
from mindatlas.nodes.date_patterns import half_unit, no_time, number
from mindatlas.nodes.date_ranges import Clock, DateRange, Unit, coming, current, day, in_week, last
from mindatlas.nodes.dates_zh_words import (
    DAY_WORD,
    DAY_WORDS,
    SPACE,
    TO,
    UNITS,
    WEEK_WORD,
    WEEKDAY,
    chinese,
    unit_of,
    weekday_of,
)

_COUNT = r"(?P<count>[0-9]{1,4}|[一二两三四五六七八九十百]{1,5}|半)"
_COUNT_AGO = (
    r"(?<![0-9.一二两三四五六七八九十百千万几第])(?P<count>[0-9]{1,3}|[一二两三四五六七八九十百]{1,5}|半)"
)
_UNIT = r"(?:个(?P<counted>星期|礼拜|月|季度)|(?P<unit>天|日|周|星期|礼拜|月|季度|年)(?![年龄级岁历假边]))"
_PAST = r"(?:最近|(?<![最附靠接临将])近|过去|过往)的?"
_NEXT = r"(?:未来|接下来|今后|往后)的?"
_WITHIN = r"(?:以内|之内|内|里)?"


def _day_word(match: re.Match[str], clock: Clock) -> DateRange:
    return current("day", DAY_WORDS[match["word"]], clock.today)


def _week(match: re.Match[str], clock: Clock) -> DateRange:
    return unit_of(match, "week", clock)


def _weekday(match: re.Match[str], clock: Clock) -> DateRange | None:
    return in_week(weekday_of(match), clock)


def _day_of_week(match: re.Match[str], clock: Clock) -> DateRange:
    return day(_week(match, clock).start + timedelta(days=weekday_of(match)))


def _weekend(match: re.Match[str], clock: Clock) -> DateRange:
    sunday = _week(match, clock).end
    return DateRange(start=sunday - timedelta(days=1), end=sunday, grain="day")


def _amount(match: re.Match[str]) -> tuple[int, Unit]:
    unit = UNITS[match["counted"] or match["unit"]]
    return half_unit(unit) if match["count"] == "半" else (number(match["count"]), unit)


def _last(match: re.Match[str], clock: Clock) -> DateRange:
    return last(*_amount(match), clock.today)


def _coming(match: re.Match[str], clock: Clock) -> DateRange:
    return coming(*_amount(match), clock.today)


def _ago(match: re.Match[str], clock: Clock) -> DateRange:
    count, unit = _amount(match)
    return current(unit, -count, clock.today)


PATTERNS = (
    *dates_zh_calendar.PATTERNS,
    chinese("day_word", DAY_WORD, _day_word),
    chinese("week", rf"{WEEK_WORD}(?![围边期年刊报密末转折身])", _week),
    chinese("day_of_week", rf"{WEEK_WORD}{WEEKDAY}", _day_of_week),
    chinese("weekend", rf"{WEEK_WORD}末", _weekend),
    chinese(
        "weekday",
        rf"(?<![0-9一二两三四五六七八九十几半多个上下本这单双隔逢每各])(?:周(?!天)|星期|礼拜){WEEKDAY}",
        _weekday,
        floating=True,
    ),
    chinese(
        "recurring_weekday",
        rf"(?:每一?个?|逢|单|双|隔)(?:周|星期|礼拜){WEEKDAY}(?:{TO}(?:周|星期|礼拜)?[一二三四五六日天])?",
        no_time,
    ),
    chinese("last_n", rf"{_PAST}{SPACE}{_COUNT}{SPACE}{_UNIT}(?:以?来|{_WITHIN})", _last),
    chinese("next_n", rf"{_NEXT}{SPACE}{_COUNT}{SPACE}{_UNIT}{_WITHIN}", _coming),
    chinese(  # 3月前 is before March, 2025年前 before that year
        "n_ago",
        rf"{_COUNT_AGO}{SPACE}(?:个(?P<counted>星期|礼拜|月|季度)|(?P<unit>天|周|星期|礼拜|年))(?:之|以)?前(?![年后])",
        _ago,
    ),
)
