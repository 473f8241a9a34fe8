"""Other tools' failures enter the same queue: Workdesk's repair drafts, and AtlasSplit's failed runs.

Reading the same file again adds nothing: the id of an import follows from what it holds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from mindatlas.evals.files import digest
from mindatlas.evals.learning.feedback import Feedback, keep, time_stamp
from mindatlas.evals.learning.store import FeedbackStore
from mindatlas.nodes.atlassplit.parts.publishing.audit import AuditLine, read_audit
from mindatlas.nodes.errors import FileReadError

_DESK_DRAFT = Draft202012Validator(
    {
        "type": "object",
        "required": ["id", "query", "expected", "case_type", "source"],
        "properties": {
            "id": {"type": "string", "minLength": 1},
            "query": {"type": "string", "pattern": "\\S"},
            "expected": {
                "type": "object",
                "required": ["repairs"],
                "properties": {"repairs": {"type": "array"}},
            },
            "case_type": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
            "created": {"type": "string"},
            "note": {"type": "string"},
        },
    }
)
_FAILED = ("failed", "stopped")


@dataclass(frozen=True, kw_only=True)
class ImportReport:
    """What a file gave.

    Attributes:
        found: drafts or failed runs in it.
        added: those that were not in the store before.
        passed_over: why others were not taken, one sentence each.
        broken: what is wrong with lines that could not be read, each with its number.
    """

    path: Path
    kind: str
    found: int
    added: int
    passed_over: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


def import_file(store: FeedbackStore, path: Path) -> ImportReport:
    """Take the failures in a JSONL file into the store, in one transaction, and return what it gave.

    Broken lines are named and the others taken; a private run holds no request, so nothing can be drafted from it.

    Raises:
        FileReadError: the file cannot be read, or no line of it is a repair draft or an audit line.
        StoreError: the store cannot be written; nothing of the file is.
    """
    kind, read = _reader_for(path)
    found, passed_over, broken = read(path)
    if broken and not found and not passed_over:
        raise FileReadError(f"{str(path)!r} holds nothing to import: {broken[0]}")
    added = keep(store, found)
    return ImportReport(
        path=path,
        kind=kind,
        found=len(found),
        added=added,
        passed_over=tuple(passed_over),
        broken=tuple(broken),
    )


_Read = tuple[list[Feedback], list[str], list[str]]


def _reader_for(path: Path) -> tuple[str, Callable[[Path], _Read]]:
    """Return how to read a file, told by its first line that is a JSON object.

    Raises:
        FileReadError: there is none, or it is of neither kind.
    """
    first = next((value for _, value, _ in _lines(path) if value is not None), None)
    if first is None:
        raise FileReadError(
            f"{str(path)!r} holds no JSON object; expected repair drafts or an audit log, one a line"
        )
    if {"run_id", "round", "request_sha256"} <= set(first):
        return "audit", _failed_runs
    if {"query", "expected", "source"} <= set(first):
        return "repair drafts", _desk_drafts
    raise FileReadError(
        f"{str(path)!r} holds neither repair drafts (query, expected, source) nor an audit log (run_id, round); "
        f"its first object has: {', '.join(list(first)[:8]) or 'no key'}"
    )


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any] | None, str]]:
    """Yield number, object and "" for each line, or None and what is wrong with it; one line in memory at a time."""
    try:
        with path.open("rb") as file:
            for number, content in enumerate(file, start=1):
                if content.strip():
                    yield number, *_parsed(content)
    except OSError as error:
        raise FileReadError(f"Cannot read {str(path)!r}: {error.strerror}") from error


def _parsed(content: bytes) -> tuple[dict[str, Any] | None, str]:
    try:
        value = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        return None, f"no JSON: {error}"
    return (value, "") if isinstance(value, dict) else (None, "no JSON object")


def _desk_drafts(path: Path) -> _Read:
    found, broken = [], []
    for number, line, fault in _lines(path):
        error = None if line is None else next(iter(_DESK_DRAFT.iter_errors(line)), None)
        if line is None or error is not None:
            broken.append(f"line {number}: {fault or (error and f'{error.json_path}: {error.message}')}")
        else:
            found.append(_of_desk_draft(line))
    return found, [], broken


def _of_desk_draft(line: Mapping[str, Any]) -> Feedback:
    return Feedback(
        id=digest(["workdesk", line["id"], line["query"], line["expected"]])[:32],
        created=_moment(str(line.get("created", ""))),
        graph="workdesk",
        thumbs="down",
        question=line["query"],
        comment=str(line.get("note", "")),
        origin="workdesk",
        imported_case={**line, "reviewed": False},
    )


def _failed_runs(path: Path) -> _Read:
    """Return the runs whose last line says that they failed; the lines of a run may stand apart, batches mix them."""
    lines = read_audit(path)
    found, passed_over = [], []
    for line in lines:
        if line["status"] in _FAILED:
            if line["request"] is None:
                passed_over.append(f"run {line['run_id']!r} is private: its request was not kept")
            else:
                found.append(_of_failed_run(line, line["request"], path))
    return found, passed_over, [f"line {entry.number}: {entry.reason}" for entry in lines.broken]


def _of_failed_run(line: AuditLine, request: str, path: Path) -> Feedback:
    failure = f"{line['status']} after round {line['round']}: {line['error_type'] or line['stop_reason']}"
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC)  # audit lines hold no time
    return Feedback(
        id=digest(["audit", line["run_id"]])[:32],
        created=time_stamp(written),
        graph="atlassplit",
        thumbs="down",
        question=request,
        run_id=line["run_id"],
        model=line["model"],
        settings_hash=line["settings_sha256"],
        stop_reason=line["stop_reason"] or "",
        origin="audit",
        imported_case={
            "request": request,
            "workbooks": [
                Path(file["path"]).name for file in line["inputs"]
            ],  # whose folders are nobody else's business
            "expected": None,
            "case_type": f"failed_{(line['error_type'] or 'run').lower()}",
            "note": failure,
        },
    )


def _moment(text: str) -> str:
    """Return a time stamp as it is stored; the present where it cannot be read."""
    try:
        return time_stamp(datetime.fromisoformat(text))
    except ValueError:
        return time_stamp()
