"""The command `ask`: one question, a chat, or a batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from langgraph.graph import StateGraph

from mindatlas.graphs.batch import Line, run_batch_file
from mindatlas.graphs.console import next_line, print_json, print_text, say
from mindatlas.graphs.mindtrip import MindTripSettings, build_mindtrip, open_parts
from mindatlas.graphs.runs import new_run_id, open_threads, remember_run, run, tells_run_id
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.conditions import parse_filter

ANSWERED = ("answered", "answered_extractively")


def settings_from(**options: Any) -> MindTripSettings:
    """Return the settings that the command's options ask for; paths become text, so that they stay JSON-like."""
    given: dict[str, Any] = {
        name: str(value) if isinstance(value, Path) else value for name, value in options.items()
    }
    return MindTripSettings(**{**given, "disabled": tuple(given["disabled"])})


def ask_once(
    settings: MindTripSettings,
    question: str,
    filters: Sequence[str],
    thread: str | None,
    *,
    stream: bool,
    as_json: bool,
) -> int:
    """Answer one question and return the exit code: 0 answered, 1 refused."""
    run_id = new_run_id()
    remember_run(run_id, graph="mindtrip", settings=asdict(settings), thread=thread or run_id)
    inputs = {"question": question, "filters": dict(map(parse_filter, filters))}
    with open_threads() as threads:
        graph = build_mindtrip(open_parts(settings)).compile(checkpointer=threads)
        step = _show_step if stream else _silent
        with tells_run_id(run_id):
            output = run(graph, inputs, context=settings, run_id=run_id, thread=thread or run_id, step=step)
    return conclude(output, as_json=as_json)


def reopen(settings: Mapping[str, Any]) -> tuple[StateGraph[Any, Any, Any, Any], MindTripSettings]:
    """Return the graph and the settings of a run that is to go on."""
    opened = MindTripSettings(**settings)
    return build_mindtrip(open_parts(opened)), opened


def conclude(output: dict[str, Any], *, as_json: bool) -> int:
    """Print an output and return the exit code: 0 answered, 1 refused."""
    show(output, as_json=as_json)
    return 0 if output["stop_reason"] in ANSWERED else 1


def chat(settings: MindTripSettings, filters: Sequence[str], thread: str | None) -> int:
    """Answer questions from the terminal, or from piped lines, until they end."""
    thread = thread or new_run_id()
    say(f"Thread {thread}. An empty line or Ctrl-D ends the chat.")
    inputs = {"filters": dict(map(parse_filter, filters))}
    with open_threads() as threads:
        graph = build_mindtrip(open_parts(settings)).compile(checkpointer=threads)
        while question := next_line():
            try:
                output = run(
                    graph, {"question": question, **inputs}, context=settings, run_id=thread, thread=thread
                )
            except UsageError as error:
                say(f"mindatlas: {error}")
            else:
                show(output, as_json=False)
    return 0


def ask_batch(settings: MindTripSettings, batch: Path, out: Path | None, *, resume: bool) -> int:
    """Answer a JSONL of questions and return the exit code: 1 when a line failed.

    Raises:
        UsageError: `resume` without `out`.
    """
    with open_threads() as threads:
        return run_batch_file(batch, out, _batch_work(settings, threads), resume=resume)


def _batch_work(settings: MindTripSettings, threads: Any) -> Callable[[Line], Line]:
    parts = open_parts(settings)
    plain, threaded = build_mindtrip(parts).compile(), build_mindtrip(parts).compile(checkpointer=threads)

    def work(line: Line) -> Line:
        inputs = _batch_inputs(line)
        thread = line.get("thread")
        graph = plain if thread is None else threaded
        thread_id = None if thread is None else str(thread)
        return run(graph, inputs, context=settings, run_id=new_run_id(), thread=thread_id)

    return work


def _batch_inputs(line: Line) -> dict[str, Any]:
    question, filters = line.get("question"), line.get("filters") or {}
    if not isinstance(question, str):
        raise UsageError(f"The line needs a text under 'question', not {question!r}")
    if not isinstance(filters, dict):
        raise UsageError(f"'filters' must be an object of field and value, not {filters!r}")
    extra = {"history": line["history"]} if "history" in line else {}
    return {"question": question, "filters": filters, **extra}


def show(output: dict[str, Any], *, as_json: bool) -> None:
    """Print an output as JSON, or its answer as text with the sources below and notices on stderr."""
    if as_json:
        print_json(output)
        return
    for notice in output["notices"]:
        say(f"note: {notice}")
    print_text(output["answer"])
    titles = {citation["id"]: citation["title"] for citation in output["citations"]}
    for passage_id, title in titles.items():
        print_text(f"  [{passage_id}] {title}")


def _show_step(name: str) -> None:
    say(f"· {name}")


def _silent(name: str) -> None:
    """Hear a step and say nothing."""
