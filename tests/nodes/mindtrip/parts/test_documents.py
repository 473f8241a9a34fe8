from __future__ import annotations

import json
import logging
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.errors import FileReadError
from mindatlas.nodes.mindtrip.parts.documents import SUFFIXES, iter_files, load_documents
from mindatlas.nodes.mindtrip.parts.documents_bytes import MAX_FILE_BYTES
from tests.nodes.mindtrip.parts.loading import load
from tests.nodes.mindtrip.parts.pdf_file import make_pdf

IN_PROCESS = [suffix for suffix in SUFFIXES if not suffix.startswith(".xls")]
STARTS = [b"", b"%PDF-1.7\n", b"PK\x03\x04", b"\xff\xfe", b"---\na: ", b"<html><p>", b'[{"a": ', b"a,b\n"]


def test_a_folder_is_read_in_order_of_its_paths(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "one.txt").write_text("一")
    (tmp_path / "a.TXT").write_text("二")
    documents = load_documents(tmp_path)
    assert [(d.source, d.text) for d in documents] == [("a.TXT", "二"), ("b/one.txt", "一")]


def test_a_single_file_is_its_own_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load(tmp_path, "a.txt", "一")[0].source == "a.txt"
    monkeypatch.chdir(tmp_path)
    assert load_documents(Path("a.txt"))[0].source == "a.txt"


def test_what_is_skipped_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("一")
    for name in (".hidden.txt", "~$book.xlsx", "picture.png"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "b.txt").write_text("二")
    notices: list[str] = []
    assert list(iter_files(tmp_path, notice=notices.append)) == [tmp_path / "a.txt"]
    assert len(notices) == 4
    assert all(notice.startswith("Skipped ") for notice in notices)
    assert [document.text for document in load_documents(tmp_path)] == ["一"]


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("一")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "gone.txt").symlink_to(tmp_path / "missing")
    assert list(iter_files(tmp_path)) == [tmp_path / "a.txt"]


def test_a_hidden_file_given_by_name_is_read(tmp_path: Path) -> None:
    assert load(tmp_path, ".notes.txt", "一")[0].text == "一"


@pytest.mark.parametrize("name", ["missing.txt", "missing", "a.docx", "empty", "x" * 300])
def test_a_path_without_documents_is_an_error_that_names_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.docx").write_text("x")
    with pytest.raises(FileReadError, match=name):
        load_documents(tmp_path / name)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("content", [b"", b" \n\t", b"\xef\xbb\xbf", b"\xef\xbb\xbf \n"])
def test_an_empty_file_of_any_format_is_an_error(tmp_path: Path, suffix: str, content: bytes) -> None:
    with pytest.raises(FileReadError, match=r"Cannot read .*(empty|no Excel workbook|no PDF)"):
        load(tmp_path, f"a{suffix}", content)


@pytest.mark.parametrize("suffix", [suffix for suffix in IN_PROCESS if suffix != ".pdf"])
@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"text\n\0\0\0", "NUL bytes"),
        (make_pdf([["page"]]), "a PDF file; name it .pdf"),
        (b"PK\x03\x04rest", "Office or zip"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\x81 \x81 \x81", "neither UTF-8 nor GB 18030"),
    ],
)
def test_binary_content_under_a_text_suffix_is_an_error(
    tmp_path: Path, suffix: str, content: bytes, reason: str
) -> None:
    with pytest.raises(FileReadError, match=reason):
        load(tmp_path, f"a{suffix}", content)


def test_a_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    with path.open("wb") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(FileReadError, match=r"big\.csv.*200 MB.*split"):
        load_documents(path)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("日月湾".encode(), "日月湾"),
        ("日月湾".encode("utf-8-sig"), "日月湾"),
        ("日月湾，冲浪".encode("gb18030"), "日月湾，冲浪"),
        ("日月湾".encode("utf-16"), "日月湾"),
        ("日月湾".encode("utf-16-be"), None),
    ],
)
def test_encodings(tmp_path: Path, content: bytes, text: str | None) -> None:
    if text is None:
        content, text = b"\xfe\xff" + content, "日月湾"
    assert load(tmp_path, "a.txt", content)[0].text == text


def test_ids_are_stable_and_unique(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"text": text}) + "\n" for text in ("same", "same", "other"))
    first = [document.id for document in load(tmp_path, "a.jsonl", lines)]
    assert first == [document.id for document in load(tmp_path, "a.jsonl", lines)]
    assert len(set(first)) == 3
    assert first[0].startswith("a.jsonl:1:")
    assert len(first[0].rsplit(":", 1)[1]) == 12


def test_one_id_for_two_records_is_an_error_that_names_both_places(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": 7, "text": "one"}\n')
    (tmp_path / "b.csv").write_text("id,text\n8,x\n7,two\n")
    with pytest.raises(FileReadError, match=r"'7'.*a\.jsonl' line 1 and .*b\.csv' line 3"):
        load_documents(tmp_path)


def test_the_same_record_twice_is_kept_once(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"id": "7", "text": "one"}\n' * 2)
    (tmp_path / "b.jsonl").write_text('{"text": "one", "id": "7"}\n')
    assert [document.source for document in load_documents(tmp_path)] == ["a.jsonl"]


@pytest.mark.parametrize("content", ['{"id": 7}', "{}", '{"id": 7, "title": " ", "tags": [null, ""]}'])
def test_an_empty_record_is_an_error_that_names_its_line(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileReadError, match=r"a\.jsonl', line 2: .*neither text nor any field"):
        load(tmp_path, "a.jsonl", f'{{"text": "x"}}\n{content}\n')


@given(suffix=st.sampled_from(IN_PROCESS), start=st.sampled_from(STARTS), rest=st.binary(max_size=200))
def test_arbitrary_bytes_are_documents_or_a_file_read_error(suffix: str, start: bytes, rest: bytes) -> None:
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        try:
            documents = load(Path(folder), f"a{suffix}", start + rest)
        except FileReadError as error:
            assert f"a{suffix}" in str(error)
        else:
            assert documents
            assert all(document.title and document.id and document.entity for document in documents)
            json.dumps([document.metadata for document in documents]).encode()
            "".join(document.text for document in documents).encode()
