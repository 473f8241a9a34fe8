"""The commands sheet, schema, precheck and resume, as a user types them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.graphs.command import run
from tests.sheets import BY_STORE, write_workbook

REQUEST = "按门店汇总销售额"
KEYS = {
    "run_id", "request", "status", "rounds", "precheck", "precheck_regenerations", "executions", "column_map", "refusal",
    "assertions", "result", "output", "code", "sandbox", "versions", "model", "notices", "stop_reason", "path",
    "prompt_versions", "usage", "timings_ms",
}  # fmt: skip


@pytest.fixture
def workbook(tmp_path: Path, home: Path) -> Path:
    return write_workbook(tmp_path / "sales.xlsx")


def test_json_is_one_object_as_the_contract_says(workbook: Path) -> None:
    done = run("sheet", workbook, REQUEST, "--json")
    assert (done.code, set(done.json)) == (0, KEYS)
    assert done.json["column_map"] == {"门店": "门店", "销售额": "销售额"}
    assert {record["source"] for record in done.json["assertions"]} == {"conservation"}
    assert done.json["result"]["n_rows"] == 2
    assert set(done.json["rounds"][0]) == {
        "round", "strategy", "error_type", "error", "evidence", "assertions", "code_sha256", "seconds",
    }  # fmt: skip


def test_text_is_the_result_and_where_it_lies(workbook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workbook.parent)
    done = run("sheet", "sales.xlsx", REQUEST)
    assert done.out.splitlines() == ["门店    销售额", "徐汇店  50", "朝阳店  150", "-> sales.result.xlsx"]
    assert "✓ group sums match total" in done.err


@pytest.mark.parametrize(
    ("seed", "told"),
    [
        (1, "precheck: 1 program(s) sent back before running: no column "),
        (2, "round 1 (generate): E2 ValueError: could not convert string to float"),
        (3, "round 1 (generate): E3 unique key of '门店': expected 0, actual 1, difference 1"),
    ],
)
def test_repairs_can_be_watched(workbook: Path, seed: int, told: str) -> None:
    done = run("sheet", workbook, REQUEST, "--model", f"faulty:{seed}")
    assert done.code == 0
    assert told in done.err
    assert "Simulated faults, not a language model." in done.err


def test_the_input_stays_as_it_is(workbook: Path) -> None:
    before = hashlib.sha256(workbook.read_bytes()).hexdigest()
    assert run("sheet", workbook, REQUEST).code == 0
    assert hashlib.sha256(workbook.read_bytes()).hexdigest() == before


def test_a_refusal_says_what_is_missing_and_ends_with_1(workbook: Path) -> None:
    done = run("sheet", workbook, "按门店汇总利润", "--json")
    assert (done.code, done.json["status"], done.json["stop_reason"]) == (1, "stopped", "refused")
    assert done.json["refusal"]["about"] == "利润"
    assert (done.json["output"], done.json["result"], done.json["executions"]) == (None, None, 0)
    assert [path.name for path in workbook.parent.glob("sales*")] == ["sales.xlsx"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Name the workbooks"),
        (["BOOK"], "Name the workbooks"),
        (["BOOK", "BOOK"], "must be the request"),
        (["nowhere.xlsx", REQUEST], "there is no file"),
        (["BOOK", REQUEST, "-o", "BOOK"], "inputs are never changed"),
        (["BOOK", REQUEST, "-o", "out.pdf"], "must end in .xlsx or .csv"),
        (["BOOK", REQUEST, "--rounds", "0"], "'rounds' must lie between 1 and 10"),
        (["BOOK", REQUEST, "--assert", "nowhere.yaml"], "cannot be opened"),
        (["BOOK", "--code", "nowhere.py"], "Cannot read the program"),
        (["--from-audit", "nowhere.jsonl"], "there is no audit log"),
        (["BOOK", "--code", "x.py", "--from-audit", "y.jsonl"], "exclude each other"),
        (["BOOK", REQUEST, "--resume"], "go with --batch"),
        (["BOOK", REQUEST, "--batch", "x.jsonl"], "nothing beside it"),
        (["BOOK", REQUEST, "--model", "gpt"], "Cannot read the model name"),
        (["BOOK", REQUEST, "--disable", "gravity"], "gravity"),
        (["BOOK", REQUEST, "--today", "gestern"], "must be a date"),
    ],
)
def test_wrong_use_is_said_and_ends_with_2(workbook: Path, arguments: list[str], said: str) -> None:
    done = run("sheet", *(str(workbook) if argument == "BOOK" else argument for argument in arguments))
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err


def test_a_missing_key_ends_with_3(workbook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    done = run("sheet", workbook, REQUEST, "--model", "openai:gpt-4.1-mini")
    assert done.code == 3
    assert "OPENAI_API_KEY" in done.err


def test_assertions_of_the_user_are_checked(workbook: Path, tmp_path: Path) -> None:
    asserted = tmp_path / "asserted.yaml"
    asserted.write_text("- {kind: row_count, expected: 3}\n", encoding="utf-8")
    done = run("sheet", workbook, REQUEST, "--assert", asserted, "--rounds", 2)
    assert done.code == 1
    assert "✗ row count: expected 3, actual 2, difference -1" in done.err
    assert done.err.splitlines()[-1] == "failed: rounds_used_up"


def test_a_program_of_ones_own_runs_and_is_never_rewritten(workbook: Path, tmp_path: Path) -> None:
    program = tmp_path / "own.py"
    program.write_text(BY_STORE, encoding="utf-8")
    done = run("sheet", workbook, "--code", program, "--json")
    assert (done.code, done.json["code"], done.json["status"]) == (0, BY_STORE, "pass")
    program.write_text("result = df['销售金额']\n", encoding="utf-8")
    failed = run("sheet", workbook, "--code", program, "--json")
    assert (failed.code, failed.json["executions"], failed.json["precheck_regenerations"]) == (1, 1, 0)
    assert failed.json["precheck"][0]["suggestions"]["销售金额"][0]["column"] == "销售额"


def test_a_batch_keeps_order_and_a_failed_line_stops_nothing(workbook: Path, tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"id": 1, "workbooks": [str(workbook)], "request": REQUEST},
        {"id": "1", "workbooks": [str(workbook)], "request": "按月份汇总销售额"},
        {"id": "x/y", "workbooks": ["nowhere.xlsx"], "request": REQUEST},
        {"id": "n", "workbooks": str(workbook), "request": REQUEST},
        {"id": "r", "workbooks": [str(workbook)], "request": "写一首诗"},
        {"id": "a", "workbooks": [str(workbook)], "request": REQUEST, "assertions": [{"kind": "row_count", "expected": 9}]},
    ]  # fmt: skip
    batch, folder = tmp_path / "batch.jsonl", tmp_path / "results"
    batch.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = run("sheet", "--batch", batch, "-o", folder)
    assert done.code == 1
    assert [line["id"] for line in done.lines] == [line["id"] for line in lines]
    assert [line.get("status") for line in done.lines] == ["pass", "pass", None, None, "stopped", "failed"]
    assert done.lines[2]["error"]["type"] == "FileReadError"
    assert [Path(line["output"]).name for line in done.lines[:2]] == ["1.xlsx", "1-2.xlsx"]


def test_a_batch_waits_for_nobody(workbook: Path, tmp_path: Path) -> None:
    batch = tmp_path / "batch.jsonl"
    batch.write_text("", encoding="utf-8")
    assert run("sheet", "--batch", batch, "--approve").code == 2


def test_the_drawing_and_the_doctor_know_the_graph(home: Path) -> None:
    assert "check_assertions" in run("draw", "atlassplit").out
    assert run("doctor", "--json").json["sandbox"] == "landlock"
