"""The command `resume`: go on with a run where it stopped."""

from __future__ import annotations

from typing import Any

from langgraph.types import Command

from mindatlas.graphs import mindtrip_commands
from mindatlas.graphs.mindtrip import MindTripSettings, build_mindtrip, open_parts
from mindatlas.graphs.runs import open_threads, recall_run, run
from mindatlas.nodes.errors import UsageError


def resume(run_id: str, answer: str | None, *, as_json: bool) -> int:
    """Go on with the run `run_id` and return the exit code of its command.

    Raises:
        UsageError: the run is unknown, or nothing of it is left to do.
    """
    record = recall_run(run_id)
    settings = MindTripSettings(**record["settings"])
    with open_threads() as threads:
        graph = build_mindtrip(open_parts(settings)).compile(checkpointer=threads)
        state = graph.get_state({"configurable": {"thread_id": record["thread"]}})
        if not state.next:
            raise UsageError(f"The run {run_id!r} has ended: there is nothing to go on with")
        inputs: Any = None if answer is None else Command(resume=answer)
        output = run(graph, inputs, context=settings, run_id=run_id, thread=record["thread"])
    mindtrip_commands.show(output, as_json=as_json)
    return 0 if output["stop_reason"] in mindtrip_commands.ANSWERED else 1
