"""A run again, from its audit."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mindatlas.nodes.atlassplit.parts.publishing import AuditLine, read_audit
from mindatlas.nodes.errors import FileReadError, UsageError


def inputs_from_audit(audit: Path, workbooks: Sequence[str]) -> dict[str, Any]:
    """Return what the graph is given to do the last run of an audit again: its program on its workbooks.

    Args:
        audit: An audit log.
        workbooks: Where the workbooks are now; none looks where they were, then beside the audit.

    Raises:
        UsageError: The audit is missing, holds no run that passed, or is private; a workbook is another one.
        FileReadError: A workbook is missing.
    """
    line = _last_passed(audit)
    if line["private"] or line["request"] is None or line["code"] is None:
        raise UsageError(f"The audit {str(audit)!r} is private: its program is masked and cannot run again")
    wanted = [(file["path"], file["sha256"]) for file in line["inputs"]]
    if workbooks and len(workbooks) != len(wanted):
        raise UsageError(f"The audit names {len(wanted)} workbooks, but {len(workbooks)} are given")
    found = list(workbooks) or [_found(path, audit) for path, _ in wanted]
    for path, (was, sha256) in zip(found, wanted, strict=True):
        _require_same(Path(path), was, sha256)
    return {
        "workbooks": found,
        "request": line["request"],
        "given_code": line["code"],
        "into_files": sum(Path(file["path"]).suffix == ".xlsx" for file in line["outputs"]) > 1,
    }


def was_hidden(audit: Path) -> bool:
    """Return whether the run of an audit read hidden sheets and rows."""
    return _last_passed(audit)["include_hidden"]


def _last_passed(audit: Path) -> AuditLine:
    passed = [line for line in read_audit(audit) if line["status"] == "pass"]
    if not passed:
        raise UsageError(f"The audit {str(audit)!r} holds no run that passed, so there is none to run again")
    return passed[-1]


def _found(path: str, audit: Path) -> str:
    beside = audit.parent / Path(path).name
    return path if Path(path).exists() or not beside.exists() else str(beside)


def _require_same(path: Path, was: str, sha256: str) -> None:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileReadError(
            f"Cannot read {str(path)!r}: {error.strerror}; name where {was!r} is now"
        ) from error
    if hashlib.sha256(content).hexdigest() != sha256:
        raise UsageError(f"{str(path)!r} is not what {was!r} was in the audited run: its content has changed")
