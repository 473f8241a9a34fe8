"""Node: check what must hold of the result, and record the round."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.asked import from_state
from mindatlas.nodes.atlassplit.parts.assertions import Assertion, Checked, check, feedback
from mindatlas.nodes.atlassplit.parts.book_reader import inputs_of
from mindatlas.nodes.atlassplit.parts.frames import read_frame
from mindatlas.nodes.atlassplit.parts.rounds import (
    Attempt,
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
    regenerations: int
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
    """Return each assertion with what came of it, and whether the round passed; findings are for the writer."""
    failed = state["execution"]["error"] is not None
    second = state["second"] if failed else second_opinion(state, parts)
    checked = [] if failed else _checked(state, parts, second)
    findings = _findings(state, parts, checked)
    round_ = _round(state, parts, checked)
    return Out(
        assertions=[record.to_json() for record in checked],
        passed=not failed and all(record.passed for record in checked),
        findings=findings,
        second=second,
        rounds=[*state["rounds"], round_],
        attempts=[*state["attempts"], _attempt(state, findings)],
    )


def _checked(state: In, parts: AtlasSplitParts, second: SecondOpinion | None) -> list[Checked]:
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


def _findings(state: In, parts: AtlasSplitParts, checked: list[Checked]) -> str:
    error = state["execution"]["error"]
    if error is None:
        return feedback(checked, private=parts.settings.private)
    return parts.masked(error_findings(error, state["code"]))


def _round(state: In, parts: AtlasSplitParts, checked: list[Checked]) -> Round:
    error = state["execution"]["error"]
    return Round(
        round=state["executions"],
        strategy=state["task"],
        error_type=None,
        error=error_text(error) if error else None,
        evidence="",
        assertions=[record.to_json() for record in checked],
        code_sha256=sha256_of(state["code"]),
        seconds=state["execution"]["seconds"],
    )


def _attempt(state: In, findings: str) -> Attempt:
    """Return what the audit keeps; tokens are those of the run up to now, less those of earlier rounds."""
    spent = {
        kind: state["usage"][kind] - sum(attempt[kind] for attempt in state["attempts"])  # type: ignore[literal-required]
        for kind in ("input_tokens", "output_tokens")
    }
    return Attempt(
        code=state["code"],
        prompt_sha256=state["prompt_sha256"],
        findings=findings,
        input_tokens=spent["input_tokens"],
        output_tokens=spent["output_tokens"],
        regenerations=state["regenerations"],
    )
