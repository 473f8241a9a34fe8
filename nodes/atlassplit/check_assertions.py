"""Node: check what must hold of the result, and record the round."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.asked import from_state
from mindatlas.nodes.atlassplit.parts.assertions import Assertion, Checked, check, feedback
from mindatlas.nodes.atlassplit.parts.book_reader import inputs_of
from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.private_text import Teller
from mindatlas.nodes.atlassplit.parts.rounds import (
    Attempt,
    ErrorView,
    Execution,
    Round,
    error_findings,
    error_text,
    sha256_of,
)
from mindatlas.nodes.atlassplit.parts.second_opinion import SecondOpinion, compare, second_opinion
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts

INPUT_INTACT = Assertion(
    kind="input_intact", source="conservation", description="the program leaves its input as it was"
)


class In(TypedDict):
    """What the node reads."""

    request: str
    files: list[dict[str, str]]
    asked: list[dict[str, Any]]
    code: str
    task: str
    prompt_sha256: str
    execution: Execution
    executions: int
    precheck: list[dict[str, Any]]
    second: SecondOpinion | None
    rounds: list[Round]
    attempts: list[Attempt]
    usage: dict[str, Any]


class Out(TypedDict):
    """What the node writes."""

    assertions: list[dict[str, Any]]
    passed: bool
    findings: str
    second: SecondOpinion | None
    rounds: list[Round]
    attempts: list[Attempt]


def check_assertions(state: In, parts: AtlasSplitParts) -> Out:
    """Return each assertion with what came of it, and whether the round passed; findings are for the writer.

    In a private run records and findings hold patterns in place of cell values.
    """
    execution = state["execution"]
    failed = execution["error"] is not None
    second = state["second"] if failed else second_opinion(state, parts)
    checked = [] if failed else _checked(state, parts, second)
    teller = Teller.of(state, parts)
    error = teller.error(execution["error"])
    private = parts.settings.private
    findings = feedback(checked, private=private) if error is None else _error_findings(state, error, teller)
    records = [record.to_json(private=private) for record in checked]
    return Out(
        assertions=records,
        passed=not failed and all(record.passed for record in checked),
        findings=findings,
        second=second,
        rounds=[*state["rounds"], _round(state, records, error)],
        attempts=[*state["attempts"], _attempt(state, findings, error)],
    )


def _checked(state: In, parts: AtlasSplitParts, second: SecondOpinion | None) -> list[Checked]:
    if not parts.enabled("check_assertions"):
        return []
    books = parts.reader.recall(state["files"], state["request"])
    result = parts.results.load(state["execution"]["result"])
    records = check(
        [*from_state(state["asked"]), INPUT_INTACT],
        inputs={key: read_frame(path) for key, path in inputs_of(books).frames.items()},
        active=books.card.active,
        result=result,
        input_intact=state["execution"]["input_intact"],
    )
    return [*records, *compare(result, second, parts)]


def _error_findings(state: In, error: ErrorView, teller: Teller) -> str:
    return error_findings(error, teller.code(state["code"]))


def _round(state: In, records: list[dict[str, Any]], error: ErrorView | None) -> Round:
    return Round(
        round=state["executions"],
        strategy=state["task"],
        error_type=None,
        error=error_text(error) if error else None,
        evidence="",
        assertions=records,
        code_sha256=sha256_of(state["code"]),
        seconds=state["execution"]["seconds"],
    )


def _attempt(state: In, findings: str, error: ErrorView | None) -> Attempt:
    """Return what the audit keeps; tokens and prechecks are those of the run up to now, less the earlier ones'."""
    before = state["attempts"]
    usage = state["usage"]
    return Attempt(
        code=state["code"],
        prompt_sha256=state["prompt_sha256"],
        findings=findings,
        error=error,
        chart=state["execution"]["chart"],
        precheck=state["precheck"][sum(len(attempt["precheck"]) for attempt in before) :],
        input_tokens=usage["input_tokens"] - sum(attempt["input_tokens"] for attempt in before),
        output_tokens=usage["output_tokens"] - sum(attempt["output_tokens"] for attempt in before),
    )
