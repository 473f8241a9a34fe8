"""The work orders of one day, with all that happens to them later, from the day's own seed.

So a day's orders are the same in every book that holds the day, whenever it was made.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

from mindatlas.nodes.workdesk.parts.order_world import TEAMS, TYPES, OrderType, Person

A_DAY = 20.4  # orders on an average weekday; over three years that makes some 21,000
_BY_WEEKDAY = (1.12, 1.08, 1.04, 1.0, 1.06, 0.82, 0.72)
_BY_MONTH = (1.0, 0.85, 0.9, 0.92, 0.98, 1.1, 1.25, 1.22, 1.0, 0.93, 0.95, 1.05)
_BY_HOUR = (1, 1, 1, 1, 1, 2, 4, 7, 10, 11, 10, 8, 6, 8, 9, 9, 8, 7, 6, 6, 5, 4, 3, 2)

EventKind = Literal["assigned", "started", "transferred", "finished", "reopened", "closed", "cancelled"]


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something that happened to an order; `team_id` is set where the order went to a team."""

    at: datetime
    kind: EventKind
    team_id: str = ""
    person_id: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
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


def orders_of(day: date, seed: int, staff: Sequence[Person]) -> Iterator[Order]:
    """Yield the orders created on `day`, in order of time."""
    draw = random.Random(f"{seed}:{day.isoformat()}")
    expected = A_DAY * _BY_WEEKDAY[day.weekday()] * _BY_MONTH[day.month - 1]
    count = max(4, round(draw.gauss(expected, math.sqrt(expected))))
    times = sorted(_moment(day, draw) for _ in range(count))
    for number, created in enumerate(times, start=1):
        yield _order(f"WO-{day:%Y%m%d}-{number:04d}", created, draw, staff)


def _moment(day: date, draw: random.Random) -> datetime:
    (hour,) = draw.choices(range(24), _BY_HOUR)
    return datetime.combine(day, time(hour, draw.randrange(60), draw.randrange(60)))


def _order(name: str, created: datetime, draw: random.Random, staff: Sequence[Person]) -> Order:
    (kind,) = draw.choices(TYPES, [one.share for one in TYPES])
    (priority,) = draw.choices((1, 2, 3), (3, 3, 6) if kind.code == "RP" else (1, 3, 10))
    (team,) = draw.choices(TEAMS, [one[3] for one in TEAMS])
    return Order(
        id=name,
        title=draw.choice(kind.titles),
        site_id=team[2],
        type_code=kind.code,
        priority=priority,
        created=created,
        due=created + timedelta(hours=kind.due_hours[priority - 1]),
        events=tuple(_events(created, kind, priority, team[0], draw, staff)),
    )


def _events(
    created: datetime,
    kind: OrderType,
    priority: int,
    team_id: str,
    draw: random.Random,
    staff: Sequence[Person],
) -> Iterator[Event]:
    """Yield what happens to an order: 3 % are cancelled, 8 % change the team, 4 % wait, 6 % are opened again."""
    at = created + _after(draw, 1.0 * priority)
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
    members = [person.id for person in staff if person.team_id == team_id]
    at += _after(draw, 1.5 * priority)
    if draw.random() < 0.04:
        at += timedelta(days=draw.randint(5, 40))  # waits for material or for a planned outage
    yield Event(at=at, kind="started", person_id=draw.choice(members))
    at += _after(draw, kind.hours)
    yield Event(at=at, kind="finished")
    if draw.random() < 0.06:
        at += _after(draw, 20.0)
        yield Event(at=at, kind="reopened", note=draw.choice(("故障复现", "客户不满意", "资料不全")))
        at += _after(draw, kind.hours)
        yield Event(at=at, kind="finished")
    yield Event(at=at + _after(draw, 40.0), kind="closed")


def _after(draw: random.Random, median_hours: float) -> timedelta:
    """Return a delay whose logarithm is normal, as waiting and repair times are; whole seconds, at least one."""
    return timedelta(seconds=max(1, round(draw.lognormvariate(math.log(median_hours * 3600), 0.8))))
