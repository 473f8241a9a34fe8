"""The work orders of one day, with all that happens to them later, from the day's own seed.

So a day's orders are the same in every book that holds the day, whenever it was made.
"""

from __future__ import annotations

import math
import random
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import accumulate
from typing import Literal

from mindatlas.nodes.workdesk.parts.order_world import LEANS, TEAMS, TYPES, OrderType, Team

A_DAY = 20.4  # orders on an average weekday; over three years that makes some 21,000
_BY_WEEKDAY = (1.12, 1.08, 1.04, 1.0, 1.06, 0.82, 0.72)
_BY_MONTH = (1.0, 0.85, 0.9, 0.92, 0.98, 1.1, 1.25, 1.22, 1.0, 0.93, 0.95, 1.05)
_ALL_DAY = tuple(accumulate((2, 2, 1, 1, 2, 3, 5, 7, 9, 9, 8, 8, 7, 7, 8, 8, 8, 9, 9, 8, 7, 6, 4, 3)))
_OFFICE = tuple(accumulate((0, 0, 0, 0, 0, 0, 1, 4, 12, 14, 12, 8, 5, 9, 11, 11, 9, 5, 2, 1, 1, 0, 0, 0)))
_BY_TEAM = tuple(accumulate(team[3] for team in TEAMS))
_BY_TYPE = {
    team[0]: tuple(accumulate(one.share * (4 if one.code in LEANS[team[0]] else 0.5) for one in TYPES))
    for team in TEAMS
}
_MORNING, _EVENING = 8, 19

EventKind = Literal["assigned", "started", "transferred", "finished", "reopened", "closed", "cancelled"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Event:
    """Something that happened to an order; `team_id` is set where the order went to a team."""

    at: datetime
    kind: EventKind
    team_id: str = ""
    person_id: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Order:
    """An order as it was created, and its events in order of time."""

    id: str
    title: str
    site_id: str
    type_code: str
    priority: int
    created: datetime
    due: datetime
    events: tuple[Event, ...]


def orders_of(day: date, seed: int, members: Mapping[str, Sequence[str]]) -> Iterator[Order]:
    """Yield the orders created on `day`, in order of time; `members` are the ids of each team's people."""
    draw = random.Random(f"{seed}:{day.isoformat()}")
    expected = A_DAY * _BY_WEEKDAY[day.weekday()] * _BY_MONTH[day.month - 1]
    count = max(4, round(draw.gauss(expected, math.sqrt(expected))))
    begun = sorted((_begun(day, draw) for _ in range(count)), key=lambda one: one[0])
    for number, (created, team, kind) in enumerate(begun, start=1):
        yield _order(f"WO-{day:%Y%m%d}-{number:04d}", created, team, kind, draw, members)


def _begun(day: date, draw: random.Random) -> tuple[datetime, Team, OrderType]:
    """Return when an order comes, to which team, and of which type: faults come at all hours, the rest by day."""
    team = TEAMS[_drawn(_BY_TEAM, draw)]
    kind = TYPES[_drawn(_BY_TYPE[team[0]], draw)]
    hour = _drawn(_ALL_DAY if kind.code == "RP" else _OFFICE, draw)
    minute, second = divmod(int(draw.random() * 3600), 60)
    return datetime.combine(day, time(hour, minute, second)), team, kind


def _drawn(cumulative: Sequence[float], draw: random.Random) -> int:
    """Return a place drawn by its weight, the step to it in `cumulative`."""
    return bisect(cumulative, draw.random() * cumulative[-1])


def _order(
    name: str,
    created: datetime,
    team: Team,
    kind: OrderType,
    draw: random.Random,
    members: Mapping[str, Sequence[str]],
) -> Order:
    priority = 1 + _drawn((3, 6, 12) if kind.code == "RP" else (1, 4, 14), draw)
    return Order(
        id=name,
        title=draw.choice(kind.titles),
        site_id=team[2],
        type_code=kind.code,
        priority=priority,
        created=created,
        due=created + timedelta(hours=kind.due_hours[priority - 1]),
        events=tuple(_events(created, kind, priority, team[0], draw, members)),
    )


def _events(
    created: datetime,
    kind: OrderType,
    priority: int,
    team_id: str,
    draw: random.Random,
    members: Mapping[str, Sequence[str]],
) -> Iterator[Event]:
    """Yield what happens to an order: 3 % are cancelled, 8 % change the team, 6 % are opened again; some wait."""
    by_day = kind.code != "RP" and priority > 1
    at = _at_work(created + _after(draw, 1.0 * priority), by_day=by_day)
    if draw.random() < 0.02:
        at += timedelta(days=draw.randint(1, 10))  # nobody knows yet whose it is
    if draw.random() < 0.03:
        yield Event(at=at, kind="cancelled", note=draw.choice(("重复报单", "客户撤销", "信息有误")))
        return
    yield Event(at=at, kind="assigned", team_id=team_id)
    if draw.random() < 0.08:
        at += _after(draw, 1.0)
        team_id = draw.choice([one[0] for one in TEAMS if one[0] != team_id])
        yield Event(
            at=at,
            kind="transferred",
            team_id=team_id,
            note=draw.choice(("不属本班组", "人手不足", "跨站支援")),
        )
    at = _at_work(at + _after(draw, 1.5 * priority), by_day=by_day)
    if draw.random() < 0.04:
        at += timedelta(days=draw.randint(5, 40))  # waits for material or for a planned outage
    yield Event(at=at, kind="started", person_id=draw.choice(members[team_id]))
    at += _after(draw, kind.hours)
    yield Event(at=at, kind="finished")
    if draw.random() < 0.06:
        at += _after(draw, 20.0)
        yield Event(at=at, kind="reopened", note=draw.choice(("故障复现", "客户不满意", "资料不全")))
        at += _after(draw, kind.hours)
        yield Event(at=at, kind="finished")
    yield Event(at=at + _after(draw, 40.0), kind="closed")


def _at_work(at: datetime, *, by_day: bool) -> datetime:
    """Return the moment, or where it falls into the night and can wait, the same minute of the next morning's hour."""
    if not by_day or _MORNING <= at.hour < _EVENING:
        return at
    return at.replace(hour=_MORNING) + timedelta(days=at.hour >= _EVENING)


def _after(draw: random.Random, median_hours: float) -> timedelta:
    """Return a delay whose logarithm is normal, as waiting and repair times are; whole seconds, at least one."""
    return timedelta(seconds=max(1, int(median_hours * 3600 * math.exp(draw.gauss(0, 0.8)))))
