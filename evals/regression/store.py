"""Outputs kept by what decides them: a case that was run once under the same conditions is not run again.

This is both the cache and what makes a run resumable: each output is committed the moment it is there, so that a run
that is killed has lost at most the cases in flight, and the next one runs only what is missing.
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.files import canonical, digest
from mindatlas.evals.fixtures import fixtures_of
from mindatlas.nodes.storage import home, open_sqlite

FORMAT = 1


def key_of(case: Case, graph: str, identity: dict[str, Any], repetition: int) -> str:
    """Return the key of an output: the case and its workbooks by content, the graph, its settings, data and code."""
    return digest([case.content_hash, fixtures_of([case], {}), graph, identity, repetition])


class OutputStore:
    """Outputs by key, on disk, safe for several processes.

    Args:
        path: the SQLite file; by default `evals.sqlite` under home.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._connection: sqlite3.Connection = open_sqlite(path or home() / "evals.sqlite", newest=FORMAT)
        with self._connection:
            self._connection.execute(
                "CREATE TABLE IF NOT EXISTS outputs (key TEXT PRIMARY KEY, reply TEXT NOT NULL)"
            )

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the reply kept under `key`, or None."""
        row = self._connection.execute("SELECT reply FROM outputs WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def put(self, key: str, reply: dict[str, Any]) -> None:
        """Keep a reply; it is there for good when this returns."""
        with self._connection:
            self._connection.execute("INSERT OR REPLACE INTO outputs VALUES (?, ?)", (key, canonical(reply)))

    def forget(self, keys: list[str]) -> None:
        """Drop the replies under `keys`."""
        with self._connection:
            self._connection.executemany("DELETE FROM outputs WHERE key = ?", [(key,) for key in keys])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
