"""Runs untrusted pandas code on prepared tables, confined, and returns what it left as plain data.

Example:
    >>> with Sandbox() as sandbox:
    ...     done = sandbox.run("result = len(df)", Inputs(frames={"Sheet1": path}, active="Sheet1"))
    >>> done.result, done.tier
    (3, 'landlock')
"""

from __future__ import annotations

import dataclasses
import os
import secrets
import signal
import threading
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, Self

from mindatlas.nodes.atlassplit.parts import job_directory
from mindatlas.nodes.atlassplit.parts.execution import (
    ExecutionError,
    ExecutionResult,
    Inputs,
    Limits,
    Result,
    Scalar,
    Tier,
)
from mindatlas.nodes.atlassplit.parts.sandbox_outcome import BadOutcome, Outcome, OutcomeFiles
from mindatlas.nodes.atlassplit.parts.sandbox_probe import missing, probe
from mindatlas.nodes.atlassplit.parts.sandbox_process import ParentDied, ParentProcess
from mindatlas.nodes.errors import FileReadError, MindatlasError, SetupError, UsageError

__all__ = [
    "ExecutionError",
    "ExecutionResult",
    "Inputs",
    "Limits",
    "Result",
    "Sandbox",
    "Scalar",
    "Tier",
]

# Beyond the wall-clock limit: reading the tables, ending the run, counting its files.
_GRACE_S: Final = 30
_MB: Final = 1024 * 1024


class Sandbox:
    """Runs programs one after another, each in a fresh child of one preloaded process.

    The process starts with the first run or `start` (about 0.7 s) and again when it died. Thread safe: runs of several
    threads queue. Close it, or use it as a context manager, and no process is left.
    """

    def __init__(
        self, *, tier: Literal["auto", "landlock", "subprocess"] = "auto", limits: Limits | None = None
    ) -> None:
        """Prepare; nothing is started yet.

        Args:
            tier: `auto` is `landlock` and never falls back: code may not read, write, connect or start
                anything outside its own directory. `subprocess` has limits and an own directory but no such
                boundary, for systems without Landlock and code one trusts; choose it by name.
            limits: What each run may use.
        """
        self.tier: Tier = "landlock" if tier == "auto" else tier
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._parent: ParentProcess | None = None
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Start the process, unless it runs, and try whether the tier holds: before anything costly is done.

        Raises:
            SetupError: The tier is not available here.
            UsageError: The sandbox is closed.
        """
        with self._lock:
            self._running_parent()

    def run(self, code: str, inputs: Inputs) -> ExecutionResult:
        """Run `code` and return what it left in `result` and `chart`, or why it left nothing.

        The code sees `df`, `sheets`, `books` (when given), `pd` and `np`.

        Raises:
            SetupError: The tier is not available here.
            FileReadError: A table is missing or is no Parquet file.
            UsageError: The sandbox is closed.
        """
        with self._lock:
            return self._run(self._running_parent(), code, inputs)

    def close(self) -> None:
        """End the process, after the run that is going on in another thread; later runs are refused."""
        with self._lock:
            self._closed = True
            if self._parent is not None:
                self._parent.close()
                self._parent = None

    def _running_parent(self) -> ParentProcess:
        if self._closed:
            raise UsageError("this sandbox is closed; open a new one")
        if self._parent is not None and self._parent.is_alive():
            return self._parent
        if self._parent is not None:
            self._parent.close()
            self._parent = None
        parent = ParentProcess()
        try:
            self._refuse_unless_available(parent)
        except BaseException:
            parent.close()
            raise
        self._parent = parent
        return parent

    def _refuse_unless_available(self, parent: ParentProcess) -> None:
        if self.tier != "landlock":
            return
        reason = missing(parent.abilities) or probe(lambda code, inputs: self._run(parent, code, inputs))
        if reason:
            raise SetupError(
                f"the landlock sandbox is not available here: {reason}. Use Linux 5.13 or later on x86_64 or "
                "aarch64 with Landlock enabled, or choose --sandbox subprocess by name: it has limits, but "
                "does not keep the code from files and network"
            )

    def _run(self, parent: ParentProcess, code: str, inputs: Inputs) -> ExecutionResult:
        try:
            directory = parent.new_directory()
            try:
                return self._run_in(directory, parent, code, inputs)
            finally:
                job_directory.remove(directory)
        except ParentDied as died:
            error = ExecutionError(kind="killed", message=f"the sandbox's parent process died: {died}")
            return ExecutionResult(error=error, tier=self.tier)

    def _run_in(self, directory: Path, parent: ParentProcess, code: str, inputs: Inputs) -> ExecutionResult:
        files = OutcomeFiles(
            directory=directory,
            token=secrets.token_hex(16),
            owner=os.geteuid() if parent.uid is None else parent.uid,
            most_bytes=self.limits.result_mb * _MB,
        )
        request = self._request(files, code, inputs)
        return self._result(parent.exchange(request, timeout_s=self.limits.wall_s * 2 + _GRACE_S), files)

    def _request(self, files: OutcomeFiles, code: str, inputs: Inputs) -> dict[str, Any]:
        return {
            "code": code,
            "frames": _as_text(inputs.frames),
            "active": inputs.active,
            "books": inputs.books and {book: _as_text(frames) for book, frames in inputs.books.items()},
            "directory": str(files.directory),
            "token": files.token,
            "tier": self.tier,
            "limits": dataclasses.asdict(self.limits),
        }

    def _result(self, report: dict[str, Any], files: OutcomeFiles) -> ExecutionResult:
        if report["refused"]:
            raise _refusal(report["refused"])
        outcome = _outcome(report, files)
        return ExecutionResult(
            error=outcome.error,
            result=outcome.result,
            chart=outcome.chart,
            input_intact=outcome.input_intact,
            stdout=report["stdout"],
            truncated=report["truncated"],
            seconds=report["seconds"],
            tier=self.tier,
        )


def _refusal(refused: str) -> MindatlasError:
    kind, _, message = refused.partition(": ")
    if kind == "FileReadError":
        return FileReadError(message)
    return SetupError(f"the sandbox could not start the program: {refused}")


def _outcome(report: dict[str, Any], files: OutcomeFiles) -> Outcome:
    if report["error"]:
        kind, message = report["error"]
        return Outcome(error=ExecutionError(kind=kind, message=message))
    try:
        return files.read() or Outcome(error=_ended_early(report["status"]))
    except BadOutcome as error:
        return Outcome(error=ExecutionError(kind="bad_result", message=str(error)))


def _ended_early(status: int) -> ExecutionError:
    how = f"ended its process (exit status {status})"
    if status < 0:
        how = f"was killed by signal {-status} ({signal.strsignal(-status)})"
    return ExecutionError(kind="killed", message=f"the code {how} before its result was handed over")


def _as_text(frames: dict[str, Path]) -> dict[str, str]:
    return {name: str(path.absolute()) for name, path in frames.items()}
