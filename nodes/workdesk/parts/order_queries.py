"""What the order server answers, as SQL over the book; each function takes the arguments of one tool."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any

_TIME = {1: "created_at", 2: "finished_at", 3: "assigned_at"}
_GROUPS = {
    "team": ("o.team_id", "(SELECT team_name FROM teams t WHERE t.team_id = o.team_id)"),
    "site": ("o.site_id", "(SELECT site_name FROM sites s WHERE s.site_id = o.site_id)"),
    "person": ("o.person_id", "(SELECT person_name FROM people p WHERE p.person_id = o.person_id)"),
    "type": ("o.type_code", "(SELECT type_name FROM types y WHERE y.type_code = o.type_code)"),
    "status": ("o.status", "(SELECT status_name FROM statuses u WHERE u.status = o.status)"),
    "priority": ("o.priority", "(SELECT priority_name FROM priorities r WHERE r.priority = o.priority)"),
    "day": ("substr({time}, 1, 10)", "substr({time}, 1, 10)"),
    "week": ("date({time}, 'weekday 0', '-6 days')", "date({time}, 'weekday 0', '-6 days')"),  # its Monday
    "month": ("substr({time}, 1, 7)", "substr({time}, 1, 7)"),
    "none": ("''", "''"),
}
_SORTS = {"created": "created_at", "finished": "finished_at", "due": "due_at", "priority": "priority"}
_TEXTS = ("team_id", "site_id", "person_id", "type_code")
_NUMBERS = ("status", "priority", "overdue")
_LARGEST = 10**9
_COLUMNS = (
    "order_id, title, site_id, team_id, person_id, type_code, status, priority, created_at, assigned_at, "
    "finished_at, due_at, overdue"
)


class ToolError(Exception):
    """A call that the server turns down, with the code that it answers."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def statistics(book: sqlite3.Connection, args: Mapping[str, Any]) -> dict[str, Any]:
    """Return the orders of a time range counted by one dimension, sorted by key."""
    group = str(_given(args, "group_by") or "none")
    if group not in _GROUPS:
        raise ToolError(4002, f"invalid group_by: {group}")
    time = _time_column(args)
    key, name = (column.format(time=f"o.{time}") for column in _GROUPS[group])
    where, values = _filters(args, time)
    rows = book.execute(
        f"SELECT coalesce({key}, '') AS key, coalesce({name}, '') AS name, count(*) AS cnt FROM orders o "
        f"WHERE {where} GROUP BY 1, 2 ORDER BY 1",
        values,
    )
    listed = [{**dict(row), "key": str(row["key"])} for row in rows]
    return {"list": listed, "total": len(listed)}


def listing(book: sqlite3.Connection, args: Mapping[str, Any]) -> dict[str, Any]:
    """Return one page of the orders of a time range, and how many there are."""
    time = _time_column(args)
    where, values = _filters(args, time)
    if keyword := _given(args, "keyword"):
        where, values = f"{where} AND instr(o.title, ?)", [*values, str(keyword)]
    number, size = _page(args)
    order = _sorted(str(_given(args, "sort_by") or "created"))
    total = book.execute(f"SELECT count(*) FROM orders o WHERE {where}", values).fetchone()[0]
    rows = book.execute(
        f"SELECT {_COLUMNS} FROM orders o WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?",
        [*values, size, (number - 1) * size],
    )
    return {"list": [dict(row) for row in rows], "total": total, "page_no": number, "page_size": size}


def record(book: sqlite3.Connection, args: Mapping[str, Any]) -> dict[str, Any]:
    """Return one order with its history."""
    name = str(_given(args, "order_id") or "")
    row = book.execute("SELECT * FROM orders WHERE order_id = ?", [name]).fetchone()
    if row is None:
        raise ToolError(4004, f"order not found: {name}")
    events = book.execute(
        "SELECT at, kind, team_id, person_id, note FROM events WHERE order_id = ? ORDER BY at, rowid", [name]
    )
    remarks = book.execute("SELECT at, content FROM remarks WHERE order_id = ? ORDER BY rowid", [name])
    return {
        **dict(row),
        "history": [dict(event) for event in events],
        "remarks": [dict(one) for one in remarks],
    }


