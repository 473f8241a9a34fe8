"""Observations: one JSON line for each run, only ever appended, whole even after a crash."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

from mindatlas.evals.experiments.plan import Arm
from mindatlas.evals.files import json_line, read_text
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.storage import ensure_folder

State = Literal["scored", "infra-error"]


@dataclass(frozen=True, kw_only=True)
class Observation:
    """What one run gave.

    Attributes:
        state: `scored`, or `infra-error` where the run broke off for no fault of what is measured.
        passed: None where the case could not be scored; `reason` then says why.
        duration_s: seconds; None for a run that broke off.
        cost: None where it is not known.
        attempt: 1, or more where earlier attempts were infra errors.
    """

    protocol: str
    arm: Arm
    state: State
    passed: bool | None
    budget_exceeded: bool | None
    duration_s: float | None
    cost: float | None
    reason: str
    scores: Mapping[str, float | None]
    started: str
    attempt: int = 1

    def to_dict(self) -> dict[str, Any]:
        """Return the observation as its line holds it."""
        return {
            "protocol": self.protocol,
            **self.arm._asdict(),
            "attempt": self.attempt,
            "state": self.state,
            "passed": self.passed,
            "budget_exceeded": self.budget_exceeded,
            "duration_s": self.duration_s,
            "cost": self.cost,
            "reason": self.reason,
            "scores": dict(self.scores),
            "started": self.started,
        }


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line as it was found: what it holds, or why it cannot be read. Whether it is valid is judged later."""

    line: int
    data: Mapping[str, Any] | None
    fault: str = ""


def read_rows(path: Path) -> list[Row]:
    """Return the lines of an observation file, empty ones left out; a line that is no object is kept as a fault.

    Raises:
        FileReadError: the file cannot be read.
    """
    return [
        _row(number, text) for number, text in enumerate(read_text(path).split("\n"), start=1) if text.strip()
    ]


def _row(number: int, text: str) -> Row:
    try:
        data = json.loads(text)
    except ValueError as error:
        return Row(line=number, data=None, fault=f"no JSON: {error}")
    if not isinstance(data, dict):
        return Row(line=number, data=None, fault=f"holds {type(data).__name__}, expected an object")
    return Row(line=number, data=data)


class ObservationLog:
    """Appends observations to a file; each is on the disk before the next run begins."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def open(self) -> Iterator[ObservationLog]:
        """Keep other writers out, and cut off the part of a line that a crash left behind.

        Raises:
            UsageError: another process writes to the file.
        """
        ensure_folder(self.path.parent)
        lock = FileLock(f"{self.path}.lock")
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            raise UsageError(f"{str(self.path)!r} is being written by another run: wait for it") from error
        with lock:
            self._cut_torn_line()
            yield self

    def append(self, observation: Observation) -> None:
        """Write one observation and wait until it is on the disk."""
        self._write(json_line(observation.to_dict()).encode())

    def _write(self, line: bytes) -> None:
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            while line:
                line = line[os.write(descriptor, line) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _cut_torn_line(self) -> None:
        if not self.path.exists():
            return
        with self.path.open("r+b") as file:
            content = file.read()
            whole = content.rfind(b"\n") + 1
            if whole < len(content):
                file.truncate(whole)
                os.fsync(file.fileno())
