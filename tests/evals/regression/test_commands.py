from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from mindatlas.evals.cli import app
from mindatlas.evals.regression import run as running
from mindatlas.evals.regression.baseline import pinned_path, read_baseline
from mindatlas.nodes.errors import UsageError
from tests.evals.suites import FakePool, output, reply, right, write_suite

NAMES = ["a", "b", "c"]


class Commands:
    """Runs `eval` commands on a small suite whose cases are answered in this process."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.bad: set[str] = set()
        self.away: set[str] = set()
        self.suite = write_suite(folder, NAMES)
        monkeypatch.setattr(running, "ProcessPool", self._pool)

    def _pool(self, graph: str, given: Any, *, size: int) -> FakePool:
        pool = FakePool(self._reply)
        pool.close = lambda: None  # type: ignore[attr-defined]
        return pool

    def _reply(self, case: Any) -> dict[str, Any]:
        if case.id in self.away:
            return reply(None, "away")
        return reply(output(case.id, "p-x")) if case.id in self.bad else right(case)

    def __call__(self, name: str, *words: str) -> tuple[int, str]:
        given = [name, str(self.suite.path), "--fresh", "--out", str(self.folder / "out"), *words]
        done = CliRunner().invoke(app, given)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.stdout


@pytest.fixture
def commands(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    return Commands(tmp_path, monkeypatch)


def test_run_writes_results_and_reports_and_prints_json(commands: Commands) -> None:
    code, text = commands("run", "--json")
    assert code == 0
    assert json.loads(text)["summary"]["passed"] == 3
    written = {path.name for path in (commands.folder / "out").iterdir()}
    assert written == {"results.jsonl", "summary.json", "report.json", "report.md", "report.html"}


def test_run_fails_when_a_case_could_not_be_scored_and_not_when_one_fails(commands: Commands) -> None:
    commands.bad = {"a"}
    assert commands("run")[0] == 0
    commands.away = {"b"}
    assert commands("run")[0] == 1


def test_the_way_from_the_first_baseline_to_a_regression_and_an_accepted_change(commands: Commands) -> None:
    path = commands.folder / "b.json"
    with pytest.raises(UsageError, match=r"no baseline.*--update-baseline"):
        commands("gate", "--baseline", str(path))
    assert commands("gate", "--baseline", str(path), "--update-baseline", "first")[0] == 0
    assert commands("gate", "--baseline", str(path), "--pin", "release 1")[0] == 0
    commands.bad = {"c"}
    code, text = commands("gate", "--baseline", str(path), "--json")
    gated = json.loads(text)["gate"]
    assert (code, gated["verdict"]) == (1, "regression")
    assert [change["case"] for change in gated["against"]["release"]["new_failures"]] == ["c"]
    with pytest.raises(UsageError, match="only a pass becomes one"):
        commands("gate", "--baseline", str(path), "--update-baseline", "never mind")
    assert [entry["reason"] for entry in read_baseline(path)["history"]] == ["first"]
    assert read_baseline(pinned_path(path))["reason"] == "release 1"


def test_an_incomplete_run_never_becomes_a_baseline(commands: Commands) -> None:
    path = commands.folder / "b.json"
    commands.away = {"a"}
    with pytest.raises(UsageError, match="'incomplete'"):
        commands("gate", "--baseline", str(path), "--update-baseline", "first")
    assert not path.exists()


def test_a_newer_set_of_cases_is_undecided_until_it_is_accepted(commands: Commands) -> None:
    path = commands.folder / "b.json"
    commands("gate", "--baseline", str(path), "--update-baseline", "first")
    commands.suite = write_suite(commands.folder, [*NAMES, "d"], version=2)
    assert commands("gate", "--baseline", str(path))[0] == 4
    commands("gate", "--baseline", str(path), "--update-baseline", "d was asked by users")
    assert commands("gate", "--baseline", str(path))[0] == 0
    assert [entry["total"] for entry in read_baseline(path)["history"]] == [3, 4]


def test_a_release_baseline_that_is_named_must_be_there(commands: Commands) -> None:
    path = commands.folder / "b.json"
    commands("gate", "--baseline", str(path), "--update-baseline", "first")
    with pytest.raises(UsageError, match="no release baseline"):
        commands("gate", "--baseline", str(path), "--pinned", str(commands.folder / "r.json"))
