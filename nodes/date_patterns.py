"""A named pattern of a time expression, and what its match means."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mindatlas.nodes.date_ranges import Clock, DateRange, Unit
from mindatlas.nodes.numbers import parse_number

ANCHORS = ("year", "relative_year", "relative_month", "relative_week")
"""Groups that tie an expression to one place in the calendar; without any it may be the end of a range."""

Resolve = Callable[[re.Match[str], Clock], DateRange | None]


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """One kind of time expression.

    Attributes:
        name: for tests and debugging.
        regex: what it looks like, in plain text (see `dates`).
        resolve: the range it stands for; None when it but looks like a time, which hides shorter finds in it.
        floating: without one of the groups `ANCHORS` it means the occurrence nearest to the clock.
        spans: it names both ends of a range (3月到5月), so a "from" before it belongs to it.
    """

    name: str
    regex: re.Pattern[str]
    resolve: Resolve
    floating: bool = False
    spans: bool = False


def no_time(match: re.Match[str], clock: Clock) -> None:
    """Return None: the match only looks like a time."""
    del match, clock


def number(text: str) -> int:
    """Return the whole number written in digits or Chinese numerals; ValueError otherwise."""
    value = parse_number(text)
    if value is None or not value.is_integer():
        raise ValueError(f"{text!r} is no whole number")
    return int(value)


def group(match: re.Match[str], name: str) -> str | None:
    """Return the text of a named group, None when the pattern has no such group or it did not take part."""
    return match.groupdict().get(name)


def half_unit(unit: Unit) -> tuple[int, Unit]:
    """Return half a unit as whole smaller ones: half a year is 6 months, half a month 15 days."""
    halves: dict[Unit, tuple[int, Unit]] = {"year": (6, "month"), "month": (15, "day")}
    if unit not in halves:
        raise ValueError(f"half a {unit} is no number of days")
    return halves[unit]
