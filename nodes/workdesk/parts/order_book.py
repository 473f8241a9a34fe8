"""The order book: three years of generated work orders in SQLite, as they stand at the end of a day.

Example:
    >>> book = open_book(until=date(2026, 3, 31))  # doctest: +SKIP
    >>> book.execute("SELECT count(*) FROM orders").fetchone()  # doctest: +SKIP
    (22018,)
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

from filelock import FileLock

from mindatlas.nodes.errors import StoreError
from mindatlas.nodes.storage import ensure_folder, home
from mindatlas.nodes.workdesk.parts.order_tables import FORMAT, make_book

SEED = 20240601
DAYS = 1096
_KEPT = 5  # books of some 14 MB each


def book_path(until: date, *, seed: int = SEED) -> Path:
    """Return where the book that ends with `until` is kept, under home."""
    return home() / "workdesk" / f"orders-{FORMAT}-{seed}-{until.isoformat()}.sqlite"


def open_book(
    path: Path | None = None, *, until: date | None = None, seed: int = SEED, days: int = DAYS
) -> sqlite3.Connection:
    """Return a connection to a book, which is made first where the file does not exist.

    Args:
        path: the file; None is the kept one for `until` and `seed`.
        until: the last day of the book; None takes a book as it is, and makes one up to today.
        seed: what a book is made from.
        days: how many days back a book that is made goes.

    Raises:
        StoreError: the file is no order book, or one of another last day.
    """
    last = until or date.today()  # noqa: DTZ011  the user's own day is meant
    file = path or book_path(last, seed=seed)
    if not file.exists():
        ensure_folder(file.parent)
        with FileLock(f"{file}.lock"):
            if not file.exists():
                make_book(file, last, seed, days)
            if path is None:
                _forget_old(file.parent)
    elif path is None:
        os.utime(file)  # it is in use, so it is not among the old ones
    try:
        connection = sqlite3.connect(file, timeout=30, check_same_thread=False)
    except sqlite3.OperationalError as error:
        raise StoreError(f"{str(file)!r} is no order book: {error}") from error
    try:
        _check(connection, file, until)
    except BaseException:
        connection.close()
        raise
    connection.row_factory = sqlite3.Row
    return connection


def last_day(book: sqlite3.Connection) -> date:
    """Return the day at whose end the book stands."""
    return date.fromisoformat(book.execute("SELECT until FROM book").fetchone()[0])


def _check(connection: sqlite3.Connection, file: Path, until: date | None) -> None:
    try:
        known = connection.execute("PRAGMA user_version").fetchone()[0] == FORMAT
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{str(file)!r} is no order book: {error}") from error
    if not known:
        raise StoreError(f"{str(file)!r} is no order book of format {FORMAT}: name another file or delete it")
    if until is not None and last_day(connection) != until:
        raise StoreError(
            f"The order book {str(file)!r} ends with {last_day(connection)}, not {until}: name another file"
        )


def _forget_old(folder: Path) -> None:
    """Delete the kept books but those last used, as one is made each day; one that holds a remark stays."""
    books = sorted(folder.glob("orders-*.sqlite"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in books[_KEPT:]:
        if not _has_remarks(file):
            file.unlink(missing_ok=True)
            Path(f"{file}.lock").unlink(missing_ok=True)


def _has_remarks(file: Path) -> bool:
    try:
        with closing(sqlite3.connect(file)) as connection:
            return bool(connection.execute("SELECT count(*) FROM remarks").fetchone()[0])
    except sqlite3.DatabaseError:
        return True  # somebody else's file
