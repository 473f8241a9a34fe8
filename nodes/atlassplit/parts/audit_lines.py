"""The audit of a run: one line a round, made from the state and appended as rounds end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mindatlas.nodes.atlassplit.parts.output_path import audit_path
from mindatlas.nodes.atlassplit.parts.private_text import Teller
from mindatlas.nodes.atlassplit.parts.publishing.audit import (
    AUDIT_VERSION,
    AuditFile,
    AuditLine,
    append_audit,
    audit_file,
    rounds_in,
)
from mindatlas.nodes.atlassplit.parts.rounds import Attempt, Round, sha256_of
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


def record_rounds(
    state: Mapping[str, Any], parts: AtlasSplitParts, out: Path, outputs: Sequence[Path] | None = None
) -> None:
    """Append to the audit beside `out` the rounds that it does not hold yet, each once it is on the disk.

    A round is recorded as soon as it is known what comes after it, so that a run which is killed leaves its
    rounds; one that goes on finds them there and writes none twice.

    Args:
        state: The state; a run in which no program was executed has no rounds.
        parts: The parts.
        out: Where the result goes.
        outputs: What was written, when the run has ended: its last line says how. None while it goes on.

    Raises:
        UsageError: The audit cannot be written.
    """
    path = audit_path(out)
    recorded = rounds_in(path, state["run_id"])
    for line in audit_lines(state, parts, outputs):
        if line["round"] not in recorded:
            append_audit(path, line)


def audit_lines(
    state: Mapping[str, Any], parts: AtlasSplitParts, outputs: Sequence[Path] | None
) -> Iterator[AuditLine]:
    """Yield the lines of the rounds; the last one of a run that has ended says how, and what was written.

    Private lines hold no cell value.
    """
    common = _common(state, parts)
    teller = Teller.of(state, parts, strictly=True)
    for round_, attempt in zip(state["rounds"], state["attempts"], strict=True):
        ending = outputs if round_ is state["rounds"][-1] else None
        yield _line(common, round_, attempt, teller) | _end(state, ending)  # type: ignore[misc]


def _common(state: Mapping[str, Any], parts: AtlasSplitParts) -> dict[str, Any]:
    """Return what all lines of a run share."""
    settings = json.dumps(asdict(parts.settings), sort_keys=True)
    books = parts.reader.recall(state["files"], state["request"])
    private = parts.settings.private
    return {
        "version": AUDIT_VERSION,
        "run_id": state["run_id"],
        "private": private,
        "request": None if private else state["request"],
        "request_sha256": sha256_of(state["request"]),
        "model": state["model"],
        "versions": state["versions"],
        "sandbox": state["sandbox"],
        "inputs": [AuditFile(path=file["path"], sha256=file["sha256"]) for file in state["files"]],
        "active": books.card.active,
        "include_hidden": parts.reader.hidden_in(state["request"]),
        "settings_sha256": hashlib.sha256(settings.encode()).hexdigest(),
    }


def _line(common: Mapping[str, Any], round_: Round, attempt: Attempt, teller: Teller) -> dict[str, Any]:
    return {
        **common,
        "round": round_["round"],
        "strategy": round_["strategy"],
        "prompt_hash": attempt["prompt_sha256"] or None,
        "code": teller.code(attempt["code"]),
        "code_sha256": round_["code_sha256"],
        "chart": teller.chart(attempt["chart"]),
        "error": teller.error(attempt["error"]),
        "error_type": round_["error_type"],
        "evidence": teller.text(round_["evidence"]),
        "assertions": [_told(record, teller) for record in round_["assertions"]],
        "precheck": [_found(found, teller) for found in attempt["precheck"]],
        "executions": round_["round"],
        "seconds": round_["seconds"],
        "tokens": {"input": attempt["input_tokens"], "output": attempt["output_tokens"]},
    }


def _told(record: Mapping[str, Any], teller: Teller) -> dict[str, Any]:
    texts = {name: teller.text(record[name]) for name in ("description", "reason")}
    return {**record, **texts}


def _found(found: Mapping[str, Any], teller: Teller) -> dict[str, Any]:
    suggestions = {teller.text(name): items for name, items in found["suggestions"].items()}
    names = {kind: [teller.text(name) for name in found[kind]] for kind in ("missing", "unknown")}
    return {**names, "suggestions": suggestions}


def _end(state: Mapping[str, Any], outputs: Sequence[Path] | None) -> dict[str, Any]:
    ended = outputs is not None
    return {
        "outputs": [audit_file(path) for path in outputs or ()],
        "status": state["status"] if ended else None,
        "stop_reason": state["stop_reason"] if ended else None,
    }
