"""Rounds: one execution each, what was wrong with it, and what the writer is told."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.error_types import ErrorType
from mindatlas.nodes.atlassplit.parts.execution import ExecutionError

_MOST_STEPS: Final = 12
_LINES_AROUND: Final = 1


class ErrorView(TypedDict):
    """An `ExecutionError` as the state carries it."""

    kind: str
    message: str
    line: int | None
    traceback: str


class Execution(TypedDict):
    """What came of running a program; `result` is a `StoredResult`."""

    error: ErrorView | None
    result: Any
    chart: dict[str, Any] | None
    stdout: str
    seconds: float
    input_intact: bool


class Round(TypedDict):
    """One executed program: why it was written, and how it failed; `error_type` is None when it passed."""

    round: int
    strategy: str
    error_type: ErrorType | None
    error: str | None
    evidence: str
    assertions: list[dict[str, Any]]
    code_sha256: str
    seconds: float


class Attempt(TypedDict):
    """What the audit keeps of a round beyond `Round`."""

    code: str
    prompt_sha256: str
    findings: str
    error: ErrorView | None
    chart: dict[str, Any] | None
    precheck: list[dict[str, Any]]
    input_tokens: int
    output_tokens: int


def sha256_of(code: str) -> str:
    """Return the SHA-256 of a program's text."""
    return hashlib.sha256(code.encode()).hexdigest()


def view_of_error(error: ExecutionError | None) -> ErrorView | None:
    """Return an error as the state carries it."""
    if error is None:
        return None
    return ErrorView(kind=error.kind, message=error.message, line=error.line, traceback=error.traceback)


def error_text(error: ErrorView) -> str:
    """Return an error on one line: its kind, its message, and the line where it arose."""
    where = f" (line {error['line']})" if error["line"] else ""
    message = " ".join(error["message"].split())
    return f"{error['kind']}: {message}{where}" if message else f"{error['kind']}{where}"


def error_findings(error: ErrorView, code: str) -> str:
    """Return what a writer is told about an error: the error, and the lines of the program around it."""
    told = [f"✗ the program stopped with {error_text(error)}"]
    if error["line"]:
        lines = code.splitlines()
        first = max(error["line"] - 1 - _LINES_AROUND, 0)
        shown = enumerate(lines[first : error["line"] + _LINES_AROUND], first + 1)
        told += [f"{'>' if at == error['line'] else ' '} {at}: {text}" for at, text in shown]
    return "\n".join(told)


def approach_of(code: str) -> str:
    """Return the methods that a program calls, in order and once each: what its approach is.

    Example:
        >>> approach_of("result = df.groupby('a')['b'].sum()")
        'groupby, sum'
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return "no valid Python"
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    ordered = sorted(calls, key=lambda call: (call.end_lineno or 0, call.end_col_offset or 0))
    names = [
        call.func.attr if isinstance(call.func, ast.Attribute) else _plain(call.func) for call in ordered
    ]
    steps = list(dict.fromkeys(name for name in names if name))
    return ", ".join(steps[:_MOST_STEPS]) or "no method call"


def _plain(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else ""


def failed_approaches(rounds: Sequence[Mapping[str, Any]], codes: Sequence[str]) -> list[str]:
    """Return one line for each failed round: what its program called, and how it failed."""
    return [
        f"round {round_['round']} ({round_['strategy']}): {approach_of(code)} -> {round_['error_type']}"
        f" {_first_failure(round_)}"
        for round_, code in zip(rounds, codes, strict=True)
    ]


def _first_failure(round_: Mapping[str, Any]) -> str:
    failed = [record for record in round_["assertions"] if not record["passed"]]
    if not failed:
        return str(round_["error"])
    difference = failed[0]["difference"]
    told = "" if difference is None else f", difference {difference:+g}"
    return f"{failed[0]['kind']}: {failed[0]['description']}{told}"
