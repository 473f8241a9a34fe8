"""Node: write the result workbook, and beside it the audit and the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.audit_lines import record_rounds
from mindatlas.nodes.atlassplit.parts.execution import Result
from mindatlas.nodes.atlassplit.parts.output_path import (
    files_folder,
    output_path,
    script_path,
    script_to_write,
)
from mindatlas.nodes.atlassplit.parts.private_text import Teller
from mindatlas.nodes.atlassplit.parts.publishing import (
    Published,
    Template,
    publish_files,
    write_script,
)
from mindatlas.nodes.atlassplit.parts.publishing import publish as write_result
from mindatlas.nodes.atlassplit.parts.result_view import view_of
from mindatlas.nodes.atlassplit.parts.rounds import Attempt, Execution, Round
from mindatlas.nodes.atlassplit.parts.second_opinion import SecondOpinion
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts
from mindatlas.nodes.atlassplit.parts.workbook_model import Books

Status = Literal["pass", "stopped", "failed"]
MOST_LINES_TOLD = 20  # of what a program prints


class In(TypedDict):
    """What the node reads."""

    run_id: str
    workbooks: list[str]
    request: str
    save_as: NotRequired[str]
    into_files: NotRequired[bool]
    files: list[dict[str, str]]
    model: str
    versions: dict[str, str]
    sandbox: str
    code: str
    plan: dict[str, Any] | None
    passed: bool
    execution: Execution | None
    executions: int
    second: SecondOpinion | None
    rounds: list[Round]
    attempts: list[Attempt]
    status: Status
    stop_reason: str
    notices: list[str]


class Out(TypedDict):
    """What the node writes."""

    status: Status
    stop_reason: str
    result: dict[str, Any] | None
    output: str | None
    notices: list[str]


def publish(state: In, parts: AtlasSplitParts) -> Out:
    """Return where a result that holds was written; of any other run only the audit is kept.

    Raises:
        UsageError: A file cannot be written.
    """
    out = output_path(state.get("save_as"), state["workbooks"], run_id=state["run_id"])
    result = (
        parts.results.load(state["execution"]["result"]) if state["execution"] and state["passed"] else None
    )
    status: Status = "pass" if state["passed"] else state["status"]
    stop_reason = "passed" if state["passed"] else state["stop_reason"]
    published, notices = _written(state, parts, out, result) if state["passed"] else (None, [])
    ended = {**state, "status": status, "stop_reason": stop_reason}
    record_rounds(ended, parts, out, published.paths if published else ())
    _drop_results(state, parts)
    return Out(
        status=status,
        stop_reason=stop_reason,
        result=view_of(result),
        output=_told(published, out) if published else None,
        notices=list(dict.fromkeys((*state["notices"], *notices))),
    )


def _written(state: In, parts: AtlasSplitParts, out: Path, result: Result) -> tuple[Published, list[str]]:
    """Return what was written, and what is to be told about it."""
    books = parts.reader.recall(state["files"], state["request"])
    inputs, template = [Path(file.path) for file in books.files], Template.of(books)
    if isinstance(result, dict) and _wants_files(state):
        published = publish_files(result, folder=files_folder(out), template=template, inputs=inputs)
    else:
        published = write_result(
            result, out=out, chart=_chart(state["execution"]), template=template, inputs=inputs
        )
    told = _script(state, parts, books, out)
    return published, [*_printed(state, parts), *published.notices, *told]


def _script(state: In, parts: AtlasSplitParts, books: Books, out: Path) -> list[str]:
    """Write the program that anyone can run, and return what is to be told about it."""
    usual, path = script_path(out), script_to_write(out)
    aside = [f"{usual.name!r} is another file, so the program is in {path.name!r}."] if path != usual else []
    told = write_script(
        path,
        code=state["code"],
        books=books,
        request=state["request"],
        versions=", ".join(f"{name} {version}" for name, version in state["versions"].items()),
        include_hidden=parts.reader.hidden_in(state["request"]),
    )
    return [*aside, *told]


def _wants_files(state: In) -> bool:
    """Return whether each table goes to a file of its own, as the input says or the plan of the request."""
    operations = (state["plan"] or {}).get("operations", [])
    return state.get("into_files", False) or any(one.get("into") == "files" for one in operations)


def _chart(execution: Execution | None) -> dict[str, Any] | None:
    """Return the chart's spec; rules write `kind`, and a bar of theirs stands upright."""
    spec = execution["chart"] if execution else None
    if spec is None or "kind" not in spec or "type" in spec:
        return spec
    renamed = {name: value for name, value in spec.items() if name != "kind"}
    return {"type": "column" if spec["kind"] == "bar" else spec["kind"], **renamed}


def _printed(state: In, parts: AtlasSplitParts) -> list[str]:
    """Return what the program said while it ran, masked in a private run."""
    text = Teller.of(state, parts).text(state["execution"]["stdout"]) if state["execution"] else ""
    lines = [line for line in text.splitlines() if line.strip()]
    more = len(lines) - MOST_LINES_TOLD
    return [*lines[:MOST_LINES_TOLD], *([f"… and {more} more lines"] if more > 0 else [])]


def _told(published: Published, out: Path) -> str:
    """Return the path to tell: the file, or the folder that holds the files of a split."""
    return str(files_folder(out) if published.path.parent != out.parent else published.path)


def _drop_results(state: In, parts: AtlasSplitParts) -> None:
    for holder in (state["execution"], state["second"]):
        parts.results.drop(holder["result"] if holder else None)
