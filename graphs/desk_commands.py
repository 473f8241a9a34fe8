"""The command `desk`: one question, a chat, a batch, or a check of the overlays."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import StateGraph
from langgraph.types import Command

from mindatlas.graphs.batch import Line, run_batch_file
from mindatlas.graphs.console import next_line, print_json, print_text, say, to_line
from mindatlas.graphs.runs import new_run_id, open_threads, remember_run, run, tells_run_id
from mindatlas.graphs.workdesk import WorkdeskParts, WorkdeskSettings, build_workdesk, open_parts
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.workdesk.parts.overlay_drift import check_overlays as overlay_report
from mindatlas.nodes.workdesk.parts.repair_events import draft_cases

_CHART = re.compile(
    r"\n*```chart\n.*?\n```", re.DOTALL
)  # drawn by pages; its figures stand in the text as well


def settings_from(**options: Any) -> WorkdeskSettings:
    """Return the settings that the command's options ask for; paths become text, so that they stay JSON-like."""
    given: dict[str, Any] = {
        name: str(value.absolute()) if isinstance(value, Path) else value for name, value in options.items()
    }
    return WorkdeskSettings(**given)


@contextmanager
def _opened(settings: WorkdeskSettings) -> Iterator[WorkdeskParts]:
    """Yield the parts of one command; its tool servers end with it."""
    parts = open_parts(settings)
    try:
        yield parts
    finally:
        parts.close()


def desk_once(
    settings: WorkdeskSettings, question: str, thread: str | None, *, drafts: Path | None, as_json: bool
) -> int:
    """Answer one question and return the exit code: 0 answered, else 1.

    A run that asks something is answered at the terminal; where nobody sits there it ends and can be resumed.
    """
    run_id = new_run_id()
    thread = thread or run_id
    remember_run(run_id, graph="workdesk", settings=asdict(settings), thread=thread)
    with _opened(settings) as parts, open_threads() as threads:
        graph = build_workdesk(parts).compile(checkpointer=threads)
        given: Any = {"question": question}
        while True:
            with tells_run_id(run_id):
                output = run(graph, given, context=settings, run_id=run_id, thread=thread)
            if "waiting_for" not in output or as_json or not sys.stdin.isatty():
                break
            given = Command(resume=_ask(output["waiting_for"]))
        _append_drafts(drafts, output, parts)
    return conclude(output, as_json=as_json)


def chat(settings: WorkdeskSettings, thread: str | None) -> int:
    """Answer questions from the terminal, or from piped lines, until they end."""
    thread = thread or new_run_id()
    say(f"Thread {thread}. An empty line or Ctrl-D ends the chat.")
    with _opened(settings) as parts, open_threads() as threads:
        graph = build_workdesk(parts).compile(checkpointer=threads)
        given: Any = None
        while text := next_line():
            given = Command(resume=text) if given == "asked" else {"question": text}
            try:
                output = run(graph, given, context=settings, run_id=thread, thread=thread)
            except UsageError as error:
                say(f"mindatlas: {error}")
                continue
            given = "asked" if "waiting_for" in output else None
            conclude(output, as_json=False)
    return 0


def desk_batch(
    settings: WorkdeskSettings, batch: Path, out: Path | None, *, resume: bool, drafts: Path | None
) -> int:
    """Answer a JSONL of questions and return the exit code: 1 when a line failed.

    Nobody can be asked in a batch: a line that would ask ends with its `clarification`.

    Raises:
        UsageError: `resume` without `out`.
    """
    with _opened(settings) as parts, open_threads() as threads:
        return run_batch_file(batch, out, _batch_work(settings, parts, threads, drafts), resume=resume)


def _batch_work(
    settings: WorkdeskSettings, parts: WorkdeskParts, threads: Any, drafts: Path | None
) -> Callable[[Line], Line]:
    threaded = build_workdesk(parts).compile(checkpointer=threads)

    def work(line: Line) -> Line:
        question = line.get("question")
        if not isinstance(question, str):
            raise UsageError(f"The line needs a text under 'question', not {question!r}")
        run_id, thread = new_run_id(), line.get("thread")
        graph = threaded
        if thread is None:
            graph = build_workdesk(parts).compile(checkpointer=InMemorySaver())
        thread_id = str(thread or run_id)
        output = run(graph, {"question": question}, context=settings, run_id=run_id, thread=thread_id)
        _append_drafts(drafts, output, parts)
        return asked(output)

    return work


def _append_drafts(drafts: Path | None, output: Mapping[str, Any], parts: WorkdeskParts) -> None:
    if drafts is None or not output["repairs"]:
        return
    known = set(drafts.read_text(encoding="utf-8").splitlines()) if drafts.exists() else set()
    ids = {json.loads(line)["id"] for line in known if line.strip()}
    with drafts.open("a", encoding="utf-8") as file:
        for case in draft_cases(output["question"], output["repairs"], parts.today()):
            if case["id"] not in ids:
                file.write(to_line(case))


def check_overlays(settings: WorkdeskSettings, *, as_json: bool) -> int:
    """Print how the overlays differ from the servers and return the exit code: 1 on drift."""
    with _opened(settings) as parts:
        report = overlay_report(parts.cards.values(), parts.overlays)
    if as_json:
        print_json(report.as_json())
    else:
        print_text(report.as_text())
    return 1 if report.drifted else 0


def reopen(settings: Mapping[str, Any]) -> tuple[StateGraph[Any, Any, Any, Any], WorkdeskSettings]:
    """Return the graph and the settings of a run that is to go on."""
    opened = WorkdeskSettings(**settings)
    return build_workdesk(open_parts(opened)), opened


def asked(output: dict[str, Any]) -> dict[str, Any]:
    """Return an output with the question that a waiting run asks as its answer."""
    if "waiting_for" not in output:
        return output
    waiting = output["waiting_for"]
    return {**output, "clarification": waiting, "answer": waiting["message"], "stop_reason": "asked"}


def conclude(output: dict[str, Any], *, as_json: bool) -> int:
    """Print an output and return the exit code: 0 answered, else 1."""
    output = asked(output)
    if as_json:
        print_json(output)
    else:
        _show(output)
    return 0 if output["stop_reason"] == "answered" else 1


def _show(output: Mapping[str, Any]) -> None:
    for repair in output["repairs"]:
        say(f"repair: {repair['kind']}: {repair['reason']}")
    for notice in output["notices"]:
        say(f"note: {notice}")
    print_text(_CHART.sub("", output["answer"]) if output["chart"] else output["answer"])
    if output["stop_reason"] == "asked":
        for choice in output["clarification"]["choices"]:
            print_text(f"  {choice['value']}  {choice['label']}")
        say(f"Answer with: mindatlas resume {output['run_id']} --answer TEXT")


def _ask(waiting: Mapping[str, Any]) -> str:
    say(waiting["message"])
    for choice in waiting["choices"]:
        say(f"  {choice['value']}  {choice['label']}")
    try:
        return input("? ")
    except EOFError:
        return "no"
