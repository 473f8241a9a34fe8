"""The preloaded parent: imports pandas once, and never sees a table or a program.

For each set of tables it forks a keeper, which reads them and forks a fresh child for each run. When other
tables are asked for, the keeper ends and everything in its memory with it, so that no run can find what
belongs to another workbook. The parent is started with `python -I` and an empty environment, because a
forked child carries its parent's environment on its stack even after clearing it, and has one thread, so
that a fork copies a consistent process.
"""

from __future__ import annotations

import gc
import importlib
import io
import mimetypes
import os
import socket
import sys
from pathlib import Path
from typing import Any, Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts import job_directory, landlock, seccomp
from mindatlas.nodes.atlassplit.parts.execution import Inputs, Limits
from mindatlas.nodes.atlassplit.parts.frames import decode, encode, read_frame, write_frame
from mindatlas.nodes.atlassplit.parts.sandbox_channel import receive, send
from mindatlas.nodes.atlassplit.parts.sandbox_child import Job
from mindatlas.nodes.atlassplit.parts.sandbox_confinement import (
    Confinement,
    die_with,
    foreign_uid,
    readable_paths,
)
from mindatlas.nodes.atlassplit.parts.sandbox_descendants import adopt_orphans, end_orphans
from mindatlas.nodes.atlassplit.parts.sandbox_tables import Snapshot, TableCache
from mindatlas.nodes.atlassplit.parts.sandbox_watch import HostGone, watch
from mindatlas.nodes.errors import FileReadError

# The keeper's exit status when it was told to make room for another one.
_FORGOTTEN: Final = 64

# What programs over tables use and what pandas imports late; a child would pay for each import anew.
_PRELOADED: Final = (
    "calendar",
    "dateutil.parser",
    "dateutil.relativedelta",
    "decimal",
    "encodings.gb18030",
    "encodings.gbk",
    "encodings.utf_8_sig",
    "fractions",
    "openpyxl",
    "pandas.io.excel",
    "pandas.io.excel._openpyxl",
    "pandas.io.formats.format",
    "pyarrow.compute",
    "random",
    "re",
    "statistics",
    "string",
    "textwrap",
    "unicodedata",
    "zoneinfo",
    "_strptime",
)


def main() -> None:
    """Serve runs over descriptor 0 until its other end closes, then remove the directory of the runs.

    That directory is the only command-line argument.
    """
    base = Path(sys.argv.pop())
    channel = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    adopt_orphans()
    _preload()
    uid = foreign_uid()
    send(channel, {"landlock": landlock.abi(), "seccomp": seccomp.prepare(), "uid": uid})
    while _run_keeper(channel, uid) == _FORGOTTEN:
        continue
    end_orphans()
    job_directory.remove(base)


def _run_keeper(channel: socket.socket, uid: int | None) -> int:
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        die_with(parent)
        adopt_orphans()
        os._exit(_keep(channel, uid))
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _keep(channel: socket.socket, uid: int | None) -> int:
    """Serve runs on one set of tables; return the exit status."""
    cache = TableCache()
    try:
        while True:
            request = receive(channel)
            if "forget" in request:
                return _FORGOTTEN
            send(channel, _serve(request, cache, uid, channel))
    except (EOFError, OSError, HostGone):
        return 0


def _serve(
    request: dict[str, Any], cache: TableCache, uid: int | None, channel: socket.socket
) -> dict[str, Any]:
    books = request["books"]
    inputs = Inputs(
        frames=_as_paths(request["frames"]),
        active=request["active"],
        books=None if books is None else {name: _as_paths(frames) for name, frames in books.items()},
    )
    try:
        tables = cache.load(inputs)
    except FileReadError as error:
        return {"refused": f"FileReadError: {error}"}
    confinement = Confinement(
        tier=request["tier"],
        uid=uid,
        directory=Path(request["directory"]),
        limits=Limits(**request["limits"]),
    )
    job = Job(code=request["code"], tables=tables, token=request["token"], confinement=confinement)
    return watch(job, channel)


def _as_paths(frames: dict[str, str]) -> dict[str, Path]:
    return {name: Path(path) for name, path in frames.items()}


def _preload() -> None:
    for name in _PRELOADED:
        importlib.import_module(name)
    mimetypes.init()
    readable_paths()
    _warm_up()
    gc.collect()
    gc.freeze()  # keeps the collector from copying pages that children share


def _warm_up() -> None:
    """Use what every run uses once: pandas and Arrow import and register a good deal on first use."""
    frame = pd.DataFrame({"name": ["a", "b"], "value": [1.5, 2.5], "mixed": ["x", 1]})
    frame["day"] = pd.to_datetime(["2024-01-01", "2024-02-01"])
    with io.BytesIO() as file:
        write_frame(frame, file)
        again = read_frame(file.getvalue())
    Snapshot(again)
    decode(encode(again))
    monthly = again.groupby(["name", again["day"].dt.to_period("M")])["value"].sum().reset_index()
    monthly.merge(again, on="name").pivot_table(index="name", values="value_x", aggfunc="mean").to_string()
