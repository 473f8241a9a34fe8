"""The order book and what its server answers, against SQL and against the events themselves."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.errors import StoreError
from mindatlas.nodes.workdesk.parts.order_book import book_path, last_day, open_book
from mindatlas.nodes.workdesk.parts.order_server import TOOLS
from mindatlas.nodes.workdesk.parts.order_service import OrderService
from mindatlas.nodes.workdesk.parts.order_world import TEAMS, people

UNTIL = date(2026, 3, 31)
MARCH = {"start_time": "2026-03-01 00:00:00", "end_time": "2026-03-31 23:59:59"}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    connection = open_book(tmp_path_factory.mktemp("book") / "book.sqlite", until=UNTIL, days=120)
    yield connection
    connection.close()


@pytest.fixture
def service(book: sqlite3.Connection, tmp_path: Path) -> OrderService:
    return OrderService(book, tmp_path / "exports")


def count(book: sqlite3.Connection, where: str, *values: object) -> int:
    found: int = book.execute(f"SELECT count(*) FROM orders WHERE {where}", values).fetchone()[0]
    return found


def data(reply: dict[str, Any]) -> dict[str, Any]:
    assert reply["code"] == 0, reply
    found: dict[str, Any] = reply["data"]
    return found


@pytest.mark.slow
def test_the_whole_book_is_large(home: Path) -> None:
    connection = open_book(until=UNTIL)
    assert count(connection, "1") >= 20_000
    connection.close()
    assert book_path(UNTIL).exists()


def test_a_day_is_the_same_in_every_book(book: sqlite3.Connection, tmp_path: Path) -> None:
    later = open_book(tmp_path / "later.sqlite", until=date(2026, 4, 2), days=60)
    columns = "order_id, title, site_id, type_code, priority, created_at, due_at"
    query = f"SELECT {columns} FROM orders WHERE created_at LIKE '2026-03-2%' ORDER BY 1"
    assert [tuple(row) for row in later.execute(query)] == [tuple(row) for row in book.execute(query)]
    later.close()


def test_nothing_has_happened_after_the_last_day(book: sqlite3.Connection) -> None:
    for column in ("created_at", "assigned_at", "finished_at", "closed_at"):
        assert count(book, f"{column} > '2026-03-31 23:59:59'") == 0
    assert book.execute("SELECT count(*) FROM events WHERE at > '2026-03-31 23:59:59'").fetchone()[0] == 0


def test_each_status_agrees_with_its_times(book: sqlite3.Connection) -> None:
    assert {row[0] for row in book.execute("SELECT DISTINCT status FROM orders")} >= {1, 2, 3, 4, 5}
    assert count(book, "status IN (3, 4) AND finished_at IS NULL") == 0
    assert count(book, "status IN (0, 1, 2, 5) AND finished_at IS NOT NULL") == 0
    assert count(book, "status = 0 AND team_id IS NOT NULL") == 0
    assert count(book, "finished_at < assigned_at OR assigned_at < created_at") == 0
    assert count(book, "overdue = 1 AND finished_at <= due_at") == 0


def test_the_company_has_the_names_that_make_trouble() -> None:
    names = [name for _, name, *_ in TEAMS]
    assert len(set(names)) < len(names)
    assert any(one != other and one in other for one in names for other in names)
    staff = [one.name for one in people(1)]
    assert len(set(staff)) < len(staff)


@pytest.mark.parametrize(
    "group", ["team", "site", "person", "type", "status", "priority", "day", "week", "month", "none"]
)
@pytest.mark.parametrize(("kind", "column"), [(1, "created_at"), (2, "finished_at"), (3, "assigned_at")])
def test_counts_by_group_add_up_to_sql(
    book: sqlite3.Connection, service: OrderService, group: str, kind: int, column: str
) -> None:
    rows = data(service.answer("order_stat", {"group_by": group, "time_type": kind, **MARCH}))["list"]
    total = count(book, f"{column} BETWEEN ? AND ?", *MARCH.values())
    assert (sum(row["cnt"] for row in rows), [row["key"] for row in rows]) == (
        total,
        sorted(row["key"] for row in rows),
    )


@pytest.mark.parametrize(
    ("args", "where"),
    [
        ({"team_id": "T-017"}, "team_id = 'T-017'"),
        ({"site_id": "S-02", "priority": 1}, "site_id = 'S-02' AND priority = 1"),
        ({"type_code": "RP", "overdue": 1}, "type_code = 'RP' AND overdue = 1"),
        ({"status": 0}, "status = 0"),
        ({"status": "0"}, "status = 0"),
        ({"priority": 2.0}, "priority = 2"),
        ({"overdue": 0, "team_id": ""}, "overdue = 0"),
        ({"status": None, "person_id": "null"}, "person_id = 'null'"),
    ],
)
def test_filters(book: sqlite3.Connection, service: OrderService, args: dict[str, Any], where: str) -> None:
    rows = data(service.answer("order_stat", {"group_by": "none", **MARCH, **args}))["list"]
    expected = count(book, f"created_at BETWEEN ? AND ? AND {where}", *MARCH.values())
    assert sum(row["cnt"] for row in rows) == expected


@pytest.mark.parametrize(
    ("tool", "args", "code"),
    [
        ("order_stat", {}, 4001),
        ("order_stat", {"start_time": "2026-03-01 00:00:00"}, 4001),
        ("order_list", {"start_time": "", "end_time": ""}, 4001),
        ("order_stat", {**MARCH, "group_by": "colour"}, 4002),
        ("order_stat", {**MARCH, "start_time": "上个月"}, 4003),
        ("order_stat", {**MARCH, "time_type": 0}, 4002),
        ("order_stat", {**MARCH, "status": 1.5}, 4002),
        ("order_stat", {**MARCH, "status": True}, 4002),
        ("order_stat", {**MARCH, "status": [1]}, 4002),
        ("order_list", {**MARCH, "page_no": 0}, 4002),
        ("order_list", {**MARCH, "page_no": 10**30}, 4002),
        ("order_list", {**MARCH, "page_size": 1000}, 4002),
        ("order_list", {**MARCH, "sort_by": "colour"}, 4002),
        ("order_get", {"order_id": "WO-1"}, 4004),
        ("order_export", {"query_id": "Q-1", "file_type": "csv"}, 4006),
        ("order_remark", {"order_id": "WO-1", "content": "x"}, 4004),
        ("no_such", {}, 4005),
    ],
)
def test_bad_calls_are_turned_down_by_code(
    service: OrderService, tool: str, args: dict[str, Any], code: int
) -> None:
    assert service.answer(tool, args)["code"] == code


def test_pages_hold_each_order_once(service: OrderService) -> None:
    first = data(
        service.answer("order_list", {**MARCH, "sort_by": "-created", "page_no": 1, "page_size": 100})
    )
    ids = [row["order_id"] for row in first["list"]]
    for page in range(2, -(-first["total"] // 100) + 1):
        rows = data(
            service.answer("order_list", {**MARCH, "sort_by": "-created", "page_no": page, "page_size": 100})
        )
        ids += [row["order_id"] for row in rows["list"]]
    assert len(set(ids)) == len(ids) == first["total"]


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_an_export_needs_a_listing_and_holds_all_of_it(service: OrderService, kind: str) -> None:
    listed = data(service.answer("order_list", {**MARCH, "page_size": 1}))
    done = data(service.answer("order_export", {"query_id": listed["query_id"], "file_type": kind}))
    assert done["rows"] == listed["total"] > 1
    assert Path(done["file"]).stat().st_size > 1000


def test_a_query_is_known_to_the_server_that_comes_after(book: sqlite3.Connection, tmp_path: Path) -> None:
    args = {**MARCH, "team_id": "T-017", "page_size": 1}
    pages = [data(OrderService(book, tmp_path).answer("order_list", {**args, "page_no": n})) for n in (1, 2)]
    assert pages[0]["query_id"] == pages[1]["query_id"]
    done = data(OrderService(book, tmp_path).answer("order_export", {"query_id": pages[0]["query_id"]}))
    assert done["rows"] == pages[0]["total"] > 1


def test_a_keyword_is_text_and_no_pattern(service: OrderService) -> None:
    assert data(service.answer("order_list", {**MARCH, "keyword": "%"}))["total"] == 0
    assert data(service.answer("order_list", {**MARCH, "keyword": "跳闸"}))["total"] > 0
    assert [row["team_name"] for row in data(service.answer("team_list", {"keyword": "一班"}))["list"]] == [
        "东区抢修组一班"
    ]


def test_each_team_has_its_own_kinds_of_work(book: sqlite3.Connection) -> None:
    query = "SELECT avg(type_code = 'RP') FROM orders WHERE team_id = ?"
    faults = {team: book.execute(query, [team]).fetchone()[0] for team in ("T-011", "T-017")}
    assert faults["T-017"] > 2 * faults["T-011"] > 0
    by_night = "substr(created_at, 12, 2) < '06'"
    assert (
        count(book, f"{by_night} AND type_code = 'RP'") > 0 == count(book, f"{by_night} AND type_code = 'NB'")
    )


def test_a_book_of_another_day_is_refused(tmp_path: Path) -> None:
    open_book(tmp_path / "own.sqlite", until=UNTIL, days=2).close()
    with pytest.raises(StoreError, match="ends with 2026-03-31, not 2026-04-01"):
        open_book(tmp_path / "own.sqlite", until=date(2026, 4, 1))
    same = open_book(tmp_path / "own.sqlite")
    assert last_day(same) == UNTIL
    same.close()


def test_of_the_kept_books_the_last_used_stay_and_those_with_remarks(home: Path) -> None:
    days = [date(2026, 3, number) for number in range(1, 9)]
    for number, day in enumerate(days):
        book = open_book(until=day, days=1)
        if number == 1:
            book.execute("INSERT INTO remarks VALUES ('WO-1', '2026-03-02 08:00:00', 'x')")
            book.commit()
        book.close()
        os.utime(book_path(day), (number, number))
    left = [day.day for day in days if book_path(day).exists()]
    assert left == [2, 4, 5, 6, 7, 8]


def test_a_remark_stands_in_the_order(tmp_path: Path) -> None:
    book = open_book(tmp_path / "own.sqlite", until=UNTIL, days=3)
    service = OrderService(book, tmp_path)
    order = book.execute("SELECT order_id FROM orders LIMIT 1").fetchone()[0]
    data(service.answer("order_remark", {"order_id": order, "content": "已联系客户"}))
    assert data(service.answer("order_get", {"order_id": order}))["remarks"][0]["content"] == "已联系客户"
    book.close()


def test_every_parameter_is_said_to_be_required() -> None:
    for tool in TOOLS:
        assert tool.inputSchema["required"] == list(tool.inputSchema["properties"])
        assert tool.outputSchema is None


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text(
        "no database, only text, and more of it than a header has", encoding="utf-8"
    )
    sqlite3.connect(tmp_path / "other.sqlite").execute("CREATE TABLE t (x)").connection.close()
    for name in ("text.sqlite", "other.sqlite"):
        with pytest.raises(StoreError, match="no order book"):
            open_book(tmp_path / name)
