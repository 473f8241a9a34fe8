"""Writes the cases of Workdesk: `python -m mindatlas.evals.workdesk_cases [FILE]`.

The questions stand in `questions.yaml` with a structured query each. SQL made of it here, and by nothing of the
product, gives the expected figures from the order book. Every case holds its SQL, so that anybody can run it again.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from mindatlas.evals.files import read_text, write_jsonl
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.parts.order_book import open_book

TODAY = date(2026, 4, 15)
FOLDER = Path(__file__).parent / "cases" / "workdesk"
_NAMES = {
    "team": ("teams", "team_id", "team_name"),
    "site": ("sites", "site_id", "site_name"),
    "person": ("people", "person_id", "person_name"),
    "type": ("types", "type_code", "type_name"),
    "status": ("statuses", "status", "status_name"),
    "priority": ("priorities", "priority", "priority_name"),
}
_SPANS = {
    "day": "date({time})",
    "week": "date({time}, 'weekday 0', '-6 days')",
    "month": "substr({time}, 1, 7)",
}
_FIXED = {"source": "hand", "reviewed": True, "created": "2026-12-01"}

Question = Mapping[str, Any]


def all_cases(book: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return the cases with what `book` says of them, in the order of `questions.yaml`.

    Raises:
        UsageError: a question has no single answer.
    """
    questions: list[Question] = yaml.safe_load(read_text(FOLDER / "questions.yaml"))
    return [_case(number, question, book) for number, question in enumerate(questions, start=1)]


def _case(number: int, question: Question, book: sqlite3.Connection) -> dict[str, Any]:
    outcome = question.get("outcome", "answer")
    expected: dict[str, Any] = {"outcome": outcome}
    if outcome == "ask":
        expected["about"] = question["about"]
    if outcome == "answer":
        expected["clocks"] = question.get("clocks", [])
        expected["queries"] = [_told(query, question, book) for query in _queries(question)]
    kind = question["type"]
    return {
        "id": f"wd-{number:03}",
        "query": question["q"],
        "expected": expected,
        "case_type": kind,
        **_FIXED,
    }


def _queries(question: Question) -> list[dict[str, Any]]:
    """Return the SQL of a question: one for each clock and range of days, and for a list its total as well."""
    if "order" in question:
        sql = f"SELECT {', '.join(question['order'])} FROM orders WHERE order_id = '{question['id']}'"
        return [{"clock": "", "sql": sql}]
    given = question["days"]
    ranges = [given] if isinstance(given, str) else given
    made = [(clock, _conditions(question, clock, days)) for clock in question["clocks"] for days in ranges]
    return [{"clock": clock, "sql": sql} for clock, where in made for sql in _sql(question, clock, where)]


def _conditions(question: Question, clock: str, days: str) -> str:
    first, last = days.split("..")
    parts = [f"{clock}_at BETWEEN '{first} 00:00:00' AND '{last} 23:59:59'"]
    parts += [_condition(name, wanted, "IN") for name, wanted in question.get("where", {}).items()]
    for name, left_out in question.get("without", {}).items():
        column = _NAMES[name][1]
        parts.append(f"({column} IS NULL OR {_condition(name, left_out, 'NOT IN')})")
    return " AND ".join(parts)


def _condition(name: str, wanted: Any, operator: str) -> str:
    if name not in _NAMES:
        return f"{name} = {wanted}"
    table, column, label = _NAMES[name]
    names = ", ".join(f"'{one}'" for one in (wanted if isinstance(wanted, list) else [wanted]))
    return f"{column} {operator} (SELECT {column} FROM {table} WHERE {label} IN ({names}))"


def _sql(question: Question, clock: str, where: str) -> list[str]:
    """Return the statements whose rows are what must be told; orders without a group's value are in no group."""
    total = f"SELECT count(*) FROM orders WHERE {where}"
    if "list" in question:
        order = f"{clock}_at DESC, order_id DESC" if question.get("newest") else "created_at, order_id"
        listed = f"SELECT order_id FROM orders WHERE {where} ORDER BY {order} LIMIT {question['list']}"
        return [listed] if question.get("newest") else [total, listed]
    if "group" not in question:
        return [total]
    if (group := question["group"]) in _SPANS:
        label, source = _SPANS[group].format(time=f"{clock}_at"), "orders"
        counted = f"SELECT {label}, count(*) AS n FROM {source} WHERE {where} GROUP BY 1"
    else:
        table, column, label = _NAMES[group]
        chosen = f"SELECT {column}, count(*) AS n FROM orders WHERE {where} GROUP BY 1"
        counted = f"SELECT {label}, n FROM ({chosen}) JOIN {table} USING ({column})"
    rank = f" ORDER BY n {'ASC' if question.get('least') else 'DESC'}" if "top" in question else " ORDER BY 1"
    return [counted + rank]


def _told(query: dict[str, Any], question: Question, book: sqlite3.Connection) -> dict[str, Any]:
    """Return the query with its rows, of a ranking the first ones; `derived` where the figure is none of a call."""
    rows = [list(row) for row in book.execute(query["sql"])]
    derived = "without" in question and "group" not in question
    scope = "answer" if "order" in question else "line"
    return {**query, "rows": _first(rows, question), "derived": derived, "scope": scope}


def _first(rows: list[list[Any]], question: Question) -> Sequence[list[Any]]:
    """Return the first rows of a ranking.

    Raises:
        UsageError: the next one is as high, or there is nothing to tell.
    """
    top = question.get("top", len(rows))
    tied = top < len(rows) and rows[top - 1][1] == rows[top][1]
    if tied or not rows or any(cell is None for row in rows for cell in row):
        raise UsageError(
            f"The question {question['q']!r} has no single answer: change its days or its number"
        )
    return rows[:top]


def main(target: Path) -> None:
    """Write the cases to `target`."""
    with closing(open_book(until=TODAY)) as book:
        write_jsonl(target, all_cases(book))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER / "questions.jsonl")
