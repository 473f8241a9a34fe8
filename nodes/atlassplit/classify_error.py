"""Node: find out which kind of failure the round ended with."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.code_writer import Mismatch
from mindatlas.nodes.atlassplit.parts.error_classes import Classification, classify
from mindatlas.nodes.atlassplit.parts.execution import ExecutionError
from mindatlas.nodes.atlassplit.parts.precheck_view import frames_of
from mindatlas.nodes.atlassplit.parts.private_text import Teller
from mindatlas.nodes.atlassplit.parts.rounds import Execution, Round
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


class In(TypedDict):
    """What the node reads."""

    request: str
    files: list[dict[str, str]]
    code: str
    execution: Execution
    assertions: list[dict[str, Any]]
    findings: str
    mismatch: Mismatch | None
    rounds: list[Round]


class Out(TypedDict):
    """What the node writes: the kind of failure, and with it the end of the round's record."""

    error_type: str
    column_misnamed: bool
    evidence: str
    findings: str
    rounds: list[Round]


def classify_error(state: In, parts: AtlasSplitParts) -> Out:
    """Return the kind of the failure with its evidence; what the precheck found joins the findings again."""
    found = _classified(state, parts)
    evidence = Teller.of(state, parts).text(found.evidence)
    round_: Round = {**state["rounds"][-1], "error_type": found.error_type, "evidence": evidence}
    return Out(
        error_type=found.error_type,
        column_misnamed=parts.enabled("column_constraint")
        and found.error_type == "E1"
        and found.column not in _real_columns(state, parts),
        evidence=evidence,
        findings="\n".join(_told(state, parts)),
        rounds=[*state["rounds"][:-1], round_],
    )


def _told(state: In, parts: AtlasSplitParts) -> list[str]:
    """Return what the next program is told: all that was found, or, switched off, what Python alone would say."""
    error, mismatch = state["execution"]["error"], state["mismatch"]
    if not parts.enabled("structured_feedback"):
        said = f"{error['kind']}: {error['message']}" if error else "The result is wrong."
        return [Teller.of(state, parts).text(said)]
    return [state["findings"], *([mismatch["feedback"]] if mismatch else [])]


def _classified(state: In, parts: AtlasSplitParts) -> Classification:
    books = parts.reader.recall(state["files"], state["request"])
    error = state["execution"]["error"]
    return classify(
        ExecutionError(**error) if error else None,
        code=state["code"],
        frames=frames_of(books),
        failed_assertions=[
            f"{record['kind']}: {record['description']}"
            for record in state["assertions"]
            if not record["passed"]
        ],
    )


def _real_columns(state: In, parts: AtlasSplitParts) -> set[str]:
    """Return the columns that the inputs have: one of them that is missing was lost by the program itself."""
    books = parts.reader.recall(state["files"], state["request"])
    return {str(name) for columns in frames_of(books).values() for name in columns}
