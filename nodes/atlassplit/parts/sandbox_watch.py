"""The parent's side of one run: fork, read what it prints, hold it to its limits, and end all of it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mindatlas.nodes.atlassplit.parts.execution import Limits
from mindatlas.nodes.atlassplit.parts.job_directory import deleted_size, measure
from mindatlas.nodes.atlassplit.parts.sandbox_child import READY, Job, run
from mindatlas.nodes.atlassplit.parts.sandbox_descendants import end_orphans, kill, kill_group

_TICK_S: Final = 0.02
# A pipe holds one piece; more is written only by a process that was not ended.
_MOST_PIECES_LEFT: Final = 4
_MB: Final = 1024 * 1024


class HostGone(Exception):
    """The process that asked for the run is gone; nobody waits for its result."""


def watch(job: Job, channel: socket.socket) -> dict[str, Any]:
    """Return what the run printed, how long it took, and how it ended unless by itself.

    Keys: `refused` (why the program was not started, then nothing else), `stdout`, `truncated`, `seconds`,
    `status` (exit code, negative for a signal), `error` (kind and message when a limit ended it, else null).

    Raises:
        HostGone: The channel closed meanwhile; the run has been ended.
    """
    printed_in, printed_out = os.pipe()
    status_in, status_out = os.pipe()
    pid = os.fork()
    if pid == 0:
        _become_child(printed_out)
        run(job, status_out)
    os.close(printed_out)
    os.close(status_out)
    with _open(status_in) as status, _open(printed_in) as printed, _end_of(pid) as ended:
        watched = _Run(pid, job, channel, printed, ended)
        try:
            refused = watched.wait_until_ready(status)
            return {"refused": refused} if refused else watched.wait()
        finally:
            watched.end()


@contextlib.contextmanager
def _open(descriptor: int) -> Iterator[int]:
    """Yield a descriptor and close it afterwards."""
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _end_of(pid: int) -> Iterator[list[int]]:
    """Yield a descriptor that can be read once the process has ended, none where the system has no such."""
    if sys.platform != "linux":
        yield []
        return
    with _open(os.pidfd_open(pid)) as descriptor:
        yield [descriptor]


def _become_child(printed: int) -> None:
    os.setsid()
    os.dup2(printed, 1)
    os.dup2(printed, 2)


class _Run:
    """One forked child, from its start until nothing of it is left."""

    def __init__(self, pid: int, job: Job, channel: socket.socket, printed: int, ended: list[int]) -> None:
        self._pid = pid
        self._limits: Limits = job.confinement.limits
        self._directory: Path = job.confinement.directory
        self._host = channel.fileno()
        self._printed = printed
        self._ended = ended
        self._kept = bytearray()
        self._dropped = False
        self._error: tuple[str, str] | None = None
        self._status: int | None = None
        self._cpu_s = 0.0

    def wait_until_ready(self, status: int) -> str:
        """Return "" once the program is about to start, and else the exception that keeps it from that."""
        said = b""
        deadline = time.monotonic() + self._limits.wall_s
        while said != READY:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([status, self._host], [], [], max(0, left))
            if self._host in ready:
                raise HostGone
            if not ready:
                return f"TimeoutError: confining it took more than {self._limits.wall_s:g} s"
            piece = os.read(status, 8192)
            if not piece:
                return (
                    said.decode("utf-8", "replace")
                    or "ChildProcessError: it died before the program could start"
                )
            said += piece
        return ""

    def wait(self) -> dict[str, Any]:
        """Return the report of the run once its process is gone."""
        began = time.monotonic()
        next_look = began + _TICK_S
        while not self._reap(os.WNOHANG):
            self._read(until=next_look)
            now = time.monotonic()
            if self._error is None and now - began > self._limits.wall_s:
                self._stop("timeout", f"ran for more than {self._limits.wall_s:g} s")
            if now >= next_look:
                self._look_at_files()
                next_look = time.monotonic() + _TICK_S
        seconds = time.monotonic() - began
        self.end()
        self._look_at_files()
        return self._report(seconds)

    def end(self) -> None:
        """End every process of the run and read the rest of what it printed."""
        if self._status is None:
            kill(self._pid)
            self._reap(0)
        end_orphans()
        for _ in range(_MOST_PIECES_LEFT):
            if not self._drain():
                break

    def _reap(self, options: int) -> bool:
        """Note how the child ended; return whether it has."""
        pid, status, usage = os.wait4(self._pid, options)
        if not pid:
            return False
        kill_group(pid)  # at once: later the number may be somebody else's
        self._status = os.waitstatus_to_exitcode(status)
        self._cpu_s = usage.ru_utime + usage.ru_stime
        return True

    def _read(self, *, until: float) -> None:
        """Wait for output, the end of the process or the time `until`; note a host that is gone."""
        printed = [] if self._printed < 0 else [self._printed]
        left = max(0, until - time.monotonic())
        ready, _, _ = select.select([self._host, *printed, *self._ended], [], [], left)
        if self._host in ready:
            raise HostGone
        if self._printed in ready and not self._drain():
            self._printed = -1  # closed: the process is about to end, or hides its output

    def _drain(self) -> bool:
        """Take one piece of output; return whether there may be more."""
        if self._printed < 0 or not select.select([self._printed], [], [], 0)[0]:
            return False
        piece = os.read(self._printed, 1 << 16)
        room = self._limits.stdout_kb * 1024 - len(self._kept)
        self._kept += piece[:room]
        self._dropped |= len(piece) > room
        return bool(piece)

    def _look_at_files(self) -> None:
        limits = self._limits
        usage = measure(self._directory, most_files=limits.files)
        size = usage.size + (deleted_size(self._pid) if self._status is None else 0)
        if usage.files > limits.files:
            self._stop("too_many_files", f"left more than {limits.files} files and directories")
        elif size > limits.total_mb * _MB:
            self._stop("result_too_big", f"wrote more than {limits.total_mb} MiB of files")

    def _stop(self, kind: str, message: str) -> None:
        self._error = self._error or (kind, message)
        if self._status is None:
            kill(self._pid)

    def _report(self, seconds: float) -> dict[str, Any]:
        if self._error is None and self._used_up_cpu():
            self._error = ("cpu", f"used more than {self._limits.cpu_s} s of processor time")
        return {
            "refused": "",
            "stdout": self._kept.decode("utf-8", "replace"),
            "truncated": self._dropped,
            "seconds": seconds,
            "status": self._status,
            "error": self._error,
        }

    def _used_up_cpu(self) -> bool:
        if self._status == -signal.SIGXCPU:
            return True
        return self._status == -signal.SIGKILL and self._cpu_s >= self._limits.cpu_s
