"""The command `ask`: one question, a chat, or a batch."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mindatlas.graphs.batch import Line, done_ids, read_lines, run_batch
from mindatlas.graphs.console import print_json, print_text, say
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
    show(output, as_json=as_json)
    return 0 if output["stop_reason"] in ANSWERED else 1


def chat(settings: MindTripSettings, filters: Sequence[str], thread: str | None) -> int:
    """Answer questions from the terminal, or from piped lines, until they end."""
    thread = thread or new_run_id()
    say(f"Thread {thread}. An empty line or Ctrl-D ends the chat.")
    inputs = {"filters": dict(map(parse_filter, filters))}
    with open_threads() as threads:
        graph = build_mindtrip(open_parts(settings)).compile(checkpointer=threads)
        while question := _next_question():
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
        UsageError: `resume` without `out`, or `out` exists and `resume` was not asked for.
    """
    if resume and out is None:
        raise UsageError("--resume goes with --out FILE: it skips the lines that FILE holds")
    if out is not None:
        _require_writable(out, resume=resume)
    lines = list(read_lines(batch))
    skip = done_ids(out) if out and resume else set()
    todo = [line for line in lines if _key(line) not in skip]
    with open_threads() as threads:
        work = _batch_work(settings, threads)
        if out is None:
            return int(run_batch(todo, work, sys.stdout, progress=_progress(len(todo))) > 0)
        with out.open("a" if resume else "w", encoding="utf-8") as file:
            return int(run_batch(todo, work, file, progress=_progress(len(todo))) > 0)


def _require_writable(out: Path, *, resume: bool) -> None:
    if not out.parent.is_dir():
        raise UsageError(f"There is no folder {str(out.parent)!r} to write {out.name!r} to")
    if out.is_dir() or (out.exists() and out.stat().st_size and not resume):
        raise UsageError(f"{str(out)!r} exists; go on with it by --resume, or name another file")


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


def _key(line: Line) -> str:
    return json.dumps(line["id"])


def _progress(total: int) -> Callable[[int], None]:
    """Return a callback that counts on stderr, where somebody watches it."""
    if not sys.stderr.isatty():
        return lambda _: None
    return lambda done: say(f"{done}/{total}") if done % 50 == 0 or done == total else None


def _next_question() -> str:
    try:
        return input("? " if sys.stdin.isatty() else "").strip()
    except EOFError:
        return ""


def _show_step(name: str) -> None:
    say(f"· {name}")


def _silent(name: str) -> None:
    """Hear a step and say nothing."""
