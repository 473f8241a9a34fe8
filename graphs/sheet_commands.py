"""The command `sheet`: one request, a program of one's own, an audit run again, or a batch."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from langgraph.graph import StateGraph
from langgraph.types import Command

from mindatlas.graphs.atlassplit import AtlasSplitSettings, build_atlassplit, open_parts
from mindatlas.graphs.audit_runs import inputs_from_audit
from mindatlas.graphs.batch import Line, run_batch_file
from mindatlas.graphs.console import print_json, say
from mindatlas.graphs.programs import read_program
from mindatlas.graphs.runs import new_run_id, open_threads, remember_run, run, tells_run_id
from mindatlas.graphs.sheet_report import report
from mindatlas.nodes.atlassplit.parts.asked import to_items
from mindatlas.nodes.atlassplit.parts.assertions import read_assertion_file
from mindatlas.nodes.atlassplit.parts.output_path import free_path
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.storage import ensure_folder, home


def settings_from(**options: Any) -> AtlasSplitSettings:
    """Return the settings that the command's options ask for; paths become text, so that they stay JSON-like."""
    given: dict[str, Any] = {
        name: str(value) if isinstance(value, Path) else value for name, value in options.items()
    }
    return AtlasSplitSettings(**given)


def inputs_from(
    arguments: Sequence[str],
    *,
    code: Path | None,
    audit: Path | None,
    asserted: Path | None,
    save_as: Path | None,
) -> dict[str, Any]:
    """Return what the graph is given: workbooks, and behind them the request unless a program or audit is given.

    Raises:
        UsageError: No workbook or no request is named, or the request was forgotten.
        FileReadError: The program or the assertion file cannot be read.
    """
    if code and audit:
        raise UsageError("--code and --from-audit exclude each other: each brings a program")
    inputs = inputs_from_audit(audit, arguments) if audit else _named(arguments, code)
    inputs["workbooks"] = [_absolute(path) for path in inputs["workbooks"]]  # it may go on from elsewhere
    if asserted:
        inputs["assertions"] = to_items(read_assertion_file(asserted))
    if save_as:
        inputs["save_as"] = _absolute(save_as)
    return inputs


def _absolute(path: str | Path) -> str:
    return str(Path(path).absolute())


def _named(arguments: Sequence[str], code: Path | None) -> dict[str, Any]:
    if code and arguments:
        return {"workbooks": list(arguments), "request": "", "given_code": read_program(code)}
    if len(arguments) < 2:
        raise UsageError(
            'Name the workbooks and behind them the request: mindatlas sheet sales.xlsx "按门店汇总销售额"'
        )
    *workbooks, request = arguments
    if Path(request).is_file():
        raise UsageError(f"The last argument must be the request, but {request!r} is a file")
    return {"workbooks": workbooks, "request": request}


def sheet_once(settings: AtlasSplitSettings, inputs: Mapping[str, Any], *, as_json: bool) -> int:
    """Do one request and return the exit code: 0 the result holds, 1 stopped, failed or waiting.

    A run that waits for approval asks at the terminal; where nobody sits there it ends and can be resumed.
    """
    run_id = new_run_id()
    remember_run(run_id, graph="atlassplit", settings=asdict(settings), thread=run_id)
    with open_threads() as threads:
        graph = build_atlassplit(open_parts(settings)).compile(checkpointer=threads)
        given: Any = {**inputs, "run_id": run_id}
        while True:
            with tells_run_id(run_id):
                output = run(graph, given, context=settings, run_id=run_id, thread=run_id)
            if "waiting_for" not in output or as_json or not sys.stdin.isatty():
                return conclude(output, as_json=as_json)
            given = Command(resume=_ask(output["waiting_for"]))


def _ask(waiting: Mapping[str, Any]) -> str:
    say(f"{waiting['code']}\n{waiting['question']}")
    try:
        return input("? ")
    except EOFError:
        return "no"


def sheet_batch(
    settings: AtlasSplitSettings, batch: Path, out: Path | None, folder: Path | None, *, resume: bool
) -> int:
    """Do a JSONL of requests and return the exit code: 1 when a line failed.

    Args:
        settings: For all lines.
        batch: Lines of {id, workbooks, request, assertions?}; paths are relative to the current folder.
        out: Where the results go; None is stdout.
        folder: Where the result workbooks go; None is the folder of each run under MINDATLAS_HOME.
        resume: Skip the lines that `out` holds.

    Raises:
        UsageError: `resume` without `out`, or approval was asked for, which a batch cannot wait for.
    """
    if settings.approve:
        raise UsageError("--approve waits for a person: it does not go with --batch")
    graph = build_atlassplit(open_parts(settings)).compile()

    def work(line: Line) -> Line:
        run_id = new_run_id()
        inputs = _batch_inputs(line, ensure_folder(folder or home() / "runs" / run_id))
        return run(graph, {**inputs, "run_id": run_id}, context=settings, run_id=run_id)

    return run_batch_file(batch, out, work, resume=resume)


def _batch_inputs(line: Line, folder: Path) -> dict[str, Any]:
    workbooks, request = line.get("workbooks"), line.get("request")
    if not isinstance(workbooks, list) or not all(isinstance(path, str) for path in workbooks):
        raise UsageError(f"'workbooks' must be a list of paths, not {workbooks!r}")
    if not isinstance(request, str):
        raise UsageError(f"The line needs a text under 'request', not {request!r}")
    assertions = line.get("assertions") or []
    if not isinstance(assertions, list):
        raise UsageError(f"'assertions' must be a list, not {assertions!r}")
    save_as = str(free_path(folder, str(line["id"])))
    return {"workbooks": workbooks, "request": request, "assertions": assertions, "save_as": save_as}


def reopen(settings: Mapping[str, Any]) -> tuple[StateGraph[Any, Any, Any, Any], AtlasSplitSettings]:
    """Return the graph and the settings of a run that is to go on."""
    opened = AtlasSplitSettings(**settings)
    return build_atlassplit(open_parts(opened)), opened


def conclude(output: Mapping[str, Any], *, as_json: bool) -> int:
    """Print an output and return the exit code: 0 the result holds, else 1."""
    if "waiting_for" in output:
        output = {**output, "status": "stopped", "stop_reason": "waiting_for_approval"}
    if as_json:
        print_json(output)
    else:
        report(output)
    return 0 if output["status"] == "pass" else 1