def directory(book: sqlite3.Connection, args: Mapping[str, Any], table: str, name: str) -> dict[str, Any]:
    """Return one page of a directory table whose column `name` holds the keyword."""
    keyword, team = str(_given(args, "keyword") or ""), _given(args, "team_id")
    where, values = f"instr({name}, ?)", [keyword]
    if table == "people" and team is not None:
        where, values = f"{where} AND team_id = ?", [*values, str(team)]
    number, size = _page(args)
    total = book.execute(f"SELECT count(*) FROM {table} WHERE {where}", values).fetchone()[0]
    rows = book.execute(
        f"SELECT * FROM {table} WHERE {where} ORDER BY 1 LIMIT ? OFFSET ?",
        [*values, size, (number - 1) * size],
    )
    return {"list": [dict(row) for row in rows], "total": total, "page_no": number, "page_size": size}


def codes(book: sqlite3.Connection, table: str) -> dict[str, Any]:
    """Return a code table whole."""
    listed = [dict(row) for row in book.execute(f"SELECT * FROM {table} ORDER BY 1")]
    return {"list": listed, "total": len(listed)}


def remark(book: sqlite3.Connection, args: Mapping[str, Any], at: datetime) -> dict[str, Any]:
    """Add a remark to an order and return it; the only thing that changes the book."""
    name, content = str(_given(args, "order_id") or ""), str(_given(args, "content") or "")
    if not content:
        raise ToolError(4002, "content required")
    if book.execute("SELECT 1 FROM orders WHERE order_id = ?", [name]).fetchone() is None:
        raise ToolError(4004, f"order not found: {name}")
    with book:
        book.execute(
            "INSERT INTO remarks VALUES (?, ?, ?)", [name, at.strftime("%Y-%m-%d %H:%M:%S"), content]
        )
    count = book.execute("SELECT count(*) FROM remarks WHERE order_id = ?", [name]).fetchone()[0]
    return {"order_id": name, "content": content, "remark_count": count}


def _given(args: Mapping[str, Any], name: str) -> Any:
    value = args.get(name)
    return None if value in ("", None) else value


def _whole(args: Mapping[str, Any], name: str) -> int | None:
    value = _given(args, name)
    if value is None:
        return None
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal():
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _LARGEST:
        raise ToolError(4002, f"invalid {name}: {value}")
    return value


def _time_column(args: Mapping[str, Any]) -> str:
    kind = _whole(args, "time_type")
    if kind is None:
        return _TIME[1]
    if kind not in _TIME:
        raise ToolError(4002, f"invalid time_type: {kind}")
    return _TIME[kind]


def _filters(args: Mapping[str, Any], time: str) -> tuple[str, list[Any]]:
    """Return a WHERE clause and its values; without a time range the call is turned down."""
    start, end = _moment(args, "start_time"), _moment(args, "end_time")
    where, values = [f"o.{time} BETWEEN ? AND ?"], [start, end]
    for name in _TEXTS:
        if (text := _given(args, name)) is not None:
            where.append(f"o.{name} = ?")
            values.append(str(text))
    for name in _NUMBERS:
        if (number := _whole(args, name)) is not None:
            where.append(f"o.{name} = ?")
            values.append(str(number))
    return " AND ".join(where), list(values)


def _moment(args: Mapping[str, Any], name: str) -> str:
    value = _given(args, name)
    if value is None:
        raise ToolError(4001, f"{name} required")
    try:
        return datetime.strptime(str(value), "%Y-%m-%d %H:%M:%S").strftime("%Y-%m-%d %H:%M:%S")  # noqa: DTZ007  local
    except ValueError as error:
        raise ToolError(4003, f"invalid {name}: {value}") from error


def _page(args: Mapping[str, Any]) -> tuple[int, int]:
    given = _whole(args, "page_no"), _whole(args, "page_size")
    number, size = 1 if given[0] is None else given[0], 20 if given[1] is None else given[1]
    if not (number >= 1 and 1 <= size <= 100):
        raise ToolError(4002, "invalid page")
    return number, size


def _sorted(by: str) -> str:
    name, direction = (by[1:], "DESC") if by.startswith("-") else (by, "ASC")
    if name not in _SORTS:
        raise ToolError(4002, f"invalid sort_by: {by}")
    return f"o.{_SORTS[name]} {direction} NULLS LAST, o.order_id {direction}"
