from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mindatlas.evals.learning.imports import import_file
from mindatlas.evals.learning.store import open_store
from mindatlas.nodes.atlassplit.parts.publishing.audit import AUDIT_VERSION, append_audit
from mindatlas.nodes.errors import FileReadError
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from tests.evals.learning.drafts import draft, drafts, write_suite

SHA = "a" * 64
VERSIONS = {"python": "3.11.9", "pandas": "2.2.3", "mindatlas": "0.1.0"}
DESK = {
    "id": "d1", "query": "上周三亚关了几单", "expected": {"repairs": ["date_range"]}, "case_type": "clock",
    "source": "user_feedback", "reviewed": False, "created": "2026-12-01T08:00:00Z", "note": "上周 read as 7 days",
}  # fmt: skip


def audit_line(
    run_id: str, *, status: str | None, request: str | None = "按店合计", **more: Any
) -> dict[str, Any]:
    return {
        "version": AUDIT_VERSION, "run_id": run_id, "round": 1, "private": request is None, "request": request,
        "request_sha256": SHA, "strategy": "generate", "model": "builtin", "prompt_hash": None, "code": "x",
        "code_sha256": SHA, "chart": None, "error": None, "error_type": "E2", "evidence": None, "assertions": [],
        "precheck": [], "executions": 1, "seconds": 0.1, "tokens": {"input": 0, "output": 0}, "versions": VERSIONS,
        "sandbox": "landlock", "inputs": [{"path": "/home/瞿/sales.xlsx", "sha256": SHA}], "active": None,
        "include_hidden": False, "outputs": [], "settings_sha256": SHA, "status": status, "stop_reason": "rounds_used_up",
        **more,
    }  # fmt: skip


def write(path: Path, *lines: object) -> Path:
    texts = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def imported(path: Path) -> Any:
    with open_store() as store:
        return import_file(store, path)


def test_repair_drafts_enter_the_queue_once(home: Path, places: KnowledgeBase, tmp_path: Path) -> None:
    path = write(tmp_path / "desk.jsonl", DESK, {**DESK, "id": "d2", "query": "本月收入多少，联系人：瞿娜娜"})
    assert (imported(path).found, imported(path).added) == (2, 0)
    assert draft(places.folder, write_suite(tmp_path / "s"))["drafted"]
    case = next(queued.case for queued in drafts() if queued.case["query"] == DESK["query"])
    assert (case["expected"], case["case_type"], case["source"], case["reviewed"], case["created"]) == (
        {"repairs": ["date_range"]}, "clock", "user_feedback", False, "2026-12-01",
    )  # fmt: skip
    assert {queued.graph for queued in drafts()} == {"workdesk"}
    assert "瞿娜娜" not in json.dumps([dict(queued.case) for queued in drafts()], ensure_ascii=False)


def test_failed_runs_enter_the_queue_and_good_ones_do_not(
    home: Path, places: KnowledgeBase, tmp_path: Path
) -> None:
    path = tmp_path / "runs.audit.jsonl"
    for line in (
        audit_line("r1", status=None),
        audit_line("r2", status="pass", request="按月合计"),
        audit_line("r1", status="failed", round=2),
        audit_line("r3", status="failed", request=None),
    ):
        append_audit(path, line)  # type: ignore[arg-type]
    report = imported(path)
    assert (report.kind, report.found, report.added) == ("audit", 1, 1)
    assert "'r3' is private" in report.passed_over[0]
    draft(places.folder, write_suite(tmp_path / "s"))
    (queued,) = drafts()
    assert (queued.graph, queued.kind, queued.case["request"]) == ("atlassplit", "failed_e2", "按店合计")
    assert queued.case["workbooks"] == ["sales.xlsx"]


def test_broken_lines_are_named_and_the_others_taken(home: Path, tmp_path: Path) -> None:
    report = imported(write(tmp_path / "desk.jsonl", DESK, "{broken", [1], {**DESK, "case_type": "No Type"}))
    assert (report.found, report.added) == (1, 1)
    assert [fault.split(":")[0] for fault in report.broken] == ["line 2", "line 3", "line 4"]
    assert "case_type" in report.broken[2]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "no JSON object"),
        (["broken"], "no JSON object"),
        ([{"name": 1, "value": 2}], "its first object has: name, value"),
        ([{**DESK, "expected": 3}], r"nothing to import: line 1.*expected"),
    ],
)
def test_a_foreign_file_is_refused(home: Path, tmp_path: Path, lines: list[object], message: str) -> None:
    with pytest.raises(FileReadError, match=message):
        imported(write(tmp_path / "foreign.jsonl", *lines))


def test_a_file_that_is_not_there_is_named(home: Path, tmp_path: Path) -> None:
    with pytest.raises(FileReadError, match=r"gone\.jsonl"):
        imported(tmp_path / "gone.jsonl")
