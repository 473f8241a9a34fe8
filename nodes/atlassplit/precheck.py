"""Node: look at the program before it runs; that costs no execution."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts import precheck as prechecking
from mindatlas.nodes.atlassplit.parts.code_writer import Mismatch, Task
from mindatlas.nodes.atlassplit.parts.column_diff import only_columns_changed
from mindatlas.nodes.atlassplit.parts.precheck import PrecheckResult
from mindatlas.nodes.atlassplit.parts.precheck_view import found_columns, frames_of
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


class In(TypedDict):
    """What the node reads; `code_before` is the program that the writer was given to go on from."""

    request: str
    files: list[dict[str, str]]
    code: str
    code_before: str
    task: Task
    feedback: str
    mismatch: Mismatch | None
    precheck: list[dict[str, Any]]


class Out(TypedDict):
    """What the node writes."""

    precheck: list[dict[str, Any]]
    mismatch: Mismatch | None


def precheck(state: In, parts: AtlasSplitParts) -> Out:
    """Return what the program refers to that is not there, and as a mismatch what must be mended.

    A program whose column names alone were to be corrected must not differ from the one before in anything else.
    """
    if not parts.enabled("precheck"):
        return Out(precheck=state["precheck"], mismatch=None)
    books = parts.reader.recall(state["files"], state["request"])
    frames = frames_of(books)
    found = prechecking.precheck(state["code"], frames, convention=True)
    mismatch = _overstepped(state)
    if mismatch is None and not found.ok:
        mismatch = Mismatch(task=_task(found, frames), feedback=found.feedback, code=state["code"])
    return Out(precheck=[*state["precheck"], found_columns(found)], mismatch=mismatch)


def _overstepped(state: In) -> Mismatch | None:
    """Return the same task again where more was changed than column names, with the changes to take back."""
    asked = state["mismatch"] or Mismatch(
        task=state["task"], feedback=state["feedback"], code=state["code_before"]
    )
    if asked["task"] != "repair_columns":
        return None
    difference = only_columns_changed(asked["code"], state["code"])
    if difference.ok:
        return None
    told = [
        asked["feedback"],
        "Only column names were to change, but:",
        *(f"- {text}" for text in difference.other),
    ]
    return Mismatch(task="repair_columns", feedback="\n".join(told), code=asked["code"])


def _task(found: PrecheckResult, frames: Mapping[str, Sequence[Hashable]]) -> Task:
    """Return how to go on: column names alone are corrected where other columns may have been meant.

    A column that an input has was lost by the program itself: then its name is right.
    """
    real = {str(name) for columns in frames.values() for name in columns}
    broken = any(finding.severity == "error" for finding in found.lint)
    misnamed = all(found.suggestions[name] and name not in real for name in found.missing)
    return "repair_columns" if misnamed and not broken else "repair"
