"""Times as a tool's parameter writes them: read from what a model wrote, written for a day's first or last second."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Any, Literal

from mindatlas.nodes.dates import find_dates
from mindatlas.nodes.workdesk.parts.parameters import Parameter

TimeForm = Literal["seconds", "iso", "minutes", "date", "compact_date", "month", "epoch", "epoch_ms"]

_WRITTEN = re.compile(
    r"\s*(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?)?"
    r"\s*(?:Z|[+-]\d{2}:?\d{2})?\s*"
)
_COMPACT = re.compile(r"\s*((?:19|20)\d{2})(\d{2})(\d{2})\s*")
_LAST = time(23, 59, 59)
_FORMS: dict[TimeForm, str] = {
    "seconds": "%Y-%m-%d %H:%M:%S",
    "iso": "%Y-%m-%dT%H:%M:%S",
    "minutes": "%Y-%m-%d %H:%M",
    "date": "%Y-%m-%d",
    "compact_date": "%Y%m%d",
    "month": "%Y-%m",
}


def time_form(parameter: Parameter) -> TimeForm:
    """Return how a parameter writes times: by its type, its description, its name; with seconds if nothing says."""
    said = f"{parameter.text} {parameter.schema.get('pattern', '')}".casefold()
    if "string" not in parameter.types:
        return "epoch_ms" if re.search(r"milli|毫秒|\bms\b", said) else "epoch"
    for form, pattern in (
        ("iso", r"yyyy-mm-ddthh|iso.?8601|rfc.?3339|date-time"),
        ("seconds", r"hh:mm:ss|hh:mi:ss|%h:%m:%s|\d:\d\d:\d\d"),
        ("minutes", r"hh:mm|%h:%m"),
        ("compact_date", r"yyyymmdd|%y%m%d"),
        ("date", r"yyyy-mm-dd|%y-%m-%d|\bdate\b"),
        ("month", r"yyyy-mm"),
    ):
        if re.search(pattern, said):
            return form  # type: ignore[return-value]
    return (
        "date"
        if re.search(r"date|day", parameter.name, re.IGNORECASE) and "time" not in parameter.name
        else "seconds"
    )


def write_time(day: date, form: TimeForm, *, last: bool) -> Any:
    """Return the first second of a day, or its last one, in a form."""
    moment = datetime.combine(day, _LAST if last else time.min)
    if form in _FORMS:
        return moment.strftime(_FORMS[form])
    seconds = int((moment - datetime(1970, 1, 1)).total_seconds())  # noqa: DTZ001  the server's clock is meant
    return seconds * 1000 + (999 if last else 0) if form == "epoch_ms" else seconds


def read_time(value: Any, form: TimeForm) -> datetime | None:
    """Return the moment that a value names, at midnight where it names a day only; None for no moment."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _of_number(value, form)
    if not isinstance(value, str):
        return None
    match = _WRITTEN.fullmatch(value) or _COMPACT.fullmatch(value)
    try:
        return datetime(*(int(part) for part in match.groups() if part)) if match else None  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None


def _of_number(value: float, form: TimeForm) -> datetime | None:
    if form not in {"epoch", "epoch_ms"}:
        return None
    try:
        return datetime(1970, 1, 1) + timedelta(seconds=value / (1000 if form == "epoch_ms" else 1))  # noqa: DTZ001
    except OverflowError:
        return None


def days_of_words(value: Any, today: date) -> tuple[date, date] | None:
    """Return the days that a time expression such as 上个月 stands for, None when it is none."""
    mentions = find_dates(value, today) if isinstance(value, str) else []
    return (mentions[0].range.start, mentions[0].range.end) if len(mentions) == 1 else None


def is_written(value: Any, form: TimeForm) -> bool:
    """Return whether a value stands in the parameter's own form."""
    if form not in _FORMS:
        return isinstance(value, int) and not isinstance(value, bool)
    try:
        return bool(datetime.strptime(value, _FORMS[form]).strftime(_FORMS[form]) == value)  # noqa: DTZ007
    except (TypeError, ValueError):
        return False
