"""Documents from files: what a knowledge base ingests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

from mindatlas.nodes.errors import FileReadError
from mindatlas.nodes.mindtrip.parts.documents_bytes import unreadable
from mindatlas.nodes.mindtrip.parts.documents_json import read_json, read_jsonl
from mindatlas.nodes.mindtrip.parts.documents_markdown import read_markdown
from mindatlas.nodes.mindtrip.parts.documents_pages import read_html, read_txt
from mindatlas.nodes.mindtrip.parts.documents_pdf import read_pdf
from mindatlas.nodes.mindtrip.parts.documents_records import Document, EmptyRecordError, Record, make_document
from mindatlas.nodes.mindtrip.parts.documents_tables import read_csv
from mindatlas.nodes.mindtrip.parts.documents_values import Value
from mindatlas.nodes.mindtrip.parts.documents_workbooks import read_workbook

__all__ = ["SUFFIXES", "Document", "Value", "iter_files", "load_documents"]

Notice = Callable[[str], object]

_READERS: dict[str, Callable[[Path], Iterable[Record]]] = {
    ".csv": read_csv,
    ".htm": read_html,
    ".html": read_html,
    ".json": read_json,
    ".jsonl": read_jsonl,
    ".markdown": read_markdown,
    ".md": read_markdown,
    ".pdf": read_pdf,
    ".tsv": read_csv,
    ".txt": read_txt,
    ".xls": read_workbook,
    ".xlsm": read_workbook,
    ".xlsx": read_workbook,
}
SUFFIXES = tuple(_READERS)


def _ignore(message: str) -> None:
    del message


def load_documents(path: Path, *, notice: Notice = _ignore) -> list[Document]:
    """Return the documents of a file, or of every readable file below a folder, in the order of the files.

    Args:
        path: a file or a folder.
        notice: called with one line for each file that was skipped, see `iter_files`.

    Raises:
        FileReadError: a file cannot be read, a record is empty, or two records that are not the same share an
            id; the message names the file and the place in it.
    """
    folder = path if _kind(path) == "folder" else path.parent
    found: dict[str, tuple[Document, str]] = {}
    for file in iter_files(path, notice=notice):
        for document, place in _load_file(file, file.relative_to(folder).as_posix()):
            other, elsewhere = found.setdefault(document.id, (document, place))
            if not _same(document, other):
                raise FileReadError(
                    f"The id {document.id!r} stands for two records: {elsewhere} and {place}; make ids unique"
                )
    return [document for document, _ in found.values()]


def iter_files(path: Path, *, notice: Notice = _ignore) -> Iterator[Path]:
    """Yield the files to load, sorted by path: `path` itself, or what lies below the folder `path`.

    Hidden files and folders, lock files of Office, and files of other formats than `SUFFIXES` are skipped;
    linked folders are not followed. Each skip is told to `notice`. A file given by name is never skipped.

    Raises:
        FileReadError: `path` is missing or of another format, or nothing below it can be loaded.
    """
    kind = _kind(path)
    if kind == "missing":
        raise unreadable(path, "it does not exist", "check the path")
    if kind == "file":
        if path.suffix.lower() not in _READERS:
            reason = f"the format {path.suffix!r} is not supported"
            raise unreadable(path, reason, f"give a folder, or a file of: {' '.join(SUFFIXES)}")
        yield path
        return
    empty = True
    for file in _walk(path, notice):
        empty = False
        yield file
    if empty:
        raise unreadable(path, "the folder has no readable file", f"put files there of: {' '.join(SUFFIXES)}")


def _walk(folder: Path, notice: Notice) -> Iterator[Path]:
    try:
        entries = [(entry, _kind(entry)) for entry in sorted(folder.iterdir())]
    except OSError as error:
        raise unreadable(folder, error.strerror or str(error), "check its permissions") from error
    for entry, kind in entries:
        if entry.name.startswith((".", "~$")):
            notice(f"Skipped {str(entry)!r}: hidden")
        elif kind == "folder" and not entry.is_symlink():
            yield from _walk(entry, notice)
        elif kind == "file" and entry.suffix.lower() in _READERS:
            yield entry
        else:
            notice(f"Skipped {str(entry)!r}: not a file of a supported format")


def _kind(path: Path) -> Literal["folder", "file", "missing"]:
    try:
        return "folder" if path.is_dir() else "file" if path.exists() else "missing"
    except OSError as error:
        raise unreadable(path, error.strerror or str(error), "check the path and its permissions") from error


def _load_file(path: Path, source: str) -> Iterator[tuple[Document, str]]:
    """Yield each document of the file with its place, for messages."""
    position = 0
    try:
        for position, record in enumerate(_READERS[path.suffix.lower()](path), start=1):
            try:
                document = make_document(record, source=source, position=position)
            except EmptyRecordError as error:
                raise unreadable(path, f"it has {error}", "fill or remove it", place=record.place) from error
            yield document, f"{str(path)!r} {record.place}".strip()
    except RecursionError as error:
        raise unreadable(path, "its content is nested too deeply", "flatten it") from error
    if not position:
        raise unreadable(path, "it holds no record", "put at least one below the header, or remove the file")


def _same(one: Document, other: Document) -> bool:
    return (one.title, one.entity, one.aliases, one.text, one.metadata) == (
        *(other.title, other.entity, other.aliases, other.text, other.metadata),
    )
