"""The command `resume`: go on with a run where it stopped."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from langgraph.types import Command

from mindatlas.graphs.runs import open_threads, recall_run, run
from mindatlas.nodes.errors import FileReadError, UsageError

COMMANDS = {
    "mindtrip": "mindatlas.graphs.mindtrip_commands",
    "atlassplit": "mindatlas.graphs.sheet_commands",
    "workdesk": "mindatlas.graphs.desk_commands",
}


def resume(run_id: str, answer: str | None, *, as_json: bool) -> int:
    """Go on with the run `run_id` and return the exit code of its command.

    Args:
        run_id: A run that `remember_run` wrote down.
        answer: What a run that waits is told; `@FILE` is the text of a file. None for a run that was cut off.
        as_json: Print the output as JSON.

    Raises:
        UsageError: The run is unknown, nothing of it is left to do, or it waits and no answer is given.
        FileReadError: The file of the answer cannot be read.
    """
    record = recall_run(run_id)
    commands = import_module(COMMANDS[record["graph"]])
    builder, settings = commands.reopen(record["settings"])
    thread = record["thread"]
    with open_threads() as threads:
        graph = builder.compile(checkpointer=threads)
        state = graph.get_state({"configurable": {"thread_id": thread}})
        inputs = _inputs(run_id, answer, left=bool(state.next), waits=bool(state.interrupts))
        output = run(graph, inputs, context=settings, run_id=run_id, thread=thread)
    exit_code: int = commands.conclude(output, as_json=as_json)
    return exit_code


def _inputs(run_id: str, answer: str | None, *, left: bool, waits: bool) -> Any:
    """Return what the graph goes on with: the answer it waits for, or None."""
    if not left:
        raise UsageError(f"The run {run_id!r} has ended: there is nothing to go on with")
    if waits and answer is None:
        raise UsageError(f"The run {run_id!r} waits for an answer: say --answer TEXT")
    if not waits and answer is not None:
        raise UsageError(f"The run {run_id!r} asked nothing: resume it without --answer")
    return None if answer is None else Command(resume=_answer_text(answer))


def _answer_text(answer: str) -> str:
    if not answer.startswith("@"):
        return answer
    try:
        return Path(answer[1:]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileReadError(f"Cannot read the answer from {answer[1:]!r}: {error}") from error
