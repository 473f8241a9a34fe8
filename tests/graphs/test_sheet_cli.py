"""The commands sheet, schema, precheck and resume, as a user types them."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from tests.graphs.command import Done, run
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


def cells(path: str | Path) -> list[list[list[tuple[Any, str]]]]:
    """Return values and formats of all sheets."""
    return [
        [[(cell.value, cell.number_format) for cell in row] for row in sheet.iter_rows()]
        for sheet in load_workbook(path)
    ]


def audit_of(output: str) -> Path:
    path = Path(output)
    return path.with_name(f"{path.stem}.audit.jsonl")


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


def test_a_run_again_from_its_audit_is_the_same(workbook: Path) -> None:
    first = run("sheet", workbook, REQUEST, "--json").json
    again = run("sheet", "--from-audit", audit_of(first["output"]), "--json")
    assert (again.code, again.json["result"]) == (0, first["result"])
    assert again.json["output"] != first["output"]
    assert cells(again.json["output"]) == cells(first["output"])


def test_an_audit_whose_workbook_changed_is_not_run_again(workbook: Path) -> None:
    first = run("sheet", workbook, REQUEST, "--json").json
    write_workbook(workbook, [("a", "b"), (1, 2)])
    done = run("sheet", "--from-audit", audit_of(first["output"]))
    assert (done.code, "its content has changed" in done.err) == (2, True)


def test_a_moved_workbook_can_be_named(workbook: Path, tmp_path: Path) -> None:
    first = run("sheet", workbook, REQUEST, "--json").json
    moved = workbook.rename(tmp_path / "moved.xlsx")
    done = run("sheet", moved, "--from-audit", audit_of(first["output"]), "--json")
    assert (done.code, done.json["result"]) == (0, first["result"])


def test_a_split_into_files_is_split_again(workbook: Path) -> None:
    first = run("sheet", workbook, "按门店拆分到不同文件", "--json").json
    again = run("sheet", "--from-audit", workbook.with_name("sales.result.audit.jsonl"), "--json").json
    names = {path.name for path in Path(first["output"]).iterdir()}
    assert names == {path.name for path in Path(again["output"]).iterdir()} == {"朝阳店.xlsx", "徐汇店.xlsx"}


def test_a_private_run_keeps_cell_values_out_of_its_audit(workbook: Path) -> None:
    done = run("sheet", workbook, "门店是朝阳店的记录", "--private", "--json", "--model", "faulty:2")
    assert done.code == 0, done.err
    text = audit_of(done.json["output"]).read_text(encoding="utf-8")
    assert "朝阳店" not in text
    assert "徐汇店" not in text
    refused = run("sheet", "--from-audit", audit_of(done.json["output"]))
    assert (refused.code, "is private" in refused.err) == (2, True)


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


def waiting(workbook: Path, *options: object) -> Done:
    done = run("sheet", workbook, REQUEST, "--approve", "--json", *options)
    assert (done.code, done.json["stop_reason"], done.json["executions"]) == (1, "waiting_for_approval", 0)
    return done


def test_a_run_waits_for_approval_and_goes_on(workbook: Path) -> None:
    asked = waiting(workbook).json
    assert asked["waiting_for"]["code"] == asked["code"]
    assert asked["waiting_for"]["plan"]["operations"][0]["kind"] == "aggregate"
    done = run("resume", asked["run_id"], "--answer", "yes", "--json")
    assert (done.code, done.json["run_id"], done.json["status"]) == (0, asked["run_id"], "pass")
    assert set(done.json) == KEYS
    assert run("resume", asked["run_id"], "--answer", "yes").code == 2


def test_a_run_may_be_declined_or_its_program_edited(workbook: Path, tmp_path: Path) -> None:
    declined = run("resume", waiting(workbook).json["run_id"], "--answer", "no", "--json")
    assert (declined.code, declined.json["stop_reason"]) == (1, "declined")
    edited = tmp_path / "edited.py"
    edited.write_text("result = df['销售额'].sum().item()\n", encoding="utf-8")
    done = run("resume", waiting(workbook).json["run_id"], "--answer", f"@{edited}", "--json")
    assert done.json["executions"] >= 1
    assert done.json["notices"].count("The program was edited by the user before it ran.") == 1


def test_a_run_that_waits_needs_an_answer(workbook: Path) -> None:
    run_id = waiting(workbook).json["run_id"]
    done = run("resume", run_id)
    assert (done.code, "waits for an answer" in done.err) == (2, True)


def test_each_new_program_of_a_run_is_approved(workbook: Path) -> None:
    run_id = waiting(workbook, "--model", "faulty:3").json["run_id"]
    again = run("resume", run_id, "--answer", "yes", "--json")
    assert (again.code, again.json["stop_reason"], again.json["executions"]) == (1, "waiting_for_approval", 1)
    assert run("resume", run_id, "--answer", "yes", "--json").json["status"] == "pass"


KILLED = """
import os, signal, sys
from mindatlas.graphs import runs
from mindatlas.graphs.__main__ import main
ask = runs.run
def run(graph, inputs, **options):
    if inputs is not None and not isinstance(inputs, dict):  # the answer arrived
        options["step"] = lambda name: os.kill(os.getpid(), signal.SIGKILL) if name == "execute" else None
    return ask(graph, inputs, **options)
