"""Node: go on from the program that failed, mending it."""

from __future__ import annotations

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.code_writer import Task
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


class In(TypedDict):
    """What the node reads."""

    findings: str
    column_misnamed: bool


class Out(TypedDict):
    """What the node writes."""

    task: Task
    feedback: str
    mismatch: None
    regenerations: int


def repair(state: In, parts: AtlasSplitParts) -> Out:
    """Return the task to mend the program by what was found; where a column was misnamed only names of columns may change."""
    task: Task = "repair_columns" if state["column_misnamed"] else "repair"
    return Out(task=task, feedback=state["findings"], mismatch=None, regenerations=0)
