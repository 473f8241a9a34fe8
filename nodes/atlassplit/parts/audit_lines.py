"""The audit of a run: one line a round, made from the state."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mindatlas.nodes.atlassplit.parts.private_text import Teller
from mindatlas.nodes.atlassplit.parts.publishing.audit import AUDIT_VERSION, AuditFile, AuditLine, audit_file
from mindatlas.nodes.atlassplit.parts.rounds import Attempt, Round, sha256_of
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


def audit_lines(
    state: Mapping[str, Any], parts: AtlasSplitParts, outputs: Sequence[Path]
) -> Iterator[AuditLine]:
    """Yield the lines of a run that has ended; the last one says how, and what was written.

    A run in which no program was executed has none. Private lines hold no cell value.
    """
    common = _common(state, parts)
    teller = Teller.of(state, parts, strictly=True)
    for round_, attempt in zip(state["rounds"], state["attempts"], strict=True):
        last = round_ is state["rounds"][-1]
        yield _line(common, round_, attempt, teller) | _end(state, outputs if last else (), last=last)  # type: ignore[misc]


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


def _end(state: Mapping[str, Any], outputs: Sequence[Path], *, last: bool) -> dict[str, Any]:
    return {
        "outputs": [audit_file(path) for path in outputs],
        "status": state["status"] if last else None,
        "stop_reason": state["stop_reason"] if last else None,
    }
