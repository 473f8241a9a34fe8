"""The audit log of a run: one JSON line for each round, appended so that a crash loses none of the earlier ones."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from typing_extensions import TypedDict

from mindatlas.nodes.errors import UsageError

AUDIT_VERSION: Final = 1
_SCHEMA: Final = Path(__file__).with_name("audit_schema.json")


class AuditFile(TypedDict):
    """A file and the hash of its content."""

    path: str
    sha256: str


class AuditLine(TypedDict):
    """One round, as audit_schema.json says."""

    version: int
    run_id: str
    round: int
    private: bool
    request: str | None
    request_sha256: str
    strategy: str
    model: str
    prompt_hash: str | None
    code: str | None
    code_sha256: str | None
    chart: dict[str, Any] | None
    error: dict[str, Any] | None
    error_type: str | None
    evidence: Any
    assertions: list[dict[str, Any]]
    precheck: list[dict[str, Any]]
    executions: int
    seconds: float
    tokens: dict[str, int]
    versions: dict[str, str]
    sandbox: str | None
    inputs: list[AuditFile]
    active: str | None
    include_hidden: bool
    outputs: list[AuditFile]
    settings_sha256: str
    status: str | None
    stop_reason: str | None


@dataclass(frozen=True, kw_only=True)
class BrokenLine:
    """A line that is no audit line: its number from 1, and what is wrong with it."""

    number: int
    reason: str


def append_audit(path: Path, line: AuditLine) -> None:
    """Append one line and return when it is on the disk.

    Infinite numbers and NaN become null. A line that a crash cut short stays as it is, on a line of its own.

    Raises:
        ValueError: The line is not such as audit_schema.json says.
        UsageError: The file cannot be written.
    """
    plain = _plain(line)
    problem = _problem(plain)
    if problem:
        raise ValueError(f"no audit line: {problem}")
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab+") as file:
            start = b"" if _ends_a_line(path) else b"\n"
            file.write(start + text.encode("utf-8", "replace"))  # half a surrogate pair becomes ?
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise UsageError(f"{str(path)!r} cannot be written: {error.strerror}") from error


def read_audit(path: Path) -> AuditReader:
    """Return the lines of an audit log, read one at a time; broken ones are passed over and listed.

    Raises:
        UsageError: There is no such file.
    """
    if not path.is_file():
        raise UsageError(f"there is no audit log {str(path)!r}")
    return AuditReader(path)


def rounds_in(path: Path, run_id: str) -> frozenset[int]:
    """Return the rounds of a run that an audit log holds; none where there is no log."""
    if not path.is_file():
        return frozenset()
    return frozenset(line["round"] for line in read_audit(path) if line["run_id"] == run_id)


class AuditReader(Iterator[AuditLine]):
    """Yields the good lines of an audit log; `broken` holds the others that were met so far."""

    def __init__(self, path: Path) -> None:
        self.broken: list[BrokenLine] = []
        self._lines = self._read(path)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> AuditLine:
        return next(self._lines)

    def _read(self, path: Path) -> Iterator[AuditLine]:
        with path.open("rb") as file:
            for number, content in enumerate(file, 1):
                if not content.strip():
                    continue
                line: Any = None
                try:
                    line = json.loads(content)
                    problem = _problem(line)
                except (ValueError, RecursionError) as error:
                    problem = f"no JSON: {error}"
                if problem:
                    self.broken.append(BrokenLine(number=number, reason=problem))
                else:
                    yield line


def audit_file(path: Path) -> AuditFile:
    """Return a file's path and the SHA-256 of its content."""
    with path.open("rb") as file:
        return {"path": str(path), "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


def sha256_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hex."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        if file.seek(0, os.SEEK_END) == 0:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


def _problem(line: Any) -> str:
    """Return what is wrong with a line, empty text when nothing is."""
    if not isinstance(line, dict):
        return "no JSON object"
    version = line.get("version")
    if isinstance(version, int) and version > AUDIT_VERSION:
        return f"its format version {version} is newer than {AUDIT_VERSION}; update mindatlas"
    error = best_match(_validator().iter_errors(line))
    if error is None:
        return ""
    return f"{'.'.join(map(str, error.absolute_path)) or 'line'}: {error.message}"[:300]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@cache
def _validator() -> Any:
    return Draft202012Validator(json.loads(_SCHEMA.read_text(encoding="utf-8")))
