"""Node: run the program in the sandbox."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.book_reader import inputs_of
from mindatlas.nodes.atlassplit.parts.execution import ExecutionResult
from mindatlas.nodes.atlassplit.parts.rounds import ErrorView, Execution, view_of_error
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts

NO_RESULT = ErrorView(kind="no_result", message="the program left no `result`", line=None, traceback="")


class In(TypedDict):
    """What the node reads."""

    request: str
    files: list[dict[str, str]]
    code: str
    execution: dict[str, Any] | None
    executions: int


class Out(TypedDict):
    """What the node writes."""

    execution: Execution
    executions: int
    sandbox: str


def execute(state: In, parts: AtlasSplitParts) -> Out:
    """Return what came of running the program once; what the run before left is deleted.

    Raises:
        SetupError: The sandbox is not available here.
    """
    books = parts.reader.recall(state["files"], state["request"])
    if state["execution"]:
        parts.results.drop(state["execution"]["result"])
    done = parts.sandbox.run(state["code"], inputs_of(books))
    return Out(execution=_told(done, parts), executions=state["executions"] + 1, sandbox=done.tier)


def _told(done: ExecutionResult, parts: AtlasSplitParts) -> Execution:
    error = view_of_error(done.error)
    if error is None and (done.result is None or (isinstance(done.result, dict) and not done.result)):
        error = NO_RESULT
    return Execution(
        error=error,
        result=parts.results.save(done.result) if error is None else None,
        chart=done.chart,
        stdout=done.stdout,
        seconds=round(done.seconds, 4),
        input_intact=done.input_intact,
    )
