"""Calendar arithmetic: days, weeks, months, quarters, halves and years as ranges, counted from a given today.

All functions raise ValueError or OverflowError for what the calendar does not have.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

Grain = Literal["day", "week", "month", "quarter", "half", "year"]
Unit = Literal["day", "week", "month", "quarter", "year"]

_FINEST_FIRST: tuple[Grain, ...] = get_args(Grain)
_MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "year": 12}


@dataclass(frozen=True, kw_only=True)
class DateRange:
    """Days from `start` to `end`, both included; `grain` is the unit that the text speaks of."""

    start: date
    end: date
    grain: Grain

    def __post_init__(self) -> None:
        if self.start > self.end:
            raise ValueError(f"{self.start} is after {self.end}")


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What an expression is resolved against.

    Attributes:
        today: the current day.
        since: the first day of the range whose end the expression is; None outside of ranges.
    """

    today: date
    since: date | None = None

    @property
    def anchor(self) -> date:
        """The day from which to look for the occurrence that is meant."""
        return self.since or self.today


def day(start: date) -> DateRange:
    """Return the range of one day."""
    return DateRange(start=start, end=start, grain="day")


def week(inside: date) -> DateRange:
    """Return the week, Monday to Sunday, that holds the day `inside`."""
    monday = inside - timedelta(days=inside.weekday())
    return DateRange(start=monday, end=monday + timedelta(days=6), grain="week")


def month(year: int, number: int) -> DateRange:
    """Return a month; `number` is 1 to 12."""
    return _months(year, number, 1, "month")


def quarter(year: int, number: int) -> DateRange:
    """Return a quarter of the calendar year; `number` is 1 to 4."""
    return _months(year, number * 3 - 2, 3, "quarter")


def half(year: int, number: int) -> DateRange:
    """Return a half of the calendar year; `number` is 1 or 2."""
    return _months(year, number * 6 - 5, 6, "half")


def year(number: int) -> DateRange:
    """Return a calendar year."""
    return _months(number, 1, 12, "year")


def _months(year: int, first: int, count: int, grain: Grain) -> DateRange:
    last = first + count - 1
    return DateRange(start=date(year, first, 1), end=date(year, last, monthrange(year, last)[1]), grain=grain)


def add_months(start: date, count: int) -> date:
    """Return the same day `count` months later (earlier if negative), or the last day of a shorter month."""
    years, index = divmod(start.month - 1 + count, 12)
    last = monthrange(start.year + years, index + 1)[1]
    return date(start.year + years, index + 1, min(start.day, last))


def current(unit: Unit, offset: int, today: date) -> DateRange:
    """Return the calendar unit that holds today, moved by `offset` units (-1 is the last one)."""
    if unit == "day":
        return day(today + timedelta(days=offset))
    if unit == "week":
        return week(today + timedelta(weeks=offset))
    moved = add_months(today.replace(day=1), offset * _MONTHS[unit])
    if unit == "month":
        return month(moved.year, moved.month)
    return quarter(moved.year, (moved.month + 2) // 3) if unit == "quarter" else year(moved.year)


def last(count: int, unit: Unit, today: date) -> DateRange:
    """Return the last `count` units including today: the last 7 days are today and the six before it."""
    return DateRange(start=_move(today, -count, unit) + timedelta(days=1), end=today, grain=unit)


def coming(count: int, unit: Unit, today: date) -> DateRange:
    """Return the next `count` units, from tomorrow on."""
    return DateRange(start=today + timedelta(days=1), end=_move(today, count, unit), grain=unit)


def _move(start: date, count: int, unit: Unit) -> date:
    if unit in _MONTHS:
        return add_months(start, count * _MONTHS[unit])
    return start + timedelta(days=count * (7 if unit == "week" else 1))


def in_year(make: Callable[[int], DateRange], clock: Clock) -> DateRange | None:
    """Return `make(year)` for the year that an expression without one means, see `nearest`."""
    return nearest(make, clock.anchor.year, clock)


def in_month(number: int, clock: Clock) -> DateRange | None:
    """Return the day `number` of the month that an expression without one means, see `nearest`."""

    def make(index: int) -> DateRange:
        return day(date(index // 12, index % 12 + 1, number))

    return nearest(make, clock.anchor.year * 12 + clock.anchor.month - 1, clock)


def in_week(weekday: int, clock: Clock) -> DateRange | None:
    """Return the weekday (0 is Monday) of the week that an expression without one means, see `nearest`."""

    def make(index: int) -> DateRange:
        return day(date.fromordinal(index * 7 + 1 + weekday))  # 0001-01-01, day 1, is a Monday

    return nearest(make, (clock.anchor.toordinal() - 1) // 7, clock)


def nearest(make: Callable[[int], DateRange], index: int, clock: Clock) -> DateRange | None:
    """Return the latest `make(index - n)` begun by today or, at a range's end, the first `make(index + n)`.

    Occurrences that the calendar does not have (29 February, the 31st) are passed over; None when there is
    none within nine.
    """
    step = 1 if clock.since else -1
    for candidate in range(index, index + 9 * step, step):
        try:
            found = make(candidate)
        except (ValueError, OverflowError):
            continue
        if found.end >= clock.since if clock.since else found.start <= clock.today:
            return found
    return None


def finer(one: Grain, other: Grain) -> Grain:
    """Return the smaller of two units."""
    return one if _FINEST_FIRST.index(one) <= _FINEST_FIRST.index(other) else other
