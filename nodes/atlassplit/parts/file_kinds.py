"""What a file is, told by its content: suffixes lie (an .xls that is HTML, an .xlsx that is encrypted)."""

from __future__ import annotations

import re
from typing import Literal

from mindatlas.nodes.atlassplit.parts.archives import list_archive
from mindatlas.nodes.atlassplit.parts.ole_container import MAGIC
from mindatlas.nodes.errors import FileReadError

FileKind = Literal["xlsx", "xlsb", "xls", "ods", "html", "csv"]

_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
# First bytes of a Biff stream outside an OLE container (Excel 2 to 4).
_OLD_EXCEL = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00")
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|table|meta|head)\b", re.I | re.S
)
_STRANGERS = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"Rar!": "a RAR archive; unpack it first",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"\x1f\x8b": "a gzip archive; unpack it first",
    b"SQLite format 3": "a SQLite database",
    b"PAR1": "a Parquet file",
    b"MIME-Version": "a web archive (MHTML); open it in Excel and save it as .xlsx",
}
_ZIP_PARTS: dict[str, FileKind] = {"xl/workbook.bin": "xlsb", "xl/workbook.xml": "xlsx"}
_ZIP_STRANGERS = {
    "word/": "a Word document",
    "ppt/": "a PowerPoint document",
    "Index/": "an Apple Numbers document; export it as .xlsx",
}


def kind_of(data: bytes, name: str) -> FileKind:
    """Return the kind of the file `data`; xlsm counts as xlsx, and tsv and any other plain text as csv.

    Args:
        data: The whole file.
        name: The file's name, for messages.

    Raises:
        FileReadError: The file is empty, password-protected, damaged, or no workbook; the message says which.
    """
    if not data.strip(b"\0 \t\r\n"):
        raise FileReadError(f"{name!r} is empty")
    if data.startswith(MAGIC):
        return _kind_of_container(data, name)
    if data.startswith(b"PK\3\4"):
        return _kind_of_archive(data, name)
    for magic, description in _STRANGERS.items():
        if data.startswith(magic):
            raise FileReadError(f"{name!r} is {description}, not a workbook or CSV file")
    if data.startswith(_OLD_EXCEL):
        raise FileReadError(f"{name!r} is of Excel 4 or older; save it as .xlsx")
    return _kind_of_text(data, name)


def _kind_of_container(data: bytes, name: str) -> FileKind:
    if _has_stream(data, "EncryptedPackage"):
        raise FileReadError(f"{name!r} is password-protected; save it without a password")
    if _has_stream(data, "WordDocument") or _has_stream(data, "PowerPoint Document"):
        raise FileReadError(f"{name!r} is a Word or PowerPoint document, not a workbook")
    return "xls"


def _has_stream(data: bytes, stream: str) -> bool:
    """Return whether an OLE container lists a stream of this name (names are UTF-16, ended by a zero)."""
    return stream.encode("utf-16-le") + b"\0\0" in data


def _kind_of_archive(data: bytes, name: str) -> FileKind:
    parts = list_archive(data, name).namelist()
    for part in parts:
        kind = _ZIP_PARTS.get(part.lower().replace("\\", "/").lstrip("/"))
        if kind:
            return kind
    if "content.xml" in parts:
        return "ods"
    for prefix, description in _ZIP_STRANGERS.items():
        if any(part.startswith(prefix) for part in parts):
            raise FileReadError(f"{name!r} is {description}, not a workbook")
    if "[Content_Types].xml" in parts:
        return "xlsx"  # some writers name the workbook part otherwise
    raise FileReadError(f"{name!r} is a zip archive without a workbook; unpack it first")


def _kind_of_text(data: bytes, name: str) -> FileKind:
    head = data[:4096]
    if data.startswith(_BOMS):
        head = head.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe")
    elif b"\0" in data:
        raise FileReadError(f"{name!r} is neither a workbook nor text")
    if b"urn:schemas-microsoft-com:office:spreadsheet" in head:
        raise FileReadError(f"{name!r} is an Excel 2003 XML file; open it in Excel and save it as .xlsx")
    if _HTML.match(head):
        return "html"
    if head.lstrip().startswith(b"<?xml"):
        raise FileReadError(f"{name!r} is an XML file, not a workbook; save it as .xlsx or .csv")
    return "csv"
