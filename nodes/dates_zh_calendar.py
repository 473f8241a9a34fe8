"""Chinese expressions for dates, months, quarters, halves, years and feasts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date

from mindatlas.nodes.date_patterns import group, no_time, number
from mindatlas.nodes.date_ranges import Clock, DateRange, day, half, in_month, in_year, month, quarter, year
from mindatlas.nodes.dates_zh_words import (
    DAY_COUNT,
    DAY_NUMBER,
    FEAST,
    FEASTS,
    LUNAR_DAY,
    MONTH,
    MONTH_WORD,
    MOVING_FEAST,
    NUMBER,
    NUMBER_START,
    QUARTER_WORD,
    SPACE,
    TO,
    YEAR,
    YEAR_DIGITS,
    YEAR_IF_ANY,
    chinese,
    unit_of,
    year_of,
)

_SOME_MONTH = rf"(?:{YEAR_IF_ANY}{MONTH}|{MONTH_WORD})的?"
_DAY = rf"(?P<day>{NUMBER}){SPACE}"
_LAST_DAY = rf"(?P<last_day>{NUMBER}){SPACE}"
_BARE_DAY = (
    rf"{NUMBER_START}(?<![A-Za-z#月近这那连共达历满隔有去余])"
    r"(?<!长征)(?<!神舟)(?<!天舟)(?<!天宫)(?<!天问)(?<!嫦娥)"  # the rockets and ships of Wenchang
)
_PART = r"(?P<part>初|底|末(?![班尾])|[上中下]旬|[上下]半月)(?![一二三四五六七八九十])"
_PARTS = {
    **{"初": (1, 10), "上旬": (1, 10), "中旬": (11, 20), "下旬": (21, 31), "底": (21, 31), "末": (21, 31)},
    **{"上半月": (1, 15), "下半月": (16, 31)},
}
_YEAR_AFTER = r"(?P<year_after>次年|翌年|第二年|来年)?"
_NO_WORD = r"(?<![0-9每几个一二三四五六七八九十年月岁少青中老童成当大同是该次])"
_HOLIDAYS = r"(?:小长假|长假|黄金周|假期|放假)"


def _in_its_year(match: re.Match[str], clock: Clock, make: Callable[[int], DateRange]) -> DateRange | None:
    """Return `make(year)` for the year in the match, else for the one that is meant without."""
    named = year_of(match, clock)
    return in_year(make, clock) if named is None else make(named)


def _years(match: re.Match[str], clock: Clock) -> DateRange:
    del clock
    return DateRange(
        start=date(int(match["first"]), 1, 1), end=date(int(match["final"]), 12, 31), grain="year"
    )


def _year(match: re.Match[str], clock: Clock) -> DateRange | None:
    """Return the year; a number below 1900 without a month is as often a count of years."""
    named = year_of(match, clock)
    return year(named) if named and named >= 1900 else None


def _part_of_year(match: re.Match[str], clock: Clock) -> DateRange:
    named = year_of(match, clock) or clock.today.year
    return month(named, 1 if match["part"] == "初" else 12)


def _half(match: re.Match[str], clock: Clock) -> DateRange | None:
    which = 1 if match["half"] in "上1" else 2
    return _in_its_year(match, clock, lambda named: half(named, which))


def _quarter(match: re.Match[str], clock: Clock) -> DateRange | None:
    which = number(match["quarter"])
    return _in_its_year(match, clock, lambda named: quarter(named, which))


def _first_quarters(match: re.Match[str], clock: Clock) -> DateRange | None:
    which = number(match["quarter"])
    return _in_its_year(match, clock, lambda named: replace(quarter(named, which), start=date(named, 1, 1)))


def _relative_quarter(match: re.Match[str], clock: Clock) -> DateRange:
    return unit_of(match, "quarter", clock)


def _month(match: re.Match[str], clock: Clock) -> DateRange | None:
    if group(match, "relative_month"):
        return unit_of(match, "month", clock)
    which = number(match["month"])
    return _in_its_year(match, clock, lambda named: month(named, which))


def _months(match: re.Match[str], clock: Clock) -> DateRange | None:
    first, which = _month(match, clock), number(match["last_month"])
    if first is None:
        return None
    since = date(first.start.year + 1, 1, 1) if match["year_after"] else first.start
    final = in_year(lambda named: month(named, which), replace(clock, since=since))
    return DateRange(start=first.start, end=final.end, grain="month") if final else None


def _part_of_month(match: re.Match[str], clock: Clock) -> DateRange | None:
    named = (
        _month(match, clock) if "month" in match.groupdict() else month(clock.today.year, clock.today.month)
    )
    first, final = _PARTS[match["part"]]
    if named is None:
        return None
    end = named.end if final == 31 else named.start.replace(day=final)
    return DateRange(start=named.start.replace(day=first), end=end, grain="day")


def _day(match: re.Match[str], clock: Clock) -> DateRange | None:
    which = number(match["day"])
    if group(match, "relative_month"):
        return day(unit_of(match, "month", clock).start.replace(day=which))
    if not group(match, "month"):
        return in_month(which, clock)
    named = number(match["month"])
    return _in_its_year(match, clock, lambda found: day(date(found, named, which)))


def _days(match: re.Match[str], clock: Clock) -> DateRange | None:
    first, which = _day(match, clock), number(match["last_day"])
    if first is None:
        return None
    if group(match, "month") or group(match, "relative_month"):
        return replace(first, end=first.start.replace(day=which))
    final = in_month(which, replace(clock, since=first.start))
    return replace(first, end=final.end) if final else None


def _feast(match: re.Match[str], clock: Clock) -> DateRange | None:
    which = FEASTS[match["feast"]]
    return _in_its_year(match, clock, lambda named: day(date(named, *which)))


def _golden_week(match: re.Match[str], clock: Clock) -> DateRange | None:
    return _in_its_year(
        match, clock, lambda named: DateRange(start=date(named, 10, 1), end=date(named, 10, 7), grain="day")
    )


_QUARTER = r"(?:第|(?<![0-9.一二三四第前近过每]))(?P<quarter>[一二三四1-4])季度"

PATTERNS = (
    chinese(
        "years",
        rf"(?<![0-9])(?P<first>{YEAR_DIGITS}){SPACE}年?{TO}(?P<final>{YEAR_DIGITS}){SPACE}年",
        _years,
        spans=True,
    ),
    chinese("year", YEAR, _year),
    chinese(
        "part_of_year", rf"{YEAR}的?年?(?P<part>初|底|末(?![班尾]))(?![一二三四五六七八九十])", _part_of_year
    ),
    chinese("part_of_this_year", rf"{_NO_WORD}年(?P<part>初|底|末)(?![一二三四五六七八九十])", _part_of_year),
    chinese("half", rf"{YEAR_IF_ANY}(?<!以)(?P<half>[上下])半年", _half, floating=True),
    chinese("half_in_letters", rf"{YEAR}{SPACE}H(?P<half>[12])(?![0-9A-Za-z])", _half),
    chinese("quarter", rf"{YEAR_IF_ANY}{_QUARTER}", _quarter, floating=True),
    chinese("quarter_in_letters", rf"{YEAR}{SPACE}[Qq](?P<quarter>[1-4])(?![0-9A-Za-z])", _quarter),
    chinese(
        "first_quarters", rf"{YEAR_IF_ANY}前(?P<quarter>[二两三23])个?季度", _first_quarters, floating=True
    ),
    chinese("relative_quarter", QUARTER_WORD, _relative_quarter),
    chinese(
        "months",
        rf"{YEAR_IF_ANY}{NUMBER_START}(?P<month>{NUMBER}){SPACE}(?:月份?)?{TO}{_YEAR_AFTER}(?P<last_month>{NUMBER}){SPACE}月份?"
        rf"(?!{SPACE}{NUMBER}{SPACE}[日号]|[初底末]|[上中下]旬)",
        _months,
        spans=True,
    ),
    chinese("month", rf"{YEAR_IF_ANY}{MONTH}", _month, floating=True),
    chinese("relative_month", MONTH_WORD, _month),
    chinese("part_of_month", rf"{_SOME_MONTH}月?{_PART}", _part_of_month, floating=True),
    chinese(
        "part_of_this_month", rf"{_NO_WORD}月(?P<part>初|底|末)(?![一二三四五六七八九十])", _part_of_month
    ),
    chinese("date", rf"{_SOME_MONTH}{SPACE}{_DAY}[日号]", _day, floating=True),
    chinese("day", rf"{_BARE_DAY}(?:{_DAY}号{DAY_NUMBER})", _day, floating=True),
    chinese("day_in_digits", rf"{_BARE_DAY}(?P<day>[0-9]{{1,2}}){SPACE}日{DAY_COUNT}", _day, floating=True),
    chinese("days_of_month", rf"{_SOME_MONTH}{SPACE}{_DAY}[日号]?{TO}{_LAST_DAY}[日号]", _days, spans=True),
    chinese("days", rf"{_BARE_DAY}{_DAY}号?{TO}{_LAST_DAY}号{DAY_NUMBER}", _days, spans=True),
    chinese(
        "golden_week",
        rf"{YEAR_IF_ANY}(?:国庆节?|(?<![0-9第二三四五六七八九双])十一){_HOLIDAYS}",
        _golden_week,
        floating=True,
    ),
    chinese("feast", rf"{YEAR_IF_ANY}{FEAST}", _feast, floating=True),
    chinese("holidays", rf"{YEAR_IF_ANY}{FEAST}的?{_HOLIDAYS}", no_time),  # their length changes by year
    chinese("moving_feast", rf"{YEAR}的?{MOVING_FEAST}", no_time),
    chinese("same_time_of_year", rf"{YEAR}的?(?:同期|今[天日]|同[月日]|此时|这个?时[候间])", no_time),
    chinese("lunar_day", LUNAR_DAY, no_time),
    chinese("recurring_day", rf"每(?:年的?{NUMBER}月份?|个?月的?)(?:{NUMBER}[日号])?", no_time),
    chinese("recurring_part", r"每个?[年月](?:年|月)?[初底末]", no_time),
)
