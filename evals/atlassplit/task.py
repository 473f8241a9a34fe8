"""A task as a line of a case file holds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from mindatlas.evals.measures.atlassplit_tolerances import Tolerance

Kind = Literal[
    "aggregate",
    "filter",
    "top_n",
    "share",
    "growth",
    "pivot",
    "distinct",
    "cleaning",
    "derived",
    "lookup",
    "count",
    "empty",
    "time_unit",
    "split",
    "chain",
    "refusal",
]
Task = dict[str, Any]


def task(
    kind: Kind,
    workbook: str,
    request: str,
    expected: dict[str, Any],
    *,
    tolerance: Tolerance = "exact",
    ordered: bool = False,
) -> Task:
    """Return a task; its id follows from its place.

    Args:
        kind: what the task is an example of.
        workbook: a name in `workbooks.WORKBOOKS`.
        request: as a user writes it.
        expected: from `reckoning`.
        tolerance: how far a number may lie from the expected one.
        ordered: the order of the rows is part of the answer.
    """
    return {
        "request": request,
        "workbooks": [workbook],
        "expected": expected,
        "tolerance": tolerance,
        **({"ordered": True} if ordered else {}),
        "cluster": workbook,
        "case_type": kind,
    }


def refused(workbook: str, request: str, why: str) -> Task:
    """Return a task that must be refused or asked about; `why` says what cannot be known."""
    return {
        "request": request,
        "workbooks": [workbook],
        "expected": {"kind": "refusal", "why": why},
        "must_refuse": True,
        "cluster": workbook,
        "case_type": "refusal",
    }


def numbered(name: str, tasks: Sequence[Task]) -> list[Task]:
    """Return tasks with their ids and where they come from."""
    return [
        {"id": f"as-{name}-{number:03d}", **one, "source": "hand", "reviewed": True, "created": "2026-12-01"}
        for number, one in enumerate(tasks, 1)
    ]
