"""Zip-based workbooks, opened only after their size is known to be bearable.

A parser that meets a bomb has lost already, so both the sizes that the archive declares and the real ones
are checked before any parser sees the file.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from xml.etree import ElementTree

from mindatlas.nodes.errors import FileReadError

MAX_FILE_BYTES = 512 * 2**20
MAX_UNPACKED_BYTES = 2**30
MAX_MEMBERS = 10_000
# Deflate packs at most 1032:1. Spreadsheet XML of real tables stays under 100:1, so a large part far above is
# made to burst; small parts (a column of one value) may go higher.
MAX_RATIO = 250
RATIO_COUNTS_FROM_BYTES = 64 * 2**20

_FEED = 2**16
_CHUNK = 2**20
_ENTITY = b"<!ENTITY"
_LOCAL_HEADER = struct.Struct("<4s22xHH")


def open_archive(data: bytes, name: str) -> zipfile.ZipFile:
    """Return the archive in `data`; each of its parts is small enough and inflates to its declared size.

    Args:
        data: The whole file.
        name: The file's name, for messages.

    Raises:
        FileReadError: The archive is damaged, holds encrypted parts or XML entities, or unpacks to more than
            `MAX_UNPACKED_BYTES` or by more than `MAX_RATIO`.
    """
    archive = list_archive(data, name)
    parts = archive.infolist()
    if len(parts) > MAX_MEMBERS:
        raise FileReadError(
            f"{name!r} holds {len(parts)} parts, more than {MAX_MEMBERS}; refused as a zip bomb"
        )
    if sum(part.file_size for part in parts) > MAX_UNPACKED_BYTES:
        raise FileReadError(
            f"{name!r} unpacks to more than {MAX_UNPACKED_BYTES >> 20} MiB; split it into smaller workbooks"
        )
    for part in parts:
        _check_part(data, part, name)
    return archive


def list_archive(data: bytes, name: str) -> zipfile.ZipFile:
    """Return the archive unchecked: only the names of its parts may be asked for.

    Raises:
        FileReadError: The list of parts is damaged.
    """
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise FileReadError(f"{name!r} is a damaged zip archive ({error}); save it again") from error


def find_part(archive: zipfile.ZipFile, part: str) -> str | None:
    """Return the name that `part` has in the archive, whatever its case and slashes; None when absent."""
    wanted = part.casefold()
    names = (name for name in archive.namelist() if name.replace("\\", "/").casefold() == wanted)
    return next(names, None)


def read_part(archive: zipfile.ZipFile, part: str) -> bytes | None:
    """Return the bytes of `part` of a checked archive, None when it is absent or unreadable."""
    name = find_part(archive, part)
    try:
        return archive.read(name) if name is not None else None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError):
        return None


def parse_xml(text: bytes | None) -> ElementTree.Element | None:
    """Return the root element, None for absent or malformed XML; entities and UTF-16 are not accepted."""
    if not text or _ENTITY in text or b"\0" in text:
        return None
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, LookupError, ValueError):
        return None


def _check_part(data: bytes, part: zipfile.ZipInfo, name: str) -> None:
    if part.flag_bits & 1:
        raise FileReadError(f"{name!r} is password-protected; save it without a password")
    too_dense = part.file_size > MAX_RATIO * max(part.compress_size, 1)
    if part.file_size > RATIO_COUNTS_FROM_BYTES and too_dense:
        raise FileReadError(
            f"{name!r}: part {part.filename!r} unpacks {MAX_RATIO}-fold; refused as a zip bomb"
        )
    size, has_entity = _inflate(data, part, name)
    if size > part.file_size:
        raise FileReadError(
            f"{name!r}: part {part.filename!r} is larger than it declares; damaged or a zip bomb"
        )
    if has_entity:
        raise FileReadError(f"{name!r}: part {part.filename!r} declares XML entities; refused as an XML bomb")


def _inflate(data: bytes, part: zipfile.ZipInfo, name: str) -> tuple[int, bool]:
    """Return the real size of a part, counted to one byte past the declared, and whether it has entities."""
    packed = _packed_bytes(data, part, name)
    if part.compress_type == zipfile.ZIP_STORED:
        return len(packed), _ENTITY in packed
    if part.compress_type != zipfile.ZIP_DEFLATED:
        raise FileReadError(f"{name!r}: part {part.filename!r} is packed by an unusual method; save it again")
    size, has_entity, tail = 0, False, b""
    try:
        for chunk in _inflated_chunks(packed):
            seam = tail + chunk[: len(_ENTITY)]
            has_entity = has_entity or _ENTITY in chunk or _ENTITY in seam
            size, tail = size + len(chunk), (tail + chunk[-len(_ENTITY) :])[-len(_ENTITY) :]
            if size > part.file_size:
                break
    except zlib.error as error:
        raise FileReadError(
            f"{name!r}: part {part.filename!r} is damaged ({error}); save it again"
        ) from error
    return size, has_entity


def _inflated_chunks(packed: bytes) -> Iterator[bytes]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    for start in range(0, len(packed), _FEED):
        pending = packed[start : start + _FEED]
        while pending:
            yield inflater.decompress(pending, _CHUNK)
            pending = inflater.unconsumed_tail


def _packed_bytes(data: bytes, part: zipfile.ZipInfo, name: str) -> bytes:
    header = data[part.header_offset : part.header_offset + _LOCAL_HEADER.size]
    if len(header) < _LOCAL_HEADER.size or header[:4] != b"PK\3\4":
        raise FileReadError(f"{name!r}: part {part.filename!r} is not where the archive says; save it again")
    _, name_size, extra_size = _LOCAL_HEADER.unpack(header)
    start = part.header_offset + _LOCAL_HEADER.size + name_size + extra_size
    return data[start : start + part.compress_size]
