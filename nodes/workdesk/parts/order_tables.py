"""The order book's tables, and the rows that a book of some days holds at the end of its last day."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from mindatlas.nodes.workdesk.parts.order_days import Order, orders_of
from mindatlas.nodes.workdesk.parts.order_world import PRIORITIES, SITES, STATUSES, TEAMS, TYPES, people

FORMAT = 2

_SCHEMA = """
CREATE TABLE sites (site_id TEXT PRIMARY KEY, site_name TEXT);
CREATE TABLE teams (team_id TEXT PRIMARY KEY, team_name TEXT, site_id TEXT);
CREATE TABLE people (person_id TEXT PRIMARY KEY, person_name TEXT, team_id TEXT);
CREATE TABLE types (type_code TEXT PRIMARY KEY, type_name TEXT);
CREATE TABLE statuses (status INTEGER PRIMARY KEY, status_name TEXT);
CREATE TABLE priorities (priority INTEGER PRIMARY KEY, priority_name TEXT);
CREATE TABLE orders (
  order_id TEXT PRIMARY KEY, title TEXT, site_id TEXT, team_id TEXT, person_id TEXT, type_code TEXT,
  status INTEGER, priority INTEGER, created_at TEXT, assigned_at TEXT, finished_at TEXT, closed_at TEXT,
  due_at TEXT, overdue INTEGER, transfer_count INTEGER, reopen_count INTEGER
);
CREATE TABLE events (order_id TEXT, at TEXT, kind TEXT, team_id TEXT, person_id TEXT, note TEXT);
CREATE TABLE remarks (order_id TEXT, at TEXT, content TEXT);
CREATE TABLE queries (query_id TEXT PRIMARY KEY, arguments TEXT);
CREATE TABLE book (until TEXT, seed INTEGER);
"""
_INDEXES = """
CREATE INDEX by_created ON orders (created_at);
CREATE INDEX by_finished ON orders (finished_at);
CREATE INDEX by_assigned ON orders (assigned_at);
CREATE INDEX events_by_order ON events (order_id);
"""


def make_book(file: Path, until: date, seed: int, days: int) -> None:
    """Write the book beside `file` and move it there when it is whole."""
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    unfinished.unlink(missing_ok=True)
    connection = sqlite3.connect(unfinished)
    try:
        connection.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_SCHEMA}")
        _fill(connection, until, seed, days)
        connection.executescript(f"{_INDEXES} PRAGMA user_version = {FORMAT};")
        connection.commit()
    except BaseException:
        connection.close()
        unfinished.unlink(missing_ok=True)
        raise
    connection.close()
    unfinished.replace(file)


def _fill(connection: sqlite3.Connection, until: date, seed: int, days: int) -> None:
    staff = people(seed)
    members = {team[0]: [one.id for one in staff if one.team_id == team[0]] for team in TEAMS}
    now = datetime.combine(until, time(23, 59, 59))
    _insert(connection, "sites", SITES)
    _insert(connection, "teams", [team[:3] for team in TEAMS])
    _insert(connection, "people", [(one.id, one.name, one.team_id) for one in staff])
    _insert(connection, "types", [(one.code, one.name) for one in TYPES])
    _insert(connection, "statuses", STATUSES)
    _insert(connection, "priorities", PRIORITIES.items())
    _insert(connection, "book", [(until.isoformat(), seed)])
    dates = [until - timedelta(days=back) for back in range(days - 1, -1, -1)]
    orders = [order for day in dates for order in orders_of(day, seed, members)]
    _insert(connection, "orders", (_row(order, now) for order in orders))
    _insert(connection, "events", (row for order in orders for row in _event_rows(order, now)))


def _insert(connection: sqlite3.Connection, table: str, rows: Any) -> None:
    listed = list(rows)
    if listed:
        marks = ", ".join("?" * len(listed[0]))
        connection.executemany(f"INSERT INTO {table} VALUES ({marks})", listed)


def _row(order: Order, now: datetime) -> tuple[Any, ...]:
    """Return the order as it stands at `now`: what lies after it has not happened."""
    team = person = assigned = finished = closed = None
    status, transfers, reopenings = 0, 0, 0
    for event in order.events:
        if event.at > now:
            break
        match event.kind:
            case "cancelled":
                status = 5
            case "assigned":
                status, team, assigned = 1, event.team_id, event.at
            case "transferred":
                team, transfers = event.team_id, transfers + 1
            case "started":
                status, person = 2, event.person_id
            case "finished":
                status, finished = 3, event.at
            case "reopened":
                status, finished, reopenings = 2, None, reopenings + 1
            case "closed":
                status, closed = 4, event.at
    overdue = int(status != 5 and (finished or now) > order.due)
    return (
        order.id, order.title, order.site_id, team, person, order.type_code, status, order.priority,
        _text(order.created), _text(assigned), _text(finished), _text(closed), _text(order.due), overdue,
        transfers, reopenings,
    )  # fmt: skip


def _event_rows(order: Order, now: datetime) -> Iterator[tuple[str, ...]]:
    for event in order.events:
        if event.at <= now:
            yield (order.id, str(_text(event.at)), event.kind, event.team_id, event.person_id, event.note)


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat(" ")  # drawn in whole seconds
