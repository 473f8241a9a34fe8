"""Node: go on by another method."""

from __future__ import annotations

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.code_writer import Task
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


class In(TypedDict):
    """What the node reads."""

    findings: str


class Out(TypedDict):
    """What the node writes."""

    task: Task
    feedback: str
    mismatch: None
    regenerations: int


def change_strategy(state: In, parts: AtlasSplitParts) -> Out:
    """Return the task to write another program, by another method than those that failed."""
    return Out(task="change_strategy", feedback=state["findings"], mismatch=None, regenerations=0)
