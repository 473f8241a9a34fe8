"""Audit lines for tests of what reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

VERSIONS = {"python": "3.11.7", "pandas": "3.1.1", "mindatlas": "0.1.0"}


def audit_line(
    run: str = "r1", number: int = 1, error_type: str | None = "E1", **changes: Any
) -> dict[str, Any]:
    """Return a line that the schema allows; a passing round unless `error_type` says how it failed."""
    line: dict[str, Any] = {
        "version": 1, "run_id": run, "round": number, "private": False, "request": "sum",
        "request_sha256": "0" * 64, "strategy": "generate" if number == 1 else "repair", "model": "faulty:3",
        "prompt_hash": None, "code": "result = df['a'].sum()", "code_sha256": "0" * 64, "chart": None,
        "error": None, "error_type": error_type, "evidence": "", "assertions": [], "precheck": [],
        "executions": number, "seconds": 0.1, "tokens": {"input": 0, "output": 0}, "versions": VERSIONS,
        "sandbox": None, "inputs": [], "active": None, "include_hidden": False, "outputs": [],
        "settings_sha256": "0" * 64, "status": None, "stop_reason": None,
    }  # fmt: skip
    return line | changes


def error(kind: str, message: str, line: int | None = 1, traceback: str = "") -> dict[str, Any]:
    """Return an error as a line holds it."""
    return {"kind": kind, "message": message, "line": line, "traceback": traceback}


def run_of(run: str, kinds: Iterable[str | None], **changes: Any) -> list[dict[str, Any]]:
    """Return the lines of a run whose rounds end with these error types; it passed if the last one is None."""
    lines = [audit_line(run, number, kind, **changes) for number, kind in enumerate(kinds, 1)]
    lines[-1]["status"] = "failed" if lines[-1]["error_type"] else "pass"
    return lines


def write_log(path: Path, lines: Iterable[Mapping[str, Any] | str]) -> Path:
    """Write lines, texts among them as they are, and return the path."""
    texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path
