"""Feedback about the JSON output of a command: which graph it is of, and what of it is kept."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindatlas.evals.files import read_text
from mindatlas.evals.learning.feedback import Feedback, Graph, Thumbs, new_id, settings_digest, time_stamp
from mindatlas.graphs.runs import recall_run
from mindatlas.nodes.errors import FileReadError, MindatlasError, UsageError

_GRAPH_BY_KEY: Mapping[str, Graph] = {
    "passages": "mindtrip",
    "rounds": "atlassplit",
    "tool_calls": "workdesk",
}


def read_outputs(path: Path) -> list[dict[str, Any]]:
    """Return the outputs in a file, or in stdin for `-`: one JSON object, or one a line.

    Raises:
        FileReadError: the file cannot be read, or is no such output; the message names the line.
    """
    text = sys.stdin.read() if str(path) == "-" else read_text(path)
    where = "stdin" if str(path) == "-" else repr(str(path))
    outputs = [
        _parsed(line, f"{where}, line {number}")
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]
    if not outputs:
        raise FileReadError(f"{where} is empty; give the JSON that `mindatlas ask --json` printed")
    return outputs


def _parsed(line: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise FileReadError(
            f"{where} is no JSON: {error}; give the output of a command with --json"
        ) from error
    if not isinstance(value, dict) or not isinstance(value.get("question", value.get("request")), str):
        raise FileReadError(
            f"{where} is no output of ask, sheet or desk: it has no 'question' and no 'request'"
        )
    return value


def feedback_of(output: Mapping[str, Any], thumbs: Thumbs | None, comment: str) -> Feedback:
    """Return the feedback about an output, not stored yet; a batch line may say `thumbs` and `comment` itself.

    Raises:
        UsageError: nobody says whether the thumb is up or down, or the output is of no known graph.
    """
    said = output.get("thumbs", thumbs)
    if said is None:
        raise UsageError("Say --thumbs up or --thumbs down, or give 'thumbs' in the line")
    run_id = output.get("run_id")
    settings = _settings_of(run_id)
    return Feedback(
        id=new_id(),
        created=time_stamp(),
        graph=_graph_of(output),
        thumbs=said,
        question=str(output.get("question", output.get("request"))),
        answer=_answer(output),
        passages=output.get("passages") or (),
        tool_rows=_tool_rows(output),
        comment=str(output.get("comment") or comment),
        run_id=None if run_id is None else str(run_id),
        model=str(output.get("model") or ""),
        settings_hash=None if settings is None else settings_digest(settings),
        stop_reason=str(output.get("stop_reason") or ""),
    )


def _graph_of(output: Mapping[str, Any]) -> Graph:
    for key, graph in _GRAPH_BY_KEY.items():
        if key in output:
            return graph
    raise UsageError(f"The output is of no known graph; it has none of: {', '.join(_GRAPH_BY_KEY)}")


def _answer(output: Mapping[str, Any]) -> str:
    """Return the answer's text; a sheet's result stands for it."""
    answer = output.get("answer")
    return answer if isinstance(answer, str) else json.dumps(output.get("result"), ensure_ascii=False)


def _tool_rows(output: Mapping[str, Any]) -> list[Any]:
    calls = output.get("tool_calls") or ()
    rows = [
        {"tool": call.get("tool"), "rows": call.get("rows")} for call in calls if isinstance(call, Mapping)
    ]
    result = output.get("result")
    return [*rows, result] if isinstance(result, Mapping) else rows


def _settings_of(run_id: Any) -> Mapping[str, Any] | None:
    """Return the settings of a run, where it was remembered on this machine."""
    try:
        settings: Mapping[str, Any] = recall_run(str(run_id))["settings"]
    except MindatlasError:
        return None
    return settings
