"""The feedback store: `feedback.sqlite` under MINDATLAS_HOME, in WAL mode, safe under concurrent writers.

Nothing reaches it unmasked: every text passes `masking` in the functions that write.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from mindatlas.nodes.errors import StoreError
from mindatlas.nodes.storage import home, open_sqlite

FORMAT: Final = 1
_PATIENCE_S: Final = 30.0  # two processes that make the same new store at once

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS feedback (
  id TEXT PRIMARY KEY, created TEXT NOT NULL, graph TEXT NOT NULL, thumbs TEXT NOT NULL CHECK (thumbs IN ('up', 'down')),
  question TEXT NOT NULL, answer TEXT NOT NULL, passages TEXT NOT NULL, tool_rows TEXT NOT NULL, comment TEXT NOT NULL,
  run_id TEXT, model TEXT NOT NULL, settings_hash TEXT, stop_reason TEXT NOT NULL, origin TEXT NOT NULL,
  imported_case TEXT, drafted INTEGER NOT NULL DEFAULT 0);
CREATE INDEX IF NOT EXISTS feedback_by_run ON feedback (run_id);
CREATE INDEX IF NOT EXISTS feedback_to_draft ON feedback (drafted, thumbs);
CREATE TABLE IF NOT EXISTS drafts (
  id TEXT PRIMARY KEY, created TEXT NOT NULL, graph TEXT NOT NULL, kind TEXT NOT NULL, failure TEXT NOT NULL,
  kind_cases INTEGER NOT NULL, reason TEXT NOT NULL, reader TEXT NOT NULL, like_case TEXT, content TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'covered', 'accepted', 'rejected', 'merged')),
  merged_at TEXT);
CREATE TABLE IF NOT EXISTS draft_sources (
  draft TEXT NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
  feedback TEXT NOT NULL REFERENCES feedback (id) ON DELETE CASCADE, PRIMARY KEY (draft, feedback));
CREATE TABLE IF NOT EXISTS decisions (
  draft TEXT NOT NULL REFERENCES drafts (id) ON DELETE CASCADE,
  at TEXT NOT NULL, who TEXT NOT NULL, action TEXT NOT NULL, reason TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


def store_path() -> Path:
    """Return where the feedback store lies."""
    return home() / "feedback.sqlite"


class FeedbackStore:
    """A connection to the store; each `transaction` is written whole or not at all.

    May be shared by threads; a process that was forked opens its own.

    Raises:
        StoreError: the store is newer, damaged, or cannot be written.
        SetupError: its folder cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._connection = _open(path)
        self._connection.row_factory = sqlite3.Row
        self._connection.isolation_level = None  # transactions are begun by hand, as IMMEDIATE
        with _told(path):
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.execute("PRAGMA secure_delete = ON")  # what is deleted is overwritten
        if not self._has_tables():
            with self.transaction() as connection:
                for statement in filter(str.strip, _TABLES.split(";")):
                    connection.execute(statement)

    def _has_tables(self) -> bool:
        return bool(self.rows("SELECT 1 FROM sqlite_master WHERE name = 'settings'"))

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection inside one write transaction; an exception rolls it back.

        Raises:
            StoreError: SQLite could not write: a full or read-only disk, another writer, a damaged file.
        """
        with self._lock, _told(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[sqlite3.Row]:
        """Return the rows of a query.

        Raises:
            StoreError: SQLite could not read.
        """
        with self._lock, _told(self.path):
            return self._connection.execute(query, values).fetchall()

    def forget_log(self) -> None:
        """Empty the write-ahead log, so that deleted rows are in no file any more.

        Another reader may hold the log; its end empties it.
        """
        with self._lock, _told(self.path):
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._connection.close()


@contextmanager
def open_store() -> Iterator[FeedbackStore]:
    """Yield the store under MINDATLAS_HOME and close it at the end."""
    store = FeedbackStore(store_path())
    try:
        yield store
    finally:
        store.close()


def _open(path: Path) -> sqlite3.Connection:
    """Return the connection, waiting where another process is just making the store.

    SQLite answers "locked" at once, whatever the timeout, while the journal mode changes.
    """
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return open_sqlite(path, newest=FORMAT)
        except StoreError as error:
            locked = isinstance(error.__cause__, sqlite3.OperationalError) and "locked" in str(
                error.__cause__
            )
            if not locked or time.monotonic() > deadline:
                raise _meant(error, path) from error
        time.sleep(0.01)


def _meant(error: StoreError, path: Path) -> StoreError:
    cause = error.__cause__
    return _as_store_error(cause, path) if isinstance(cause, sqlite3.OperationalError) else error


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _as_store_error(error, path) from error


def _as_store_error(error: sqlite3.Error, path: Path) -> StoreError:
    text = str(error)
    advice = "the file may be damaged: keep a copy, then move it away to begin a new store"
    for sign, meant in _ADVICE.items():
        if sign in text:
            advice = meant
            break
    return StoreError(f"The feedback store {str(path)!r} gave {text!r}, nothing was changed: {advice}")


_ADVICE: Final = {
    "readonly": "make the file and its folder writable, or set MINDATLAS_HOME to a folder you may write",
    "unable to open": "make its folder writable, or set MINDATLAS_HOME to a folder you may write",
    "is full": "free some space and do it again",
    "disk I/O": "check the disk, then do it again",
    "locked": "another program keeps it: do it again when that one is done",
}
