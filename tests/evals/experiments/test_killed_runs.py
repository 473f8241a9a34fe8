"""kill -9 at 20 points drawn at random: in a run, before its line, in the middle of it, and right after it."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.evals.experiments.killed_run import PLAN

SCRIPT = Path(__file__).with_name("killed_run.py")
TIMES = ("started", "duration_s")
ARMS = len(list(PLAN.arms()))
_chance = random.Random(20)
POINTS = [("run", _chance.randint(1, ARMS), 0) for _ in range(7)]
POINTS += [("write", _chance.randint(1, ARMS), _chance.randint(0, 400)) for _ in range(13)]


def run(
    folder: Path, where: str = "never", count: int = 0, size: int = 0
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), str(folder), where, str(count), str(size)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def without_times(folder: Path) -> list[str]:
    """Return the lines of the folder as they stand, the times alone set to nothing."""
    text = (folder / "observations.jsonl").read_text(encoding="utf-8")
    return [_without_times(line) if line else "" for line in text.split("\n")]


def _without_times(line: str) -> str:
    told = json.loads(line)
    for name in TIMES:
        line = line.replace(f'"{name}": {json.dumps(told[name])}', f'"{name}": null')
    return line


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("whole")
    assert run(folder).stdout == f"{ARMS}\n"
    return without_times(folder)


@pytest.mark.parametrize(("where", "count", "size"), POINTS)
def test_a_resumed_run_equals_the_uninterrupted_one(
    tmp_path: Path, uninterrupted: list[str], where: str, count: int, size: int
) -> None:
    killed = run(tmp_path, where, count, size)
    assert killed.returncode == -signal.SIGKILL
    resumed = run(tmp_path)
    assert resumed.returncode == 0, resumed.stderr
    assert without_times(tmp_path) == uninterrupted
    assert int(resumed.stdout) <= ARMS - count + 1  # nothing that was kept is run again


def test_killed_twice_and_resumed_is_whole_too(tmp_path: Path, uninterrupted: list[str]) -> None:
    run(tmp_path, "write", 5, 50)
    run(tmp_path, "write", 3, 0)
    run(tmp_path)
    assert without_times(tmp_path) == uninterrupted
