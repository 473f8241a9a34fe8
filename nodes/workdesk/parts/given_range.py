"""The days that a call's two time arguments stand for, as a model wrote them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.asked_times import Days
from mindatlas.nodes.workdesk.parts.parameters import Parameter
from mindatlas.nodes.workdesk.parts.time_values import (
    days_of_words,
    is_written,
    read_time,
    time_form,
    write_time,
)

_HOURS = re.compile(
    r"上午|下午|[早晚]上|今[早晚]|昨晚|夜|凌晨|中午|傍晚|[点时](?:整|半|到|至|前|后|之|以)|\d[点时:]|小时|分钟|班次"
    r"|morning|afternoon|evening|night|noon|\bhours?\b|o'clock|\d\s*[ap]\.?m\b"
)


def read_ends(values: Sequence[Any], parameters: Sequence[Parameter], today: date) -> list[datetime | None]:
    """Return the moments of both ends; None for an end that was not given or names no time.

    An end in words (上个月) is the first moment of its days at the start of a range, and the last at its end.
    """
    return [
        read_time(value, time_form(parameter)) or _of_words(value, today, last=bool(last))
        for last, (value, parameter) in enumerate(zip(values, parameters, strict=True))
    ]


def _of_words(value: Any, today: date, *, last: bool) -> datetime | None:
    days = days_of_words(value, today)
    return datetime.combine(days[last], time.max if last else time.min) if days else None


def days_between(first: datetime, last: datetime, written_end: Any, asked: Collection[Days]) -> Days:
    """Return the days from `first` to `last`, both included.

    An end at midnight means the day before where that is what was asked for, or where a clock time is written and
    the day itself was not asked for.
    """
    if last.time() == first.time() == time.min and last > first:
        day_only = isinstance(written_end, str) and ":" not in written_end
        before = (first.date(), last.date() - timedelta(days=1))
        if before in asked or (not day_only and (first.date(), last.date()) not in asked):
            return before
    return (first.date(), last.date())


def in_form(value: Any, parameter: Parameter, day: date, *, last: bool, question: str, today: date) -> Any:
    """Return a range's end in the parameter's form: as it is where it already is, otherwise the whole day's.

    A range that ends within a day leaves the rest of that day out, which is meant only where the question speaks
    of hours; the rest of today has not happened yet.
    """
    form = time_form(parameter)
    whole = write_time(day, form, last=last)
    if not is_written(value, form):
        return whole
    cuts = last and isinstance(value, str) and value != whole and ":" in value and day != today
    return whole if cuts and not _HOURS.search(fold(question)) else value
