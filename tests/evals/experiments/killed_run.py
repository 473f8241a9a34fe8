"""Run a small plan with a runner that needs no graph, and die where asked: in a run, or in the middle of a line.

    python killed_run.py FOLDER run|write|never COUNT BYTES

The process kills itself with SIGKILL, so nothing is cleaned up, and the point is the same each time.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.experiments.execution import Contestant, Verdict, run_plan
from mindatlas.evals.experiments.observations import ObservationLog
from mindatlas.evals.experiments.plan import Plan
from mindatlas.evals.files import digest
from mindatlas.evals.runners import RunOutput

PLAN = Plan(protocol="p" * 64, cases=tuple(f"c{n}" for n in range(6)), repetitions=2)


class CountingRunner:
    """Gives an output that follows from case and name; some runs break off."""

    def __init__(self, name: str, dies_in: int) -> None:
        self.name, self.dies_in = name, dies_in

    def run(self, case: Case) -> RunOutput:
        RUNS.append(case.id)
        if len(RUNS) == self.dies_in:
            os.kill(os.getpid(), signal.SIGKILL)
        number = int(digest([self.name, case.id])[:6], 16)
        if number % 5 == 0:
            return RunOutput(output=None, duration_s=0.0, error="connection reset")
        return RunOutput(output={"n": number}, duration_s=0.0, cost=number / 1000)

    def identity(self) -> dict[str, Any]:
        return {}


RUNS: list[str] = []


def judge(case: Case, output: Mapping[str, Any]) -> Verdict:
    return Verdict(
        passed=output["n"] % 3 > 0, scores={"n": float(output["n"]), "other": None}, reason="三选一\u2028"
    )


def die_in_line(line: int, size: int) -> None:
    """Make the write of the `line`-th line stop after `size` bytes, and the process with it."""
    write, lines = os.write, 0

    def cut(descriptor: int, data: bytes) -> int:
        nonlocal lines
        lines += 1
        if lines < line:
            return write(descriptor, data)
        write(descriptor, data[:size])
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("unreachable")

    os.write = cut  # type: ignore[assignment]


def main(folder: str, where: str, count: str, size: str) -> None:
    if where == "write":
        die_in_line(int(count), int(size))
    dies_in = int(count) if where == "run" else -1
    cases = [Case(id=name, query="?", case_type="any") for name in PLAN.cases]
    contestants = {name: Contestant(runner=CountingRunner(name, dies_in)) for name in PLAN.variants}
    run_plan(PLAN, cases, contestants, judge, ObservationLog(Path(folder) / "observations.jsonl"))
    sys.stdout.write(f"{len(RUNS)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
