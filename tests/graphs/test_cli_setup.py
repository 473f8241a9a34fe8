from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from tests.graphs.command import run
from tests.knowledge import PLACES, write_records


def test_version() -> None:
    assert run("--version").out == f"mindatlas {version('mindatlas')}\n"


def test_help_lists_the_commands() -> None:
    done = run("--help")
    assert done.code == 0
    for command in ("ask", "ingest", "kb", "draw", "doctor", "resume"):
        assert command in done.out


def test_draw() -> None:
    done = run("draw", "mindtrip")
    assert done.code == 0
    assert "answer_extractively" in done.out
    assert "mindtrip" in run("draw", "nothing").err


def test_doctor(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = run("doctor", "--json")
    assert done.code == 0
    assert done.json["model_reachable"] is True
    assert done.json["home"] == str(home)
    assert done.json["home_writable"] is True
    assert set(done.json["extras"]) >= {"bge", "e5", "studio"}
    assert "home: " in run("doctor").out


def test_ingest_list_info_and_delete(home: Path, tmp_path: Path) -> None:
    source = write_records(tmp_path / "places.jsonl", PLACES)
    report = run("ingest", source, "--kb", "trips", "--embedding", "builtin", "--json")
    assert (report.code, report.json["added"], report.json["passages"]) == (0, len(PLACES), len(PLACES))
    assert "passages" in report.err, "progress is shown on stderr"
    assert run("ingest", source, "--kb", "trips", "--json").json["unchanged"] == len(PLACES)
    assert run("kb", "list", "--json").json == {"knowledge_bases": ["trips"]}
    info = run("kb", "info", "trips", "--json").json
    assert (info["documents"], info["fields"]["price"]) == (len(PLACES), "number")
    assert info["embedding"].startswith("builtin")
    assert run("ask", "哪里能冲浪？", "--kb", "trips").code == 0
    gone = run("kb", "delete", "trips", "--document", "riyue", "--json")
    assert (gone.code, gone.json["deleted"]) == (0, 1)
    assert run("kb", "delete", "trips", "--document", "riyue").code == 2
    assert run("kb", "delete", "trips").code == 2
    assert run("kb", "delete", "trips", "--yes").code == 0
    assert run("kb", "list", "--json").json == {"knowledge_bases": []}
    assert "mindatlas ingest" in run("kb", "list").out


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("binary.txt", b"\x00\x01\xff" * 99),
        ("broken.pdf", b"%PDF-1.4"),
        ("broken.csv", b'a,b\n"1,2\n'),
        ("x.exe", b"MZ"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(home: Path, tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    done = run("ingest", tmp_path / name, "--kb", "trips")
    assert done.code == 2
    assert name in done.err
    assert "Traceback" not in done.err
    assert run("kb", "list", "--json").json == {"knowledge_bases": []}
