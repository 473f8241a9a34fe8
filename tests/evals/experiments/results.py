"""Rows of experiments, made by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mindatlas.evals.experiments.observations import Row
from mindatlas.evals.experiments.plan import Arm, Plan

PROTOCOL = "p" * 64


def plan_of(cases: int | Sequence[str] = 4, repetitions: int = 1, **more: Any) -> Plan:
    """Return a plan of numbered cases."""
    ids = tuple(f"c{number}" for number in range(cases)) if isinstance(cases, int) else tuple(cases)
    return Plan(protocol=PROTOCOL, cases=ids, repetitions=repetitions, **more)


def line_of(arm: Arm, passed: object = True, **more: Any) -> dict[str, Any]:
    """Return the line of a run as its file holds it."""
    line = {
        "protocol": PROTOCOL,
        **arm._asdict(),
        "state": "scored",
        "passed": passed,
        "budget_exceeded": False,
        "duration_s": 1.0,
        "cost": 0.0,
        "reason": "",
        "scores": {},
        "started": "2026-01-01T00:00:00Z",
    }
    return {**line, **more}


def rows_of(lines: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Return lines as they are read back."""
    return [Row(line=number, data=json.loads(json.dumps(line))) for number, line in enumerate(lines, start=1)]


def full_lines(plan: Plan, passed: Mapping[Arm, bool] | None = None) -> list[dict[str, Any]]:
    """Return one line for each planned run, passed unless it is said otherwise."""
    return [line_of(arm, (passed or {}).get(arm, True)) for arm in plan.arms()]
