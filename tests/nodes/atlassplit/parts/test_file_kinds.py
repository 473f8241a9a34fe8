from __future__ import annotations

import io
import zipfile

import pytest

from mindatlas.nodes.atlassplit.parts.file_kinds import FileKind, kind_of
from mindatlas.nodes.errors import FileReadError

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)


def _zip(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "<x/>")
    return buffer.getvalue()


def _stream(name: str) -> bytes:
    return OLE + name.encode("utf-16-le") + b"\0\0"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (_zip("[Content_Types].xml", "xl/workbook.xml"), "xlsx"),
        (_zip("[Content_Types].xml", "xl/workbook.bin"), "xlsb"),
        (_zip("mimetype", "content.xml"), "ods"),
        (_stream("Workbook"), "xls"),
        (_stream("Book"), "xls"),
        (b"<html><table><tr><td>1</td></tr></table></html>", "html"),
        (b"\xef\xbb\xbf  <!-- made by ERP --><TABLE border=1>", "html"),
        ("<html><body>".encode("utf-16"), "html"),
        (b"a,b\n1,2\n", "csv"),
        ("门店\t金额\n".encode("gb18030"), "csv"),
        ("a;b\n1;2".encode("utf-16"), "csv"),
        (b"<5,10\n", "csv"),
    ],
)
def test_kind_is_told_by_content(data: bytes, kind: FileKind) -> None:
    assert kind_of(data, "any.name") == kind


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "is empty"),
        (b" \r\n\t", "is empty"),
        (_stream("EncryptedPackage"), "password-protected"),
        (_stream("WordDocument"), "Word"),
        (_zip("[Content_Types].xml", "word/document.xml"), "Word"),
        (_zip("[Content_Types].xml", "ppt/presentation.xml"), "PowerPoint"),
        (_zip("Index/Document.iwa"), "Numbers"),
        (_zip("photo.jpg"), "without a workbook"),
        (b"PK\3\4broken", "damaged zip"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"MIME-Version: 1.0", "MHTML"),
        (b"\x09\x04\x06\x00rest", "Excel 4"),
        (b"text \0 with zeros", "neither a workbook nor text"),
        (b'<?xml version="1.0"?><data/>', "XML file"),
        (b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">', "2003"),
    ],
)
def test_what_is_no_table_is_refused_by_name_and_reason(data: bytes, reason: str) -> None:
    with pytest.raises(FileReadError, match=reason) as refusal:
        kind_of(data, "报表.xls")
    assert "'报表.xls'" in str(refusal.value)
