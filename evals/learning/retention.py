"""How long feedback is kept, and deleting it: by run, or when its time is over."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from mindatlas.evals.learning.feedback import run_key
from mindatlas.evals.learning.store import FeedbackStore
from mindatlas.nodes.errors import UsageError

_SETTING = "retention_days"


@dataclass(frozen=True, kw_only=True)
class Deletion:
    """What was deleted, and the cases already merged that rested on it: those stand in the eval set."""

    feedback: int
    drafts: int
    merged_cases: tuple[str, ...]


def retention_days(store: FeedbackStore) -> int | None:
    """Return after how many days feedback is deleted; None keeps it."""
    rows = store.rows("SELECT value FROM settings WHERE name = ?", (_SETTING,))
    return int(rows[0]["value"]) if rows else None


def set_retention(store: FeedbackStore, days: int) -> None:
    """Set after how many days feedback is deleted; 0 keeps it.

    Raises:
        UsageError: `days` is negative.
    """
    if days < 0:
        raise UsageError(f"The retention must be 0 (keep) or a number of days, not {days!r}")
    with store.transaction() as connection:
        connection.execute("DELETE FROM settings WHERE name = ?", (_SETTING,))
        if days:
            connection.execute("INSERT INTO settings VALUES (?, ?)", (_SETTING, str(days)))


def purge(store: FeedbackStore, *, now: datetime | None = None) -> Deletion:
    """Delete the feedback older than the retention, with the drafts that rest on nothing else, and return what went."""
    days = retention_days(store)
    if days is None:
        return Deletion(feedback=0, drafts=0, merged_cases=())
    before = ((now or datetime.now(UTC)) - timedelta(days=days)).astimezone(UTC)
    return _delete(store, "created < ?", before.isoformat(timespec="seconds"))


def delete_run(store: FeedbackStore, run_id: str) -> Deletion:
    """Delete the feedback about a run, with the drafts that rest on nothing else, and return what went."""
    return _delete(store, "run_id = ?", run_key(run_id))


def _delete(store: FeedbackStore, condition: str, value: str) -> Deletion:
    with store.transaction() as connection:
        names = [
            row["id"] for row in connection.execute(f"SELECT id FROM feedback WHERE {condition}", (value,))
        ]
        drafts = _drafts_behind(connection, names)
        connection.executemany("DELETE FROM feedback WHERE id = ?", [(name,) for name in names])
        orphaned = [(name, state) for name, state in drafts if _has_no_source(connection, name)]
        connection.executemany("DELETE FROM drafts WHERE id = ?", [(name,) for name, _ in orphaned])
    if names:
        store.forget_log()
    merged = tuple(sorted(name for name, state in drafts if state == "merged"))
    return Deletion(feedback=len(names), drafts=len(orphaned), merged_cases=merged)


def _drafts_behind(connection: sqlite3.Connection, feedback: list[str]) -> list[tuple[str, str]]:
    """Return id and state of the drafts that rest on `feedback`, sorted."""
    query = "SELECT id, state FROM drafts JOIN draft_sources ON draft = id WHERE feedback = ?"
    return sorted(
        {(row["id"], row["state"]) for name in feedback for row in connection.execute(query, (name,))}
    )


def _has_no_source(connection: sqlite3.Connection, draft: str) -> bool:
    return not connection.execute("SELECT 1 FROM draft_sources WHERE draft = ? LIMIT 1", (draft,)).fetchone()
