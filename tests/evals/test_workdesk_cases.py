from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from mindatlas.evals.files import read_jsonl, write_jsonl
from mindatlas.evals.suite import read_suite
from mindatlas.evals.workdesk_cases import FOLDER, TODAY, _case, all_cases
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.parts.order_book import open_book

ORDERS = (
    ("A", "T-021", "S-02", "RP", "2026-03-01 00:00:00", "2026-03-02 10:00:00"),
    ("B", "T-021", "S-02", "IN", "2026-03-31 23:59:59", "2026-04-01 00:00:00"),
    ("C", "T-031", "S-04", "RP", "2026-04-01 00:00:00", None),
    ("D", None, "S-04", "RP", "2026-03-10 08:00:00", None),
)
MARCH = "2026-03-01..2026-03-31"


@pytest.fixture(scope="module")
def book() -> Iterator[sqlite3.Connection]:
    """Yield a book of four orders that anybody can count by hand."""
    with closing(sqlite3.connect(":memory:")) as made:
        made.executescript(
            "CREATE TABLE orders (order_id, team_id, site_id, type_code, created_at, finished_at);"
            "CREATE TABLE teams (team_id, team_name); CREATE TABLE types (type_code, type_name);"
            "INSERT INTO teams VALUES ('T-021', '西区抢修组'), ('T-031', '滨江综合班');"
            "INSERT INTO types VALUES ('RP', '抢修'), ('IN', '巡检');"
        )
        made.executemany("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)", ORDERS)
        yield made


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ({"days": MARCH, "clocks": ["created"]}, [[[3]]]),
        ({"days": MARCH, "clocks": ["created", "finished"]}, [[[3]], [[1]]]),
        ({"days": MARCH, "clocks": ["created"], "where": {"type": "抢修"}}, [[[2]]]),
        ({"days": MARCH, "clocks": ["created"], "without": {"team": "西区抢修组"}}, [[[1]]]),
        ({"days": MARCH, "clocks": ["created"], "group": "team"}, [[["西区抢修组", 2]]]),
        ({"days": MARCH, "clocks": ["created"], "group": "type", "top": 1}, [[["抢修", 2]]]),
        ({"days": MARCH, "clocks": ["created"], "group": "type", "top": 1, "least": True}, [[["巡检", 1]]]),
        ({"days": MARCH, "clocks": ["created"], "list": 2}, [[[3]], [["A"], ["D"]]]),
        ({"days": MARCH, "clocks": ["created"], "list": 2, "newest": True}, [[["B"], ["D"]]]),
        ({"id": "C", "order": ["team_id", "created_at"]}, [[["T-031", "2026-04-01 00:00:00"]]]),
    ],
)
def test_the_truth_of_a_question_is_what_one_counts_by_hand(
    book: sqlite3.Connection, question: dict[str, object], rows: list[object]
) -> None:
    case = _case(1, {"type": "count", "q": "?", **question}, book)
    assert [query["rows"] for query in case["expected"]["queries"]] == rows


@pytest.mark.parametrize(
    "question",
    [
        {"days": "2026-03-01..2026-04-30", "clocks": ["finished"], "group": "type", "top": 1},  # a tie
        {"id": "nowhere", "order": ["team_id"]},
        {"id": "C", "order": ["finished_at"]},  # nothing to tell
    ],
)
def test_a_question_without_a_single_answer_is_refused(
    book: sqlite3.Connection, question: dict[str, object]
) -> None:
    with pytest.raises(UsageError, match="no single answer"):
        _case(1, {"type": "top_n", "q": "?", **question}, book)


def test_the_set_holds_what_it_promises() -> None:
    suite = read_suite("workdesk")
    cases = suite.read_cases()
    types = Counter(case.case_type for case in cases)
    assert len(cases) == len({case.query for case in cases}) == 120
    assert (types["ask"], types["refusal"]) == (8, 8)
    assert len(types) == 11 and min(types.values()) >= 8
    assert date.fromisoformat(suite.settings["today"]) == TODAY
    assert read_suite("workdesk_faulty").cases == suite.cases


@pytest.mark.slow
def test_the_file_is_what_the_order_book_says(tmp_path: Path) -> None:
    with closing(open_book(tmp_path / "book.sqlite", until=TODAY)) as book:
        write_jsonl(tmp_path / "questions.jsonl", all_cases(book))
        written = (FOLDER / "questions.jsonl").read_bytes()
        assert (tmp_path / "questions.jsonl").read_bytes() == written
        for line in read_jsonl(FOLDER / "questions.jsonl", "case"):
            for query in line["expected"].get("queries", []):
                found = [list(row) for row in book.execute(query["sql"])]
                assert found[: len(query["rows"])] == query["rows"], line["id"]
