"""The audit log: appended line by line, read as a stream, broken lines counted and named."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, cast

import pytest

from mindatlas.nodes.atlassplit.parts.publishing import audit
from mindatlas.nodes.atlassplit.parts.publishing.audit import (
    AuditLine,
    append_audit,
    audit_file,
    read_audit,
    sha256_of,
)
from mindatlas.nodes.errors import UsageError


def line(**changes: Any) -> AuditLine:
    facts: dict[str, Any] = {
        "version": 1,
        "run_id": "r1",
        "round": 1,
        "private": False,
        "request": "按门店汇总",
        "request_sha256": sha256_of("按门店汇总"),
        "strategy": "generate",
        "model": "builtin",
        "prompt_hash": None,
        "code": "result = df\n",
        "code_sha256": sha256_of("result = df\n"),
        "chart": None,
        "error": {"kind": "KeyError", "message": "'利润'", "line": 1},
        "error_type": "E1",
        "evidence": ["KeyError of a column"],
        "assertions": [],
        "precheck": [],
        "executions": 1,
        "seconds": 0.5,
        "tokens": {"input": 0, "output": 0},
        "versions": {"python": "3.11", "pandas": "3.1.1", "mindatlas": "0.1.0"},
        "sandbox": "landlock",
        "inputs": [{"path": "a.xlsx", "sha256": "0" * 64}],
        "active": "Sheet1",
        "include_hidden": False,
        "outputs": [],
        "settings_sha256": "f" * 64,
        "status": None,
        "stop_reason": None,
    }
    return cast(AuditLine, facts | changes)


def test_lines_come_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "o.audit.jsonl"
    lines = [line(round=number, error=None if number == 2 else line()["error"]) for number in (1, 2)]
    for each in lines:
        append_audit(path, each)
    reader = read_audit(path)
    assert list(reader) == lines
    assert reader.broken == []
    assert path.read_text(encoding="utf-8").count("\n") == 2


def test_odd_text_and_numbers_stay_one_line(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    message = "a\nb\u2028c\x85 \ud800 \x00"
    append_audit(path, line(error={"kind": "E", "message": message, "line": None}, evidence=[float("inf")]))
    (found,) = read_audit(path)
    assert found["error"] == {"kind": "E", "message": message.replace("\ud800", "?"), "line": None}
    assert found["evidence"] == [None]


def test_broken_lines_are_passed_over_and_named(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    append_audit(path, line())
    with path.open("ab") as file:
        file.write(
            b'{"version": 1, "run_id"\n\n[1]\n\xff\n' + json.dumps(line() | {"version": 2}).encode() + b"\n"
        )
        file.write(json.dumps(line() | {"round": "one"}).encode() + b"\n")
    append_audit(path, line(round=2))
    reader = read_audit(path)
    assert [each["round"] for each in reader] == [1, 2]
    assert [(each.number, each.reason.split(":")[0]) for each in reader.broken] == [
        (2, "no JSON"),
        (4, "no JSON object"),
        (5, "no JSON"),
        (6, "its format version 2 is newer than 1; update mindatlas"),
        (7, "round"),
    ]


def test_a_line_cut_by_a_crash_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    append_audit(path, line())
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:50])
    append_audit(path, line(round=2))
    reader = read_audit(path)
    assert [each["round"] for each in reader] == [1, 2]
    assert [each.number for each in reader.broken] == [2]


def test_reading_is_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "o.jsonl"
    append_audit(path, line())
    reader = read_audit(path)
    assert next(reader)["round"] == 1
    append_audit(path, line(round=2))
    assert next(reader)["round"] == 2


def test_each_line_is_on_the_disk_before_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_size))
    path = tmp_path / "o.jsonl"
    append_audit(path, line())
    assert synced == [path.stat().st_size]


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 2},
        {"request_sha256": "abc"},
        {"error_type": "E9"},
        {"error": {"message": "x"}},
        {"assertions": [{"kind": "row_count"}]},
        {"sandbox": "none"},
        {"extra": 1},
        {"seconds": float("nan")},
    ],
)
def test_a_wrong_line_is_never_written(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no audit line"):
        append_audit(tmp_path / "o.jsonl", line(**changes))
    assert not (tmp_path / "o.jsonl").exists()


def test_the_type_has_the_keys_of_the_schema() -> None:
    schema = json.loads(audit._SCHEMA.read_text(encoding="utf-8"))
    assert list(AuditLine.__annotations__) == list(schema["properties"])
    assert sorted(schema["required"]) == sorted(schema["properties"])


def test_files_are_named_with_their_hash(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_bytes(b"abc")
    assert audit_file(source) == {"path": str(source), "sha256": sha256_of("abc")}
    with pytest.raises(UsageError, match="no audit log"):
        read_audit(tmp_path / "none.jsonl")
    with pytest.raises(UsageError, match="cannot be written"):
        append_audit(tmp_path, line())
