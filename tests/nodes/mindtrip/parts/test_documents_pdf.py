from __future__ import annotations

import io
from pathlib import Path
from typing import Literal

import pypdf
import pytest

from mindatlas.nodes.errors import FileReadError
from tests.nodes.mindtrip.parts.loading import load
from tests.nodes.mindtrip.parts.pdf_file import make_pdf


def encrypted(content: bytes, password: str, algorithm: Literal["RC4-128", "AES-256"]) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(content))
    writer.encrypt(password, "owner", algorithm=algorithm)
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_the_text_of_all_pages_is_one_document(tmp_path: Path) -> None:
    (document,) = load(tmp_path, "a.pdf", make_pdf([["日月湾。"], [], ["Surf here."]], title="指南"))
    assert (document.title, document.text) == ("指南", "日月湾。\n\nSurf here.")
    assert document.metadata == {"pages": 3, "pages_without_text": ["2"]}


def test_without_a_title_the_first_line_is_it(tmp_path: Path) -> None:
    (document,) = load(tmp_path, "a.pdf", make_pdf([["日月湾", "浪大。"]]))
    assert (document.title, document.metadata) == ("日月湾", {"pages": 1})


def test_lines_broken_by_the_margin_are_joined(tmp_path: Path) -> None:
    lines = [
        "标题",
        "日月湾在万宁南端的礼纪镇，是国内最有名",
        "的冲浪海湾。",
        "Riyue Bay is the best",
        "known bay.",
    ]
    (document,) = load(tmp_path, "a.pdf", make_pdf([lines]))
    assert document.text.split("\n") == [
        "标题",
        "日月湾在万宁南端的礼纪镇，是国内最有名的冲浪海湾。",
        "Riyue Bay is the best known bay.",
    ]


def test_a_file_that_anyone_may_open_is_read(tmp_path: Path) -> None:
    content = encrypted(make_pdf([["free to read"]]), "", "RC4-128")
    assert load(tmp_path, "a.pdf", content)[0].text == "free to read"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (encrypted(make_pdf([["secret"]]), "password", "AES-256"), "encrypted"),
        (make_pdf([[], []]), "no text can be extracted"),
        (make_pdf([]), "no text can be extracted"),
        (make_pdf([["x"]])[:200], "damaged"),
        (b"%PDF-1.7\n", "damaged"),
        (make_pdf([["x"]]).replace(b"/Length 1", b"/Filter /Fl /Length 1"), "damaged"),
        ("日月湾".encode(), "no PDF"),
        (b"\x89PNG\r\n\x1a\n\0", "no PDF"),
    ],
)
def test_what_gives_no_text_is_an_error(tmp_path: Path, content: bytes, reason: str) -> None:
    with pytest.raises(FileReadError, match=rf"a\.pdf.*{reason}"):
        load(tmp_path, "a.pdf", content)
