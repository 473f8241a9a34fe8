"""Parsed workbooks on disk, so that a file is parsed once: a folder per content, its frames as Parquet."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from mindatlas.nodes.atlassplit.parts.cells import decode_cell, encode_cell
from mindatlas.nodes.atlassplit.parts.file_kinds import FileKind
from mindatlas.nodes.atlassplit.parts.frames import write_frame
from mindatlas.nodes.atlassplit.parts.table_reader import SheetTable
from mindatlas.nodes.atlassplit.parts.workbook_model import (
    ColumnCard,
    ColumnName,
    SetAside,
    TableCard,
    TableFormat,
)

READER_VERSION = 2  # raise it with every change of what reading a file gives

_INDEX = "book.json"
_DRAFT = ".draft-"


@dataclass(frozen=True, kw_only=True)
class CachedTable:
    """A table without what depends on the other files of a run: its book and its key.

    `parquet` is a file name in the entry's folder, `size` its bytes.
    """

    sheet: str
    hidden: bool
    rows: int
    columns: tuple[ColumnCard, ...]
    notes: tuple[str, ...]
    set_aside: tuple[SetAside, ...]
    looks: TableFormat
    parquet: str
    size: int


@dataclass(frozen=True, kw_only=True)
class CachedBook:
    """All tables of one file, and what had to be decided to read it."""

    kind: FileKind
    tables: tuple[CachedTable, ...]
    notices: tuple[str, ...]


_BOOK = TypeAdapter(CachedBook)


@dataclass(frozen=True, kw_only=True)
class ReadSheet:
    """A sheet's table with its place in the workbook."""

    sheet: str
    hidden: bool
    table: SheetTable


def entry_folder(cache: Path, sha256: str, *, include_hidden: bool) -> Path:
    """Return the folder of a file's content as this version reads it."""
    return cache / f"{sha256}-v{READER_VERSION}{'-hidden' if include_hidden else ''}"


def load_book(folder: Path) -> CachedBook | None:
    """Return the entry in `folder`, None when it is absent, damaged or incomplete."""
    try:
        book = _BOOK.validate_json((folder / _INDEX).read_bytes())
        if any((folder / table.parquet).stat().st_size != table.size for table in book.tables):
            return None
        return replace(book, tables=tuple(_map_names(table, _decode_name) for table in book.tables))
    except (OSError, ValidationError, ValueError):
        return None


def store_book(
    folder: Path, kind: FileKind, sheets: Iterable[ReadSheet], notices: Iterable[str]
) -> CachedBook:
    """Write the entry in `folder` and return it.

    The entry appears at once and complete. When another process wrote it meanwhile, that one stays: both hold
    the same, since the folder names content and reader.

    Args:
        folder: Where it belongs; its parent is made when missing.
        kind: What the file is.
        sheets: Taken one at a time, so that only one sheet need be in memory.
        notices: Asked for after the last sheet.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=_DRAFT))
    try:
        tables = tuple(_write_table(draft, number, sheet) for number, sheet in enumerate(sheets))
        book = CachedBook(kind=kind, tables=tables, notices=tuple(notices))
        encoded = replace(book, tables=tuple(_map_names(table, encode_cell) for table in tables))
        (draft / _INDEX).write_bytes(_BOOK.dump_json(encoded))
        _publish(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return book


def table_card(folder: Path, table: CachedTable, book: str) -> TableCard:
    """Return the card of a cached table of the file `book`; its key is its sheet's name."""
    return TableCard(
        book=book,
        sheet=table.sheet,
        key=table.sheet,
        rows=table.rows,
        columns=table.columns,
        hidden=table.hidden,
        notes=table.notes,
        parquet=str(folder / table.parquet),
        set_aside=table.set_aside,
    )


def _write_table(draft: Path, number: int, read: ReadSheet) -> CachedTable:
    path = draft / f"{number}.parquet"
    write_frame(read.table.frame, path)
    return CachedTable(
        sheet=read.sheet,
        hidden=read.hidden,
        rows=len(read.table.frame),
        columns=read.table.columns,
        notes=read.table.notes,
        set_aside=read.table.set_aside,
        looks=read.table.looks,
        parquet=path.name,
        size=path.stat().st_size,
    )


def _publish(draft: Path, folder: Path) -> None:
    if folder.exists() and load_book(folder) is None:
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=_DRAFT) as trash:
            folder.rename(Path(trash, "damaged"))
    try:
        draft.rename(folder)
    except OSError:
        if load_book(folder) is None:
            raise


def _map_names(table: CachedTable, change: Callable[[Any], Any]) -> CachedTable:
    columns = tuple(replace(column, name=change(column.name)) for column in table.columns)
    return replace(table, columns=columns)


def _decode_name(text: str) -> ColumnName:
    name = decode_cell(text)
    if not isinstance(name, str | int | float | datetime):
        raise ValueError(f"no column name: {text!r}")
    return name
