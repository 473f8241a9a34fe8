"""The workbooks of a run, read again: shape and types for a record, and every name and cell that it must not hold."""

from __future__ import annotations

import ast
import re
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mindatlas.evals.release.tokens import Tokens
from mindatlas.nodes.atlassplit.parts.book_reader import inputs_of
from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.precheck_view import frames_of
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.atlassplit.parts.workbook_model import Books
from mindatlas.nodes.errors import MindatlasError

ROWS: Final = ((0, "0"), (10, "1-10"), (100, "11-100"), (1000, "101-1000"), (10_000, "1001-10000"),
               (100_000, "10001-100000"))  # fmt: skip
COLUMNS: Final = ((5, "1-5"), (10, "6-10"), (20, "11-20"), (50, "21-50"))
MORE_ROWS: Final = "over 100000"
MORE_COLUMNS: Final = "over 50"
CELLS_PER_COLUMN: Final = 2000  # distinct values of a column that the release is searched for
_KEPT_OPEN: Final = 4
_SHEET_OR_BOOK: Final = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")


@dataclass(frozen=True, kw_only=True)
class SeenBooks:
    """What the programs of a run saw.

    Attributes:
        frames: Columns by the expression that a program reaches the frame with.
        types: Types of the same columns.
        rows: Rows of the active table.
        columns: Its columns.
        sheets: Names of sheets and workbooks.
        terms: Names and cells that a release must not hold.
    """

    frames: Mapping[str, Sequence[Hashable]]
    types: Mapping[str, Sequence[str]]
    rows: int
    columns: int
    sheets: tuple[str, ...]
    terms: frozenset[str]

    def dtypes(self, tokens: Tokens, used: set[str]) -> dict[str, dict[str, str]]:
        """Return the types of the columns whose tokens are used, by frame; names as tokens."""
        found: dict[str, dict[str, str]] = {}
        for frame, names in self.frames.items():
            released = _released_frame(frame, tokens, used)
            if released is not None:
                pairs = zip(names, self.types[frame], strict=True)
                named = [(tokens.named(name), kind) for name, kind in pairs if isinstance(name, str)]
                found[released] = {token: kind for token, kind in named if token in used}
        return found


def shape_of(books: SeenBooks | None) -> dict[str, str]:
    """Return the size of the active table in classes; `unknown` where it could not be read again."""
    if books is None:
        return {"rows": "unknown", "columns": "unknown"}
    return {
        "rows": _class_of(books.rows, ROWS, MORE_ROWS),
        "columns": _class_of(books.columns, COLUMNS, MORE_COLUMNS),
    }


class BookShelf:
    """Reads workbooks again where they still are what they were; keeps the last few.

    Args:
        cache: Folder for parsed tables.
    """

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._open: OrderedDict[Any, SeenBooks | None] = OrderedDict()

    def get(self, line: Mapping[str, Any]) -> SeenBooks | None:
        """Return the workbooks of an audit line, None when one is missing, unreadable or has changed."""
        key = (
            tuple((file["path"], file["sha256"]) for file in line["inputs"]),
            line["active"],
            line["include_hidden"],
        )
        if key not in self._open:
            self._open[key] = self._read(line)
            if len(self._open) > _KEPT_OPEN:
                self._open.popitem(last=False)
        self._open.move_to_end(key)
        return self._open[key]

    def _read(self, line: Mapping[str, Any]) -> SeenBooks | None:
        paths = [Path(file["path"]) for file in line["inputs"]]
        try:
            books = read_workbooks(
                paths, request=line["request"] or "", cache=self._cache, include_hidden=line["include_hidden"]
            )
        except (MindatlasError, OSError, ValueError):  # a path may hold what no file system takes
            return None
        same = [file.sha256 for file in books.files] == [file["sha256"] for file in line["inputs"]]
        return _seen(books) if same else None


def _seen(books: Books) -> SeenBooks:
    card = books.card
    kinds = {table.parquet: [column.type for column in table.columns] for table in card.tables}
    frames = frames_of(books)
    active = card.active_table
    names = {table.key for table in card.tables} | {table.sheet for table in card.tables}
    names |= {file.book for file in books.files}
    return SeenBooks(
        frames=frames,
        types=_types(books, kinds),
        rows=active.rows,
        columns=len(active.columns),
        sheets=tuple(sorted(names)),
        terms=frozenset(_terms(books)) | names,
    )


def _types(books: Books, kinds: Mapping[str, list[Any]]) -> dict[str, list[str]]:
    inputs = inputs_of(books)
    types = {"df": kinds[str(inputs.frames[inputs.active])]}
    types |= {f"sheets[{key!r}]": kinds[str(path)] for key, path in inputs.frames.items()}
    for book, sheets in (inputs.books or {}).items():
        types |= {f"books[{book!r}][{sheet!r}]": kinds[str(path)] for sheet, path in sheets.items()}
    return types


def _terms(books: Books) -> Iterator[str]:
    for table in books.card.tables:
        yield from (name for column in table.columns for name in (str(column.name), column.original))
        frame = read_frame(Path(table.parquet))
        for at in range(frame.shape[1]):
            yield from (str(value) for value in frame.iloc[:, at].dropna().unique()[:CELLS_PER_COLUMN])


def _class_of(number: int, classes: Sequence[tuple[int, str]], more: str) -> str:
    return next((name for most, name in classes if number <= most), more)


def _released_frame(frame: str, tokens: Tokens, used: set[str]) -> str | None:
    """Return the expression of a frame with tokens, None where the program names none of its parts."""
    if frame == "df":
        return frame
    keys = [tokens.named_sheet(_unquoted(text)) for text in _SHEET_OR_BOOK.findall(frame)]
    if not all(key in used for key in keys):
        return None
    return frame.split("[", 1)[0] + "".join(f"[{key!r}]" for key in keys)


def _unquoted(text: str) -> str:
    return str(ast.literal_eval(text))
