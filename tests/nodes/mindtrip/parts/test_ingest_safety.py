from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from mindatlas.nodes.errors import FileReadError, StoreError
from mindatlas.nodes.mindtrip.parts import ingest as ingesting
from mindatlas.nodes.mindtrip.parts.ingest import ingest
from mindatlas.nodes.mindtrip.parts.knowledge_base import MANIFEST, KnowledgeBase
from tests.knowledge import (
    found_by_each_leg,
    ingest_records,
    make_base,
    place,
    snapshot,
    write_records,
)

OLD = [place("日月湾", "日月湾有冲浪店。"), place("石梅湾", "石梅湾很安静。")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.jsonl", b'{"id": 1'),
        ("binary.txt", b"\x00\xff\xfe\x00\x01" * 50),
        ("broken.pdf", b"%PDF-1.4 nothing more"),
        ("broken.csv", b'a,b\n"1,2\n'),
        ("empty.md", b""),
        ("picture.png", b"\x89PNG"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_and_nothing_is_lost(
    tmp_path: Path, name: str, content: bytes
) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    before = snapshot(folder)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileReadError, match=name):
        ingest(folder, [tmp_path / name])
    assert snapshot(folder) == before


def fail(*given: Any, **named: Any) -> Any:
    raise OSError("disk full")


def crash(monkeypatch: pytest.MonkeyPatch, module: object, name: str, work: Callable[[], object]) -> None:
    """Run `work` with `module.name` failing, as a full disk would make it."""
    with monkeypatch.context() as patched:
        patched.setattr(module, name, fail)
        with pytest.raises(OSError, match="disk full"):
            work()


@pytest.mark.parametrize("step", ["_write_lines", "build_lexical", "write_vectors", "write_atomically"])
def test_a_crash_leaves_the_old_index_whole_and_the_next_ingest_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    new = [*OLD, place("后海")]
    crash(monkeypatch, ingesting, step, lambda: ingest_records(folder, new))
    assert all("日月湾" in found for found in found_by_each_leg(KnowledgeBase(folder), "日月湾").values())
    assert KnowledgeBase(folder).ids == ["日月湾", "石梅湾"]
    report = ingest_records(folder, new)
    assert (report.added, report.generation) == (1, 2)
    assert all("后海" in found for found in found_by_each_leg(KnowledgeBase(folder), "后海").values())


def test_a_crash_while_vectors_are_written_can_be_repaired_in_the_same_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chromadb.api.models.Collection import Collection

    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    crash(monkeypatch, Collection, "upsert", lambda: ingest_records(folder, [*OLD, place("后海")]))
    assert ingest_records(folder, [*OLD, place("后海")]).added == 1


def test_a_knowledge_base_can_be_deleted_and_made_anew_in_one_process(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    assert make_base(folder, OLD).dense is not None
    shutil.rmtree(folder)
    assert found_by_each_leg(make_base(folder, [place("后海")]), "后海")["dense"] == {"后海"}


def test_a_killed_first_ingest_leaves_no_knowledge_base(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kb"
    crash(monkeypatch, ingesting, "write_vectors", lambda: ingest_records(folder, OLD))
    assert not (folder / MANIFEST).exists()
    assert ingest_records(folder, OLD).added == 2


def test_a_second_writer_gets_a_clear_error_and_a_reader_is_not_disturbed(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    with FileLock(folder / "writer.lock"):
        with pytest.raises(StoreError, match=r"Another process is writing.*kb.*try again"):
            ingest_records(folder, [place("后海")])
        assert KnowledgeBase(folder).ids == ["日月湾", "石梅湾"]
    assert ingest_records(folder, [place("后海")]).added == 1


WRITER = """
import sys
from pathlib import Path
from mindatlas.nodes.errors import StoreError
from mindatlas.nodes.mindtrip.parts.ingest import ingest
try:
    ingest(Path(sys.argv[1]), [Path(sys.argv[2])], embedding="builtin")
except StoreError as error:
    sys.exit(f"StoreError: {error}")
"""


@pytest.mark.slow
def test_a_second_writer_process_is_kept_out(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    source = write_records(tmp_path / "new.jsonl", [place("后海")])
    command = [sys.executable, "-c", WRITER, str(folder), str(source)]
    with FileLock(folder / "writer.lock"):
        locked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "StoreError: Another process is writing" in locked.stderr
    assert locked.returncode == 1
    free = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (free.returncode, free.stderr) == (0, "")
    assert KnowledgeBase(folder).ids == ["后海", "日月湾", "石梅湾"]
