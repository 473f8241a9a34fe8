"""Records of a data set: one for each failed round of a run, rewritten so that no customer is in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, get_args

from mindatlas.evals.release.messages import (
    Told,
    released_kind,
    tell_assertions,
    tell_by_type,
    tell_error,
)
from mindatlas.evals.release.programs import Program, columns_mentioned, rewrite_program
from mindatlas.evals.release.reclassify import type_of_record
from mindatlas.evals.release.tokens import PLACEHOLDER, Tokens
from mindatlas.evals.release.workbooks import SeenBooks, shape_of
from mindatlas.nodes.atlassplit.parts.code_writer import Task
from mindatlas.nodes.atlassplit.parts.error_classes import classify
from mindatlas.nodes.atlassplit.parts.execution import ExecutionError

STRATEGIES: Final[tuple[str, ...]] = (*get_args(Task), "other")
ENDS: Final = ("pass", "stopped", "failed", "unfinished")
_VERSION: Final = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,3}){1,2}")
_CALLED_FROM: Final = re.compile(r'File "<code>", line (\d+)')

Line = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class SetAside:
    """A failed round that is not released, and why."""

    reason: str


def records_of(
    run: Sequence[Line], books: SeenBooks | None, task_id: Callable[[str, int], str]
) -> list[dict[str, Any] | SetAside]:
    """Return the records of a run, in the order of its failed rounds.

    Args:
        run: Its audit lines in order.
        books: Its workbooks, None where they could not be read again.
        task_id: Gives the id of a record from the run's id and the round's number.
    """
    tokens = _tokens(run, books)
    programs = [None if line["code"] is None else rewrite_program(line["code"], tokens) for line in run]
    found: list[dict[str, Any] | SetAside] = []
    for at, (line, program) in enumerate(zip(run, programs, strict=True)):
        if line["error_type"] is None:
            continue
        if program is None:
            found.append(SetAside(reason="the audit holds no program"))
            continue
        made = _record(run, at, program, tokens, books, task_id(line["run_id"], line["round"]))
        found.append(made or SetAside(reason="the kind of failure would not survive"))
    return found


def _tokens(run: Sequence[Line], books: SeenBooks | None) -> Tokens:
    columns = {name for line in run if line["code"] for name in columns_mentioned(line["code"])}
    for line in run:
        columns |= _columns_told(line)
    sheets: set[str] = {line["active"] for line in run if line["active"]}
    if books is not None:
        columns |= {name for names in books.frames.values() for name in names if isinstance(name, str)}
        sheets |= set(books.sheets)
    return Tokens(columns, sheets)


def _columns_told(line: Line) -> set[str]:
    """Return the columns that the precheck, assertions and the error of a round name."""
    names = [
        name for found in line["precheck"] for kind in ("missing", "unknown") for name in found.get(kind, ())
    ]
    for record in line["assertions"]:
        if record["kind"] == "columns_present":
            names += [*_listed(record["expected"]), *_listed(record["actual"])]
    if line["error"] and line["error_type"] == "E1":
        found = classify(_execution_error(line["error"]), code=line["code"] or "", frames={})
        names += [found.column] if found.column else []
    return {name for name in names if isinstance(name, str)}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _execution_error(error: Mapping[str, Any]) -> ExecutionError:
    return ExecutionError(kind=error["kind"], message=error["message"], line=error["line"])


def _record(
    run: Sequence[Line], at: int, program: Program, tokens: Tokens, books: SeenBooks | None, task_id: str
) -> dict[str, Any] | None:
    """Return a record from which the classifier tells the recorded kind of failure, None when there is none."""
    line = run[at]
    for told in _sentences(line, tokens):
        description = _description(line, told, program)
        record = {
            "task_id": task_id,
            "error_type": line["error_type"],
            "error_pattern": told.pattern,
            "error_description": description,
            "code_snippet": program.text,
            **_course(run, at),
            "metadata": _metadata(line, program.text + description, tokens, books),
        }
        if type_of_record(record) == line["error_type"]:
            return record
    return None


def _sentences(line: Line, tokens: Tokens) -> list[Told]:
    if line["error"] is None:
        failed = [record["kind"] for record in line["assertions"] if not record["passed"]]
        return [tell_assertions(failed)] if failed else []
    kind = released_kind(line["error"]["kind"])
    return [tell_error(line["error"], tokens), tell_by_type(kind, line["error_type"])]


def _description(line: Line, told: Told, program: Program) -> str:
    """Return the sentence with the kind of the error and its lines in the released program."""
    error = line["error"]
    if error is None:
        return told.message
    callers = [int(number) for number in _CALLED_FROM.findall(error.get("traceback") or "")[:-1]]
    at = program.line(error["line"])
    lines = [number for number in (program.line(caller) for caller in callers[-3:]) if number]
    where = f" on line {at}" if at else ""
    called = f" called from line {', '.join(map(str, lines))}" if at and lines else ""
    return f"{released_kind(error['kind'])}{where}{called}: {told.message}"


def _course(run: Sequence[Line], at: int) -> dict[str, Any]:
    """Return how the run went on: kinds of failure and strategies in turn, and its end."""
    steps: list[str] = [run[at]["error_type"]]
    for line in run[at + 1 :]:
        steps += [_strategy(line), line["error_type"] or "pass"]
    status = run[-1]["status"] or "unfinished"
    if steps[-1] != "pass":
        steps.append(status)
    return {
        "repair_path": steps,
        "repair_attempts": len(run) - at - 1,
        "success": None if status == "unfinished" else status == "pass",
    }


def _strategy(line: Line) -> str:
    return line["strategy"] if line["strategy"] in STRATEGIES else "other"


def _metadata(line: Line, text: str, tokens: Tokens, books: SeenBooks | None) -> dict[str, Any]:
    version = line["versions"]["pandas"]
    used = set(PLACEHOLDER.findall(text))
    return {
        "df_shape": shape_of(books),
        "dtypes": {} if books is None else books.dtypes(tokens, used),
        "pandas_version": version if _VERSION.fullmatch(version) else "unknown",
        "strategy": _strategy(line),
    }
