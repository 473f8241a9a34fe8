"""Audit logs of any size, one line at a time; what is broken is counted, and the first of it named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any, Final, Self

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.publishing.audit import AUDIT_VERSION
from mindatlas.nodes.errors import FileReadError, UsageError

NAMED: Final = 20  # broken lines that are named; the others are only counted
LONGEST_LINE: Final = 16 * 2**20  # bytes; a longer one is passed over without being kept


class BrokenLine(TypedDict):
    """A line that is no audit line: its file, its number from 1, and what is wrong with it."""

    file: str
    line: int
    reason: str


class AuditStream(Iterator[dict[str, Any]]):
    """Yields the good lines of audit logs, in the order of the files; memory does not grow with their length.

    Attributes:
        read: Lines met so far, blank ones not counted.
        broken: How many of them were no audit lines.
        named: The first `NAMED` of those.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """Check that there is something to read; a file that is given twice is read once.

        Args:
            paths: Audit logs, and folders: of those, all files that end in `.audit.jsonl`, by name.

        Raises:
            UsageError: No path is given, one names no file, or a folder holds no audit log.
        """
        if not paths:
            raise UsageError(
                "no audit log was given; name at least one *.audit.jsonl file, or a folder of them"
            )
        self.paths = list({path.resolve(): path for given in paths for path in _logs(given)}.values())
        self.read = 0
        self.broken = 0
        self.named: list[BrokenLine] = []
        self._lines = self._all()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> dict[str, Any]:
        return next(self._lines)

    def set_aside(self, path: Path, number: int, reason: str) -> None:
        """Count a line as broken, and name it if it is among the first."""
        self.broken += 1
        if len(self.named) < NAMED:
            self.named.append(BrokenLine(file=str(path), line=number, reason=reason[:300]))

    def require_lines(self) -> None:
        """Raise unless a good line was met.

        Raises:
            FileReadError: All lines were broken, or there were none.
        """
        if self.read > self.broken:
            return
        first = f"; the first: line {self.named[0]['line']}: {self.named[0]['reason']}" if self.named else ""
        names = ", ".join(repr(str(path)) for path in self.paths[:3])
        raise FileReadError(f"no audit line in {names}: {self.broken} of {self.read} lines are broken{first}")

    def _all(self) -> Iterator[dict[str, Any]]:
        for path in self.paths:
            try:
                with path.open("rb") as file:
                    yield from self._good(path, file)
            except OSError as error:
                raise FileReadError(f"{str(path)!r} cannot be read: {error.strerror}") from error

    def _good(self, path: Path, file: IO[bytes]) -> Iterator[dict[str, Any]]:
        for number, content in enumerate(_bounded_lines(file), 1):
            if content is not None and not content.strip():
                continue
            self.read += 1
            line, problem = _parsed(content)
            if problem:
                self.set_aside(path, number, problem)
            else:
                yield line


def _logs(given: Path) -> list[Path]:
    """Return the audit logs that a path stands for."""
    found = sorted(given.glob("*.audit.jsonl")) if given.is_dir() else [given]
    if not found:
        raise UsageError(f"the folder {str(given)!r} holds no *.audit.jsonl file; name the logs")
    if not found[0].is_file():
        raise UsageError(f"there is no audit log {str(given)!r}; name the *.audit.jsonl files of runs")
    return found


def _bounded_lines(file: IO[bytes]) -> Iterator[bytes | None]:
    """Yield each line, None in place of one that is too long."""
    while content := file.readline(LONGEST_LINE):
        too_long = False
        while len(content) == LONGEST_LINE and not content.endswith(b"\n"):
            too_long, content = True, file.readline(LONGEST_LINE)
        yield None if too_long else content


def _parsed(content: bytes | None) -> tuple[Any, str]:
    """Return the line and what is wrong with it, empty text when nothing is."""
    if content is None:
        return None, f"longer than {LONGEST_LINE} bytes"
    try:
        line = json.loads(content)
    except (ValueError, RecursionError) as error:
        return None, f"no JSON: {error}"
    if not isinstance(line, dict):
        return None, "no JSON object"
    version = line.get("version")
    if isinstance(version, int) and version > AUDIT_VERSION:
        return None, f"its format version {version} is newer than {AUDIT_VERSION}; update mindatlas"
    if _validator().is_valid(line):
        return line, ""
    fault = best_match(_validator().iter_errors(line))
    return (
        None,
        f"{'.'.join(map(str, fault.absolute_path)) or 'line'}: {fault.message}" if fault else "invalid",
    )


@cache
def _validator() -> Draft202012Validator:
    source = files("mindatlas.nodes.atlassplit.parts.publishing").joinpath("audit_schema.json")
    return Draft202012Validator(json.loads(source.read_text(encoding="utf-8")))
