"""PDF documents: the text of all pages, one document a file."""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from pypdf import PdfReader
from pypdf.errors import DependencyError, DeprecationError, PyPdfError

from mindatlas.nodes.mindtrip.parts.documents_bytes import read_bytes, unreadable
from mindatlas.nodes.mindtrip.parts.documents_pages import first_line_title
from mindatlas.nodes.mindtrip.parts.documents_records import Record
from mindatlas.nodes.mindtrip.parts.documents_values import printable
from mindatlas.nodes.text import is_cjk

_DAMAGED = (
    *(
        PyPdfError,
        DeprecationError,
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        MemoryError,
        OSError,
    ),
    *(EOFError, RuntimeError, TypeError, ValueError, struct.error, zlib.error),
)
"""What pypdf raises on damaged files: its own errors and, out of its parsers, many built-in ones."""

_SENTENCE_END = re.compile(r"[。！？!?；;.:：”」』）)]$")
_FULL_LINE, _MIN_LINE = 0.7, 12
"""A line of this share of the page's longest, and this many characters, was broken by the margin."""


def read_pdf(path: Path) -> Iterator[Record]:
    """Yield the text of the file, pages parted by a blank line, lines that a margin broke joined again.

    The title is the one in the file's properties, else a short first line, else the file's stem. The field
    `pages` counts the pages; `pages_without_text` lists those without any, such as scans.

    Raises:
        FileReadError: no PDF, encrypted, damaged, or without any text.
    """
    data = read_bytes(path)
    if b"%PDF-" not in data[:1024]:  # readers accept what stands before the signature
        raise unreadable(path, "its content is no PDF", "give it the suffix of its format")
    try:
        title, pages = _extract(path, data)
    except DependencyError as error:
        raise unreadable(path, f"it is encrypted ({error})", "save it without a password") from error
    except _DAMAGED as error:
        reason = f"it is damaged ({type(error).__name__}: {error})"
        raise unreadable(path, reason, "print it to a new PDF") from error
    blank = [str(number) for number, page in enumerate(pages, start=1) if not page]
    text = "\n\n".join(page for page in pages if page)
    if not text:
        raise unreadable(path, "no text can be extracted: its pages are pictures", "run OCR over it first")
    fields = {"pages": len(pages), "pages_without_text": blank}
    yield Record(place="", title=title or first_line_title(path, text), fields=fields, text=text)


def _extract(path: Path, data: bytes) -> tuple[str, list[str]]:
    """Return the title in the properties and the text of each page."""
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise unreadable(path, "it is encrypted", "save it without a password")
    title = str((reader.metadata and reader.metadata.title) or "").strip()
    return title, [_rejoin(printable(page.extract_text())) for page in reader.pages]


def _rejoin(page: str) -> str:
    """Return the page with each line that a margin broke joined to the next: a sentence is whole again."""
    lines = [line.strip() for line in page.split("\n")]
    width = max(_MIN_LINE, max(map(len, lines), default=0) * _FULL_LINE)
    text = ""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        text += line
        if not following or len(line) < width or _SENTENCE_END.search(line):
            text += "\n"
        elif not (is_cjk(line[-1]) or is_cjk(following[0])):
            text += " "
    return re.sub(r"\n{3,}", "\n\n", text).strip()
