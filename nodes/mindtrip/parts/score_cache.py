"""Scores that were computed before: bounded in memory, and in a SQLite file where one is given."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from mindatlas.nodes.errors import StoreError

FORMAT = 1


class ScoreCache:
    """Remembers one score per (model, query, passage); the least recently used ones leave memory first.

    Args:
        model: which weights the scores come from.
        path: a SQLite file, made when absent, that keeps every score; None keeps them in memory only.
        bound: how many scores stay in memory.

    Raises:
        StoreError: the file is damaged, or of a newer format.
    """

    def __init__(self, model: str, *, path: Path | None = None, bound: int = 10_000) -> None:
        self._model = model
        self._bound = bound
        self._scores: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()
        self._file = None if path is None else _open(path)

    def get(self, query: str, passage: str) -> float | None:
        """Return the score, or None when it is not known."""
        key = self._key(query, passage)
        with self._lock:
            if key not in self._scores and self._file is not None:
                row = self._file.execute("SELECT score FROM scores WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    self._remember(key, float(row[0]))
            if key in self._scores:
                self._scores.move_to_end(key)
            return self._scores.get(key)

    def add(self, query: str, scores: Mapping[str, float]) -> None:
        """Keep `scores` by passage."""
        keyed = {self._key(query, passage): score for passage, score in scores.items()}
        with self._lock:
            for key, score in keyed.items():
                self._remember(key, score)
            if self._file is not None:
                with self._file:
                    self._file.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?)", keyed.items())

    def close(self) -> None:
        """Close the file; what is in memory is forgotten."""
        with self._lock:
            self._scores.clear()
            if self._file is not None:
                self._file.close()

    def _remember(self, key: str, score: float) -> None:
        self._scores[key] = score
        self._scores.move_to_end(key)
        while len(self._scores) > self._bound:
            self._scores.popitem(last=False)

    def _key(self, query: str, passage: str) -> str:
        parts = "\0".join(part.replace("\0", " ") for part in (self._model, query, passage))
        return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False)
    try:
        found = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if found > FORMAT:
            raise StoreError(
                f"{str(path)!r} has format {found}, this version reads up to {FORMAT}: upgrade mindatlas"
            )
        connection.execute(
            "CREATE TABLE IF NOT EXISTS scores (key TEXT PRIMARY KEY, score REAL) WITHOUT ROWID"
        )
        connection.execute(f"PRAGMA user_version = {FORMAT}")
    except sqlite3.DatabaseError as error:
        connection.close()
        raise StoreError(f"Cannot read the score cache {str(path)!r} ({error}): delete it") from error
    except StoreError:
        connection.close()
        raise
    return connection
