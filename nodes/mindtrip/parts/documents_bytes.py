"""Bytes of a document file: read, recognised by content, decoded; and the error that names the file."""

from __future__ import annotations

import codecs
from pathlib import Path

from mindatlas.nodes.errors import FileReadError

MAX_FILE_BYTES = 200_000_000

_SIGNATURES = (
    (b"%PDF-", "PDF", ".pdf"),
    (b"PK\x03\x04", "Office or zip", ".xlsx if it is an Excel workbook"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Office", ".xls if it is an Excel workbook"),
    (b"\x89PNG", "picture (PNG)", ""),
    (b"\xff\xd8\xff", "picture (JPEG)", ""),
    (b"GIF8", "picture (GIF)", ""),
    (b"\x1f\x8b", "gzip archive", ""),
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def unreadable(path: Path, reason: str, remedy: str, *, place: str = "") -> FileReadError:
    """Return the error for `path` (and the place in it): why it cannot be read, and what to do."""
    where = f"{str(path)!r}, {place}" if place else repr(str(path))
    return FileReadError(f"Cannot read {where}: {reason}; {remedy}")


def read_bytes(path: Path) -> bytes:
    """Return the content of `path`, which is not empty.

    Raises:
        FileReadError: missing, no regular file, not permitted, empty, or over `MAX_FILE_BYTES`.
    """
    try:
        if not path.is_file():
            raise unreadable(path, "it is missing or no regular file", "check the path")
        if (size := path.stat().st_size) > MAX_FILE_BYTES:
            limit = f"over the limit of {MAX_FILE_BYTES // 10**6} MB"
            raise unreadable(path, f"it has {size / 10**6:.0f} MB, {limit}", "split it into smaller files")
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(
            path, error.strerror or str(error), "check that the file is there and readable"
        ) from error
    if not data.strip():
        raise unreadable(path, "it is empty", "fill or remove it")
    return data


def kind_of(data: bytes) -> tuple[str, str] | None:
    """Return the name and the right suffix of the binary format that `data` starts like, or None."""
    for signature, name, suffix in _SIGNATURES:
        if data.startswith(signature):
            return name, suffix
    return None


def decode(path: Path, data: bytes, *, declared: str | None = None) -> str:
    """Return the text of `data`: by its byte order mark, else UTF-8, else `declared`, else GB 18030.

    Args:
        path: for the message only.
        data: content of the file.
        declared: the encoding that the file itself names, if it does; an unknown one is ignored.

    Raises:
        FileReadError: the data is binary, or text in another encoding.
    """
    if kind := kind_of(data):
        remedy = f"name it {kind[1]}" if kind[1] else "convert it to text first"
        raise unreadable(path, f"its content is a {kind[0]} file", remedy)
    mark = next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)
    for encoding in [mark] if mark else ["utf-8", declared, "gb18030"]:
        text = _try(data, encoding) if encoding else None
        if text is not None and "\0" in text:
            raise unreadable(
                path, "it holds NUL bytes, so it is no text file", "give it the suffix of its format"
            )
        if text is not None:
            return text
    raise unreadable(path, "it is neither UTF-8 nor GB 18030 text", "save it as UTF-8")


def read_text(path: Path) -> str:
    """Return the text of the file at `path`, with something besides white space in it.

    Raises:
        FileReadError: see `read_bytes` and `decode`, or there is no text.
    """
    text = decode(path, read_bytes(path))
    if not text.strip():
        raise unreadable(path, "it is empty", "fill or remove it")
    return text


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError, ValueError):
        return None
