"""Whether the landlock tier holds on this machine, found out by trying what it must refuse."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.execution import ExecutionResult, Inputs
from mindatlas.nodes.atlassplit.parts.frames import write_frame

# The code of the probe: each line of the result names something that succeeded and must not.
_ATTEMPTS: Final = """
import os, socket
held = []
def attempt(name, action):
    try:
        action()
    except OSError:
        return
    held.append(name)
attempt("it reads files outside its directory", lambda: open(df["outside"][0]).read())
attempt("it writes files outside its directory", lambda: open(df["outside"][0], "a").close())
attempt("it opens sockets", socket.socket)
attempt("it starts processes", lambda: os.fork() or os._exit(0))
open("inside", "w").close()
result = ", ".join(held)
"""


def missing(abilities: dict[str, Any]) -> str:
    """Return what the kernel or machine lacks, "" when nothing."""
    if not abilities["landlock"]:
        return "the kernel has no Landlock"
    if not abilities["seccomp"]:
        return "there is no system-call filter for this kind of machine"
    return ""


def probe(run: Callable[[str, Inputs], ExecutionResult]) -> str:
    """Return what the sandbox fails to refuse, or how it fails, "" when it holds.

    Args:
        run: Runs code in the sandbox.
    """
    with tempfile.TemporaryDirectory(prefix="mindatlas-probe-") as directory:
        outside = Path(directory) / "outside"
        outside.write_text("untouched")
        outside.chmod(0o666)
        Path(directory).chmod(0o777)
        table = Path(directory) / "probe.parquet"
        write_frame(pd.DataFrame({"outside": [str(outside)]}), table)
        done = run(_ATTEMPTS, Inputs(frames={"probe": table}, active="probe"))
    if done.error is not None:
        return f"a trial run failed: {done.error.kind}: {done.error.message}"
    return done.result if isinstance(done.result, str) else ""
