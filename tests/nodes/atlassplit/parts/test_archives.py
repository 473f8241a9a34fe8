from __future__ import annotations

import io
import random
import zipfile

import pytest

from mindatlas.nodes.atlassplit.parts import archives
from mindatlas.nodes.atlassplit.parts.archives import open_archive, parse_xml, read_part
from mindatlas.nodes.errors import FileReadError


def _zip(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_sound_archive_opens(method: int) -> None:
    archive = open_archive(_zip({"a.xml": b"<a/>", "b.bin": bytes(300_000)}, method), "x.xlsx")
    assert read_part(archive, "a.xml") == b"<a/>"
    assert read_part(archive, "absent.xml") is None


def test_parts_are_found_whatever_their_case_and_slashes() -> None:
    archive = open_archive(_zip({"XL\\WorkBook.xml": b"<a/>"}), "x.xlsx")
    assert read_part(archive, "xl/workbook.xml") == b"<a/>"


def test_damaged_archive_is_named() -> None:
    with pytest.raises(FileReadError, match=r"'x\.xlsx' is a damaged zip"):
        open_archive(_zip({"a.xml": b"<a/>"})[:-30], "x.xlsx")


def test_declared_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED_BYTES", 2**20)
    with pytest.raises(FileReadError, match="unpacks to more than 1 MiB"):
        open_archive(_zip({"a": bytes(2**19), "b": bytes(2**19), "c": b"1"}), "x.xlsx")


def test_dense_large_part_is_a_bomb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "RATIO_COUNTS_FROM_BYTES", 2**20)
    with pytest.raises(FileReadError, match="zip bomb"):
        open_archive(_zip({"xl/worksheets/sheet1.xml": bytes(2**21)}), "x.xlsx")
    varied = random.Random(1).randbytes(2**20 + 1)
    assert open_archive(_zip({"xl/media/photo.bin": varied}), "x.xlsx").namelist() == ["xl/media/photo.bin"]


def test_real_size_beyond_the_declared_is_refused() -> None:
    data = bytearray(_zip({"xl/sharedStrings.xml": b"x" * 50_000}))
    honest, lie = (50_000).to_bytes(4, "little"), (500).to_bytes(4, "little")
    assert data.count(honest) == 2
    with pytest.raises(FileReadError, match="larger than it declares"):
        open_archive(bytes(data).replace(honest, lie), "x.xlsx")


def test_too_many_parts_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_MEMBERS", 3)
    with pytest.raises(FileReadError, match="4 parts"):
        open_archive(_zip({str(number): b"" for number in range(4)}), "x.xlsx")


def test_entities_are_refused_even_across_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><l>&b;</l>'
    for chunk in (1, 7, 2**20):
        monkeypatch.setattr(archives, "_CHUNK", chunk)
        with pytest.raises(FileReadError, match="XML bomb"):
            open_archive(_zip({"xl/workbook.xml": bomb}), "x.xlsx")


def test_encrypted_part_is_password_protected() -> None:
    data = bytearray(_zip({"a.xml": b"<a/>"}))
    data[data.index(b"PK\1\2") + 8] |= 1
    with pytest.raises(FileReadError, match="password-protected"):
        open_archive(bytes(data), "x.xlsx")


@pytest.mark.parametrize(
    "text", [None, b"", b"<a>", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a/>".encode("utf-16")]
)
def test_unusable_xml_is_none(text: bytes | None) -> None:
    assert parse_xml(text) is None
