"""The command `desk` against the real order server: figures of SQL, both clocks, questions, drift, batches."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.workdesk.parts.order_book import book_path, open_book
from tests.graphs.command import Done, run, run_process

pytestmark = pytest.mark.slow

TODAY = "2026-04-15"
MARCH = ("2026-03-01 00:00:00", "2026-03-31 23:59:59")
KEYS = {
    "run_id", "question", "model", "answer", "tool_calls", "repairs", "verification", "clarification", "chart", "notices",
    "stop_reason", "path", "prompt_versions", "usage", "timings_ms",
}  # fmt: skip


@pytest.fixture(scope="module")
def desk_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("desk")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINDATLAS_HOME", str(folder))
        until = date.fromisoformat(TODAY)
        open_book(book_path(until), until=until, days=150).close()
        yield folder


@pytest.fixture(scope="module")
def book(desk_home: Path) -> Iterator[sqlite3.Connection]:
    connection = open_book(book_path(date.fromisoformat(TODAY)))
    yield connection
    connection.close()


def desk(question: str, *options: object) -> Done:
    return run("desk", question, "--today", TODAY, "--json", *options)


def by_team(book: sqlite3.Connection, column: str) -> dict[str, int]:
    query = f"SELECT coalesce(team_id, ''), count(*) FROM orders WHERE {column} BETWEEN ? AND ? GROUP BY 1"
    return dict(tuple(row) for row in book.execute(query, MARCH))


def counted(call: dict[str, Any]) -> dict[str, int]:
    return {row["key"]: row["cnt"] for row in call["rows"]}


def test_both_clocks_with_the_figures_of_sql(book: sqlite3.Connection) -> None:
    done = desk("上个月各班组有多少工单？")
    output = done.json
    assert (done.code, set(output)) == (0, KEYS)
    created, finished = by_team(book, "created_at"), by_team(book, "finished_at")
    assert [counted(call) for call in output["tool_calls"]] == [created, finished]
    assert [repair["kind"] for repair in output["repairs"]].count("rerun_dual_time") == 1
    for figure in (*created.values(), *finished.values()):
        assert str(figure) in output["answer"]
    assert [len(series["data"]) for series in output["chart"]["series"]] == [len(created)] * 2


def test_the_finished_clock_alone_where_it_is_named(book: sqlite3.Connection) -> None:
    output = desk("上个月各班组完成了多少工单？").json
    assert [counted(call) for call in output["tool_calls"]] == [by_team(book, "finished_at")]


def test_a_question_in_english(book: sqlite3.Connection) -> None:
    output = desk("How many work orders were created last month?").json
    assert str(sum(by_team(book, "created_at").values())) in output["answer"]


def test_a_time_that_is_missing_is_asked_for_and_the_answer_resumes(book: sqlite3.Connection) -> None:
    asked = desk("各班组创建了多少工单？")
    assert (asked.code, asked.json["stop_reason"], asked.json["tool_calls"]) == (1, "asked", [])
    assert asked.json["clarification"]["kind"] == "time_range"
    assert asked.json["clarification"]["action_requests"]
    done = run_process("resume", asked.json["run_id"], "--answer", "上个月", "--json")
    assert (done.code, done.json["stop_reason"]) == (0, "answered"), done.err
    assert [counted(call) for call in done.json["tool_calls"]] == [by_team(book, "created_at")]


def test_a_name_of_two_teams_is_asked_about(book: sqlite3.Connection) -> None:
    asked = desk("上个月东区抢修组创建了多少工单？")
    choices = {choice["value"] for choice in asked.json["clarification"]["choices"]}
    assert (asked.code, choices >= {"T-017", "T-018"}) == (1, True)
    done = run("resume", asked.json["run_id"], "--answer", "T-017", "--json")
    query = "SELECT count(*) FROM orders WHERE team_id = 'T-017' AND created_at BETWEEN ? AND ?"
    assert str(book.execute(query, MARCH).fetchone()[0]) in done.json["answer"]
    assert "东区抢修组" in done.json["answer"]


def test_a_thread_remembers_what_was_asked(book: sqlite3.Connection) -> None:
    first = desk("上个月创建了多少工单？", "--thread", "follow").json
    assert first["stop_reason"] == "answered"
    second = desk("那上上个月呢？", "--thread", "follow").json
    assert second["tool_calls"][0]["args"]["start_time"] == "2026-02-01 00:00:00"


def test_a_remark_is_written_once_after_approval(book: sqlite3.Connection) -> None:
    order = book.execute("SELECT order_id FROM orders LIMIT 1").fetchone()[0]
    asked = desk(f"给工单 {order} 加备注“已联系客户”")
    assert (asked.json["clarification"]["kind"], asked.json["tool_calls"]) == ("approve_call", [])
    done = run("resume", asked.json["run_id"], "--answer", "yes", "--json")
    assert done.code == 0, done.err
    found = book.execute("SELECT content FROM remarks WHERE order_id = ?", [order]).fetchall()
    assert [row[0] for row in found] == ["已联系客户"]


def test_what_is_no_question_of_the_desk_is_refused() -> None:
    done = desk("写一首关于春天的诗")
    assert (done.code, done.json["stop_reason"], done.json["tool_calls"]) == (1, "refused", [])


def test_a_server_killed_in_the_middle_of_a_call(tmp_path: Path, desk_home: Path) -> None:
    script = Path(__file__).parents[1] / "nodes" / "workdesk" / "parts" / "unruly_server.py"
    ends = {"start_time": {"role": "range_start"}, "end_time": {"role": "range_end"}}
    overlay = {"server": "unruly", "tools": {"die": {"role": "statistics", "parameters": ends}}}
    (tmp_path / "unruly.yaml").write_text(json.dumps(overlay), encoding="utf-8")
    servers = {"mcpServers": {"unruly": {"command": sys.executable, "args": [str(script)]}}}
    (tmp_path / "mcp.json").write_text(json.dumps(servers), encoding="utf-8")
    done = desk("上个月有多少工单？", "--mcp", tmp_path / "mcp.json", "--overlay", tmp_path)
    assert (done.code, done.json["stop_reason"]) == (1, "server_gone"), done.json
    assert done.json["answer"]


def test_overlays_fit_the_shipped_server_and_drift_is_told(tmp_path: Path, desk_home: Path) -> None:
    fits = run("desk", "--check-overlays", "--today", TODAY, "--json")
    assert fits.code == 0, fits.out
    overlay = {
        "server": "orders",
        "tools": {
            "order_stat": {"schema_sha256": "0" * 64, "parameters": {"colour": {"description": "gone"}}}
        },
    }
    (tmp_path / "orders.yaml").write_text(json.dumps(overlay), encoding="utf-8")
    drift = run("desk", "--check-overlays", "--today", TODAY, "--overlay", tmp_path)
    assert (drift.code, "colour" in drift.out) == (1, True)


def test_a_batch_keeps_its_order_and_asks_nobody(tmp_path: Path, desk_home: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"id": 1, "question": "上个月创建了多少工单？"},
        {"id": 2, "question": "各班组创建了多少工单？"},
        {"id": 3},
    ]
    batch = tmp_path / "questions.jsonl"
    batch.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    done = run("desk", "--batch", batch, "--today", TODAY)
    assert (done.code, [line["id"] for line in done.lines]) == (1, [1, 2, 3])
    assert [line.get("stop_reason") for line in done.lines] == ["answered", "asked", None]
    assert "question" in done.lines[2]["error"]["message"]


def test_repairs_become_draft_cases_once(tmp_path: Path, desk_home: Path) -> None:
    drafts = tmp_path / "drafts.jsonl"
    for _ in range(2):
        desk("上个月各班组有多少工单？", "--drafts", drafts)
    cases = [json.loads(line) for line in drafts.read_text(encoding="utf-8").splitlines()]
    assert [case["case_type"] for case in cases].count("rerun_dual_time") == 1
    assert all(not case["reviewed"] and case["query"] for case in cases)


@pytest.mark.parametrize("seed", range(6))
def test_faulty_models_are_repaired_or_end_honestly(seed: int, book: sqlite3.Connection) -> None:
    output = desk("上个月创建了多少工单？", "--model", f"faulty:{seed}").json
    if output["stop_reason"] == "answered":
        assert str(sum(by_team(book, "created_at").values())) in output["answer"].replace(",", "")
    assert any("Simulated" in notice for notice in output["notices"])


@pytest.mark.parametrize(
    "options",
    [
        ("--mcp", "no-such.json"),
        ("--overlay", "no-such-folder"),
        ("--today", "yesterday"),
        ("--max-calls", "0"),
        ("--disable", "no_such_repair"),
        ("--model", "no_such_provider:x"),
    ],
)
def test_wrong_use_is_told(options: tuple[str, str]) -> None:
    done = run("desk", "上个月有多少工单？", *options)
    assert (done.code, done.out, bool(done.err)) == (2, "", True)


def test_replies_are_verified_in_a_batch(tmp_path: Path) -> None:
    lines = [
        {"id": "a", "reply": "order_stat(group_by='team')", "tool_results": [], "tools": ["order_stat"]},
        {
            "id": "b",
            "reply": "没有查到数据。",
            "tool_results": [{"tool": "order_stat", "content": '[{"cnt": 7}]'}],
        },
        {
            "id": "c",
            "reply": "共 7 单。",
            "tool_results": [{"tool": "order_stat", "content": '[{"cnt": 7}]'}],
        },
    ]
    batch = tmp_path / "replies.jsonl"
    batch.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    done = run("verify-reply", "--batch", batch)
    assert [(line["id"], line["kind"]) for line in done.lines] == [
        ("a", "pseudo_call"), ("b", "false_negative"), ("c", "ok")
    ]  # fmt: skip
    assert run("verify-reply").code == 2
