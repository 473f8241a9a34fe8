"""Runs that wait for approval or were killed, and go on from another process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.graphs.command import Done, run
from tests.sheets import write_workbook

REQUEST = "按门店汇总销售额"
KEYS = {
    "run_id", "request", "status", "rounds", "precheck", "precheck_regenerations", "executions", "column_map", "refusal",
    "assertions", "result", "output", "code", "sandbox", "versions", "model", "notices", "stop_reason", "path",
    "prompt_versions", "usage", "timings_ms",
}  # fmt: skip


@pytest.fixture
def workbook(tmp_path: Path, home: Path) -> Path:
    return write_workbook(tmp_path / "sales.xlsx")


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
