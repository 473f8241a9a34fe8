"""The workbooks of a run: read once by the first node, recalled unchanged by every later one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from mindatlas.nodes.atlassplit.parts.execution import Inputs
from mindatlas.nodes.atlassplit.parts.workbook import asks_for_hidden, read_workbooks
from mindatlas.nodes.atlassplit.parts.workbook_model import Books
from mindatlas.nodes.errors import FileReadError

_MOST_KEPT: Final = 8


class BookReader:
    """Reads workbooks through the cache on disk and keeps the last few in memory. Thread safe.

    Args:
        cache: Folder for parsed tables.
        include_hidden: Read hidden sheets and rows, whatever the request says.
    """

    def __init__(self, cache: Path, *, include_hidden: bool = False) -> None:
        self._cache = cache
        self._include_hidden = include_hidden
        self._kept: OrderedDict[tuple[str, ...], Books] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, paths: Sequence[str], request: str) -> Books:
        """Return the workbooks as they are on disk now.

        Raises:
            FileReadError: As `read_workbooks`.
        """
        books = read_workbooks(
            [Path(path) for path in paths],
            request=request,
            cache=self._cache,
            include_hidden=self._include_hidden,
        )
        with self._lock:
            self._kept[_key(request, [file.sha256 for file in books.files])] = books
            if len(self._kept) > _MOST_KEPT:
                self._kept.popitem(last=False)
        return books

    def hidden_in(self, request: str) -> bool:
        """Return whether hidden sheets and rows are read for a request."""
        return self._include_hidden or asks_for_hidden(request)

    def recall(self, files: Sequence[Mapping[str, str]], request: str) -> Books:
        """Return the workbooks that `read` gave, by the `path` and `sha256` of their files.

        Raises:
            FileReadError: They are no longer in memory, and a file is not what it was.
        """
        key = _key(request, [file["sha256"] for file in files])
        with self._lock:
            if key in self._kept:
                return self._kept[key]
        books = self.read([file["path"] for file in files], request)
        for before, now in zip(files, books.files, strict=True):
            if before["sha256"] != now.sha256:
                raise FileReadError(f"{now.path!r} has changed since the run began; start a new run")
        return books


def _key(request: str, hashes: Sequence[str]) -> tuple[str, ...]:
    return (request, *hashes)


def inputs_of(books: Books) -> Inputs:
    """Return the tables as the sandbox takes them: all of them, the active one, and by workbook if several."""
    tables = books.card.tables
    by_book: dict[str, dict[str, Path]] = {file.book: {} for file in books.files}
    for table in tables:
        by_book[table.book][_free(table.sheet, by_book[table.book])] = Path(table.parquet)
    return Inputs(
        frames={table.key: Path(table.parquet) for table in tables},
        active=books.card.active,
        books=by_book if len(by_book) > 1 else None,
    )


def _free(name: str, taken: Mapping[str, object]) -> str:
    """Return `name`, numbered as table keys are where a sheet holds several tables."""
    free, count = name, 1
    while free in taken:
        count += 1
        free = f"{name}.{count}"
    return free
