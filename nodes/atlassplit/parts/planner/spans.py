"""Stretches of time as calendar units."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from mindatlas.nodes.atlassplit.parts.planner.conditions import During
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Unit

_MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "year": 12}


def are_whole(start: date | None, end: date | None, unit: Unit) -> bool:
    """Return whether both ends, where they are given, are ends of calendar units."""
    after = None if end is None else end + timedelta(days=1)
    return all(_begins(day, unit) for day in (start, after) if day is not None)


def unit_of(spans: Sequence[During]) -> Unit | None:
    """Return the calendar unit that each of the stretches is exactly one of, None when there is none."""
    units: tuple[Unit, ...] = ("year", "quarter", "month", "day")
    return next((unit for unit in units if spans and all(_is_one(span, unit) for span in spans)), None)


def _begins(day: date, unit: Unit) -> bool:
    if unit == "day":
        return True
    if unit == "week":
        return day.weekday() == 0
    return day.day == 1 and (day.month - 1) % _MONTHS[unit] == 0


def _is_one(span: During, unit: Unit) -> bool:
    if span.start is None or span.end is None or not are_whole(span.start, span.end, unit):
        return False
    if unit == "day":
        return span.start == span.end
    months = (span.end.year - span.start.year) * 12 + span.end.month - span.start.month + 1
    return months == _MONTHS[unit]
