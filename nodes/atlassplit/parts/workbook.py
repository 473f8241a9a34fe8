"""Reading workbooks: the tables of the given files, cached, and the schema card over all of them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from mindatlas.nodes.atlassplit.parts.archives import MAX_FILE_BYTES
from mindatlas.nodes.atlassplit.parts.calamine_book import read_book_sheets
from mindatlas.nodes.atlassplit.parts.csv_text import read_delimited
from mindatlas.nodes.atlassplit.parts.file_kinds import FileKind, kind_of
from mindatlas.nodes.atlassplit.parts.html_tables import read_html_tables
from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, RawSheet
from mindatlas.nodes.atlassplit.parts.schema_card import make_card
from mindatlas.nodes.atlassplit.parts.table_blocks import split_sheet
from mindatlas.nodes.atlassplit.parts.table_reader import read_table
from mindatlas.nodes.atlassplit.parts.workbook_cache import (
    CachedTable,
    ReadSheet,
    entry_folder,
    load_book,
    store_book,
    table_card,
)
from mindatlas.nodes.atlassplit.parts.workbook_model import BookFile, Books, TableCard, TableFormat
from mindatlas.nodes.errors import FileReadError, UsageError
from mindatlas.nodes.text import fold

_HIDDEN = re.compile("隐藏|hidden")
_NO_HIDDEN = re.compile(
    r"(?:不|勿|别|忽略|排除|去掉|去除|除去|跳过|剔除|exclud\w*|ignor\w*|without|skip\w*|not|except)"
    r"[^，。,.;；]{0,8}(?:隐藏|hidden)"
)


def read_workbooks(
    paths: Sequence[Path], *, request: str = "", cache: Path, include_hidden: bool = False
) -> Books:
    """Return all tables of the files, mostly one a sheet, with their card, formats and hashes.

    A file whose content was read before is not parsed again. The files are only read, never changed.

    Args:
        paths: At least one xlsx, xlsm, xlsb, xls, ods, csv, tsv, text or HTML file.
        request: What the user asks for: it may name the active sheet, and ask for hidden ones (隐藏, hidden).
        cache: Folder for parsed tables; made when missing. Delete it at any time.
        include_hidden: Read hidden sheets and rows, whatever the request says.

    Raises:
        UsageError: No path is given.
        FileReadError: A file is missing, unreadable, password-protected, too large or without a table.
    """
    if not paths:
        raise UsageError("no workbook was given; name at least one file")
    include_hidden = include_hidden or asks_for_hidden(request)
    tables: list[TableCard] = []
    looks: list[TableFormat] = []
    files: list[BookFile] = []
    notices: list[str] = []
    for path, name in zip(paths, _book_names(paths), strict=True):
        file, cached, told = _read_book(path, name, cache, include_hidden=include_hidden)
        files.append(file)
        tables += [card for card, _ in cached]
        looks += [look for _, look in cached]
        notices += [f"{name}: {notice}" for notice in told]
    card = make_card(tables, request=request, notices=notices)
    formats = (replace(look, key=table.key) for look, table in zip(looks, card.tables, strict=True))
    return Books(card=card, formats=tuple(formats), files=tuple(files))


def asks_for_hidden(request: str) -> bool:
    """Return whether a request wants hidden sheets and rows: it mentions them, and not to leave them out."""
    asked = fold(request)
    return bool(_HIDDEN.search(asked)) and not _NO_HIDDEN.search(asked)


def _book_names(paths: Sequence[Path]) -> list[str]:
    """Return a unique name for each file: its own, else with its folder, else the whole path or a number."""
    names: list[str] = []
    for path in paths:
        choices = [path.name, f"{path.parent.name}/{path.name}", str(path)]
        choices += [f"{path} ({number})" for number in range(2, len(paths) + 1)]
        names.append(next(choice for choice in choices if choice not in names))
    return names


def _read_book(
    path: Path, name: str, cache: Path, *, include_hidden: bool
) -> tuple[BookFile, list[tuple[TableCard, TableFormat]], tuple[str, ...]]:
    data = _file_bytes(path)
    sha256 = hashlib.sha256(data).hexdigest()
    folder = entry_folder(cache, sha256, include_hidden=include_hidden)
    book = load_book(folder)
    if book is None:
        kind = kind_of(data, name)
        told: list[str] = []
        sheets = _tables(data, kind, name, told, include_hidden=include_hidden)
        book = store_book(folder, kind, sheets, told)
    if not book.tables:
        raise FileReadError(f"{name!r} holds no table: {'; '.join(book.notices) or 'its sheets are empty'}")
    tables = [(table_card(folder, _titled(table, path), name), table.looks) for table in book.tables]
    return BookFile(book=name, path=str(path), kind=book.kind, sha256=sha256), tables, book.notices


def _file_bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise FileReadError(f"{path.name!r} is larger than {MAX_FILE_BYTES >> 20} MiB; split it first")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise FileReadError(f"there is no file {str(path)!r}") from error
    except OSError as error:
        raise FileReadError(f"{str(path)!r} cannot be opened: {error.strerror}") from error


def _titled(table: CachedTable, path: Path) -> CachedTable:
    """Return the table with the file's stem for a sheet name where the file kind has none."""
    return table if table.sheet else replace(table, sheet=path.stem)


def _tables(
    data: bytes, kind: FileKind, name: str, told: list[str], *, include_hidden: bool
) -> Iterator[ReadSheet]:
    """Yield the tables of the sheets in order, and add what had to be decided to `told`."""
    for sheet in _sheets(data, kind, name, include_hidden=include_hidden):
        told += sheet.notices
        parts = split_sheet(sheet)
        if len(parts) > 1:
            told.append(f"sheet {sheet.name!r} holds {len(parts)} tables below each other")
        for part in parts:
            table = read_table(part, include_hidden=include_hidden)
            if table is not None:
                yield ReadSheet(sheet=sheet.name, hidden=sheet.hidden, table=table)


def _sheets(data: bytes, kind: FileKind, name: str, *, include_hidden: bool) -> Iterator[RawSheet]:
    if kind == "csv":
        text = read_delimited(data, name)
        yield RawSheet(
            name="", rows=[list[Cell](row) for row in text.rows], text_only=True, notices=text.notices
        )
    elif kind == "html":
        tables = read_html_tables(data, name)
        for number, table in enumerate(tables, 1):
            title = f"Table {number}" if len(tables) > 1 else ""
            rows = [list[Cell](row) for row in table.rows]
            yield RawSheet(name=title, rows=rows, merges=tuple(table.merges), text_only=True)
    else:
        yield from read_book_sheets(data, kind, name, include_hidden=include_hidden)
