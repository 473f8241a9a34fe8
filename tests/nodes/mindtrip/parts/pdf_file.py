"""A small PDF writer, so that tests need no fonts and no sample files."""

from __future__ import annotations

_CMAP = (
    b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange "
    b"1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap end"
)
_FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /Identity-H /ToUnicode 4 0 R "
    b"/DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Song /DW 1000 "
    b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>"
)


def make_pdf(pages: list[list[str]], *, title: str = "") -> bytes:
    """Return a PDF with one page for each list of lines; characters of the basic plane only."""
    numbers = range(5, 5 + 2 * len(pages), 2)
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        _FONT,
        _stream(_CMAP),
    ]
    for number, lines in zip(numbers, pages, strict=True):
        resources = "<< /Font << /F 3 0 R >> >>"
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {resources} "
        objects.append(f"{page} /Contents {number + 1} 0 R >>".encode())
        shown = " ".join(f"<{line.encode('utf-16-be').hex()}> Tj T*" for line in lines)
        objects.append(_stream(f"BT /F 12 Tf 14 TL 72 700 Td {shown} ET".encode()))
    objects.append(b"<< /Title <FEFF%s> >>" % title.encode("utf-16-be").hex().encode())
    return _file(objects)


def _stream(data: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data)


def _file(objects: list[bytes]) -> bytes:
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\n" % (size, len(objects))
    return out + b"xref\n0 %d\n0000000000 65535 f \n%s%sstartxref\n%d\n%%%%EOF\n" % (
        size,
        table,
        trailer,
        len(out),
    )
