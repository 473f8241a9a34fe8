"""Running a compiled graph: threads on disk, a run id, steps as they happen, resuming."""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph.state import CompiledStateGraph

from mindatlas.graphs.console import say
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.storage import ensure_folder, home, open_sqlite, read_versioned, write_atomically

THREADS_FORMAT = 1
RUN_FORMAT = 1
RECURSION_LIMIT = 250  # a fuse far above every loop's own bound
INTERRUPT = "__interrupt__"  # LangGraph's name for what a run waits for, in place of a node's

Step = Callable[[str], None]


@contextmanager
def open_threads() -> Iterator[BaseCheckpointSaver[str]]:
    """Yield the checkpointer that keeps threads in `threads.sqlite` under home."""
    connection = open_sqlite(home() / "threads.sqlite", newest=THREADS_FORMAT)
    try:
        yield SqliteSaver(connection)
    finally:
        connection.close()


def new_run_id() -> str:
    """Return a fresh id for a run."""
    return uuid.uuid4().hex[:12]


def run(
    graph: CompiledStateGraph[Any, Any, Any, Any],
    inputs: Mapping[str, Any] | None,
    *,
    context: Any,
    run_id: str,
    thread: str | None = None,
    step: Step = lambda _: None,
) -> dict[str, Any]:
    """Return the graph's output for `inputs`, with `run_id`; `step` hears each node's name when it is done.

    Without a checkpointer in `graph`, `thread` must be None. `inputs` None goes on where the thread stopped.
    A run that waits for an answer has what it asks under `waiting_for`.
    """
    configuration: RunnableConfig = {"recursion_limit": RECURSION_LIMIT}
    if thread is not None:
        configuration["configurable"] = {"thread_id": thread}
    output: dict[str, Any] = {}
    waiting: dict[str, Any] = {}
    stream: Iterator[Any] = graph.stream(
        inputs,
        configuration,
        context=context,
        stream_mode=["updates", "values"],
        output_keys=graph.output_channels,
    )
    for mode, chunk in stream:
        if mode == "updates":
            if INTERRUPT in chunk:
                waiting = {"waiting_for": chunk[INTERRUPT][0].value}
            for name in (name for name in chunk if name != INTERRUPT):
                step(name)
        else:
            output = {name: value for name, value in chunk.items() if name != INTERRUPT}
    return {"run_id": run_id, **output, **waiting}


@contextmanager
def tells_run_id(run_id: str) -> Iterator[None]:
    """Tell the run id on stderr to who watches, and to everybody when the run dies, so that it can be resumed.

    Bad input is no reason to: there is nothing to go on with.
    """
    if sys.stderr.isatty():
        say(f"run {run_id}")
    try:
        yield
    except UsageError:
        raise
    except BaseException:
        say(f"The run stopped; go on with it: mindatlas resume {run_id}")
        raise


def remember_run(run_id: str, *, graph: str, settings: Mapping[str, Any], thread: str) -> None:
    """Write down how a run was started, so that `resume` can go on with it."""
    folder = ensure_folder(home() / "runs" / run_id)
    record = {"format": RUN_FORMAT, "graph": graph, "settings": dict(settings), "thread": thread}
    write_atomically(folder / "run.json", json.dumps(record, ensure_ascii=False, sort_keys=True))


def recall_run(run_id: str) -> dict[str, Any]:
    """Return what `remember_run` wrote for `run_id`.

    Raises:
        UsageError: there is no such run.
    """
    path = home() / "runs" / run_id / "run.json"
    if not run_id.isalnum() or not path.exists():
        raise UsageError(f"There is no run {run_id!r}; run ids stand in the output of each command")
    return read_versioned(path, newest=RUN_FORMAT)
