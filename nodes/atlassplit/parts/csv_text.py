"""Delimited text as rows of text cells: encoding and separator are found, and said."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.errors import FileReadError

Separator = Literal[",", ";", "\t", "|"]
SEPARATORS: tuple[Separator, ...] = (",", ";", "\t", "|")
SNIFFED_ROWS = 200

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


@dataclass(frozen=True, kw_only=True)
class DelimitedText:
    """Rows of equal length, blank cells as empty text, and what had to be decided to read them."""

    rows: list[list[str]]
    encoding: str
    separator: Separator
    notices: tuple[str, ...]


def read_delimited(data: bytes, name: str) -> DelimitedText:
    """Return the cells of a CSV, TSV or similar file.

    Short rows are filled up with empty cells and long ones widen the table; both are told in the notices.

    Raises:
        FileReadError: The text is neither UTF-8, UTF-16 with a byte order mark, nor GB 18030.
    """
    text, encoding = decode_text(data, name)
    declared, text = _declared_separator(text)
    separator = declared or sniff_separator(text)
    rows, notices = _parse(text, separator, name)
    notices = [f"read as {encoding}, separated by {separator!r}", *notices]
    width, odd_rows = _widest(rows)
    if odd_rows:
        notices.append(
            f"rows with fewer or more cells than the others: {odd_rows}; missing cells read as blank"
        )
    padded = [row + [""] * (width - len(row)) for row in rows]
    return DelimitedText(rows=padded, encoding=encoding, separator=separator, notices=tuple(notices))


def decode_text(data: bytes, name: str) -> tuple[str, str]:
    """Return the text and its encoding: byte order mark, then strict UTF-8, then GB 18030.

    GB 18030 comes last because it reads nearly any UTF-8 text too, as other characters.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decoded(data, encoding, name), encoding
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _decoded(data, "gb18030", name), "gb18030"


def _decoded(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileReadError(
            f"{name!r} is neither UTF-8 nor GB 18030 text (byte {error.start}); save it as UTF-8"
        ) from error


def _declared_separator(text: str) -> tuple[Separator | None, str]:
    """Return the separator of a first line `sep=;`, which Excel writes and reads, and the text without it."""
    first, _, rest = text.partition("\n")
    mark = first.strip("\r").removeprefix("sep=")
    for separator in SEPARATORS:
        if first.startswith("sep=") and mark == separator:
            return separator, rest
    return None, text


def sniff_separator(text: str) -> Separator:
    """Return the separator that cuts the first rows most evenly into the most cells; `,` when none does.

    On a tie the comma goes last, since it also stands in prose and in numbers.
    """
    head = "\n".join(text.splitlines()[:SNIFFED_ROWS])
    evenness: dict[Separator, tuple[float, int]] = {
        separator: _evenness(head, separator) for separator in reversed(SEPARATORS)
    }
    best: Separator = max(evenness, key=lambda separator: evenness[separator])
    return best if evenness[best] > (0.0, 0) else ","


def _evenness(head: str, separator: Separator) -> tuple[float, int]:
    widths = [len(row) for row in csv.reader(io.StringIO(head, newline=""), delimiter=separator) if row]
    width, count = Counter(widths).most_common(1)[0] if widths else (0, 0)
    return (count / len(widths), width) if width > 1 else (0.0, 0)


def _parse(text: str, separator: Separator, name: str) -> tuple[list[list[str]], list[str]]:
    try:
        return _rows(text, separator, strict=True), []
    except csv.Error as strict_error:
        try:
            rows = _rows(text, separator, strict=False)
        except csv.Error as error:
            raise FileReadError(f"{name!r} is not readable as CSV: {error}") from error
        return rows, [f"quotes are used wrongly ({strict_error}); check that no rows are glued together"]


def _rows(text: str, separator: Separator, *, strict: bool) -> list[list[str]]:
    # newline="" keeps line breaks inside quotes
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=strict))


def _widest(rows: list[list[str]]) -> tuple[int, int]:
    """Return the number of cells of the widest row and how many rows differ from the usual number.

    Rows of at most one cell are titles, notes or blank lines, not ragged data.
    """
    widths = Counter(len(row) for row in rows)
    usual = Counter({width: count for width, count in widths.items() if width > 1}).most_common(1)
    odd = sum(count for width, count in widths.items() if width > 1 and width != usual[0][0])
    return max(widths, default=0), odd
