"""Ending processes: a child, its group, and whatever it has started and left behind."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Final

from mindatlas.nodes.atlassplit.parts.kernel import prctl

_PR_SET_CHILD_SUBREAPER: Final = 36


def adopt_orphans() -> None:
    """Make this process the parent of its descendants' orphans, so that none escapes by leaving its group."""
    if sys.platform == "linux":
        prctl(_PR_SET_CHILD_SUBREAPER, 1)


def kill(pid: int) -> None:
    """Kill a child that is not reaped yet, and its group if it has come so far as to have one."""
    kill_group(pid)
    os.kill(pid, signal.SIGKILL)


def kill_group(pid: int) -> None:
    """Kill the group that `pid` leads; nothing when it leads none."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def end_orphans() -> None:
    """Kill and reap every process below this one; the watched child is reaped already.

    Only the subprocess tier has any, and only Linux lets this process adopt them.
    """
    try:
        while True:
            os.waitpid(-1, os.WNOHANG)
            for pid in _children():
                kill(pid)
            os.waitpid(-1, 0)
    except ChildProcessError:
        return


def _children() -> list[int]:
    me = os.getpid()
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == me:
            found.append(int(entry.parent.name))
    return found