from mindatlas.graphs import resuming
resuming.run = run
main()
"""


@pytest.mark.slow
def test_a_run_that_was_approved_and_killed_goes_on_without_asking_or_executing_again(
    workbook: Path, home: Path
) -> None:
    run_id = waiting(workbook).json["run_id"]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, "resume", run_id, "--answer", "yes"],
        env={**os.environ, "MINDATLAS_HOME": str(home)},
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    done = run("resume", run_id, "--json")
    assert (done.code, done.json["status"], done.json["executions"]) == (0, "pass", 1)
    assert done.json["path"].count("execute") == 1


def test_schema_tells_what_is_in_a_workbook(workbook: Path) -> None:
    assert "sheets['销售'], also df" in run("schema", workbook).out
    card = run("schema", workbook, "--json").json
    assert card["tables"][0]["columns"][0]["name"] == "门店"
    assert "朝阳店" not in run("schema", workbook, "--private").out
    assert run("schema", workbook.with_name("nowhere.xlsx")).code == 2


def test_precheck_tells_what_is_to_be_mended(workbook: Path, tmp_path: Path) -> None:
    program = tmp_path / "own.py"
    program.write_text("result = df['销售金额'].sum()\n", encoding="utf-8")
    done = run("precheck", program, "--workbook", workbook, "--json")
    assert set(done.json) == {"ok", "missing", "unknown", "suggestions", "lint", "feedback"}
    assert (done.code, done.json["missing"]) == (1, ["销售金额"])
    program.write_text(BY_STORE, encoding="utf-8")
    right = run("precheck", program, "--workbook", workbook)
    assert (right.code, right.out) == (0, "Nothing to mend.\n")
    assert run("precheck", program).code == 2


def test_precheck_takes_a_batch(tmp_path: Path) -> None:
    batch = tmp_path / "cases.jsonl"
    lines: list[dict[str, Any]] = [
        {"id": "a", "frames": {"df": ["x"]}, "code": "df['y']"},
        {"id": "b", "frames": {"df": ["x"]}, "code": "df['x']"},
        {"id": "c", "frames": ["x"], "code": ""},
    ]
    batch.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = run("precheck", "--batch", batch)
    assert done.code == 1
    assert [line.get("missing") for line in done.lines] == [["y"], [], None]


def test_the_drawing_and_the_doctor_know_the_graph(home: Path) -> None:
    assert "check_assertions" in run("draw", "atlassplit").out
    assert run("doctor", "--json").json["sandbox"] == "landlock"
