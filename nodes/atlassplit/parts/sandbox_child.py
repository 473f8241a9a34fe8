"""Inside the sandbox: one process, one program.

Nothing here is a boundary: the program runs in this very process and can rewrite all of it. What it cannot
do was settled before, by `Confinement`; what it says is judged afterwards, by `sandbox_outcome`.
"""

from __future__ import annotations

import builtins
import contextlib
import gc
import io
import linecache
import os
import sys
import tempfile
import traceback
from dataclasses import dataclass
from types import ModuleType, TracebackType
from typing import Any, Final, NoReturn, TextIO

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.sandbox_confinement import Confinement, release_spare_files
from mindatlas.nodes.atlassplit.parts.sandbox_handover import (
    HandoverError,
    describe_chart,
    describe_result,
    write,
)
from mindatlas.nodes.atlassplit.parts.sandbox_tables import Tables

READY: Final = b"ready"

_FILENAME: Final = "<code>"
_LONGEST_TEXT: Final = 4000
_OUT_OF_MEMORY: Final = "the code needs more memory than it may use"
_MB: Final = 1024 * 1024
# The parent has a handful of descriptors, none near this.
_FIRST_UNOPENED: Final = 4096


@dataclass(frozen=True, kw_only=True)
class Job:
    """One program to run; `token` names the files of its result and is unknown to the program."""

    code: str
    tables: Tables
    token: str
    confinement: Confinement


def run(job: Job, status: int) -> NoReturn:
    """Confine this process, run the job's program, write what it left, and end the process.

    Args:
        job: What to run.
        status: A descriptor that gets READY once the program is about to start, and otherwise the type and
            text of the exception that keeps it from starting; closed before the program starts.
    """
    try:
        printers = _prepare(job.confinement)
    except BaseException as error:  # anything at all: foreign code must not start
        os.write(status, f"{type(error).__name__}: {error}".encode("utf-8", "replace")[:_LONGEST_TEXT])
        os._exit(1)
    os.write(status, READY)
    os.closerange(3, _FIRST_UNOPENED)
    try:
        _run_program(job, printers)
    finally:
        os._exit(0)  # threads that the program left end here


def _prepare(confinement: Confinement) -> tuple[TextIO, TextIO]:
    os.environ.clear()
    confinement.enter()
    tempfile.tempdir = str(confinement.directory)
    sys.stdin = io.StringIO()
    sys.stdout, sys.stderr = printers = _printer(1), _printer(2)
    return printers


def _run_program(job: Job, printers: tuple[TextIO, TextIO]) -> None:
    module = ModuleType("__main__")
    module.__dict__.update({"pd": pd, "np": np, "__builtins__": builtins, **job.tables.names})
    sys.modules["__main__"] = module
    error = _execute(job.code, module.__dict__)
    envelope: dict[str, Any] = {"error": error, "input_intact": True}
    streams: list[bytes] = []
    for printer in printers:
        with contextlib.suppress(OSError, ValueError):  # the program may have closed it
            printer.flush()
    try:
        if error is None:
            streams = _describe(job, module.__dict__, envelope)
        envelope["input_intact"] = job.tables.intact()
    except HandoverError as refused:
        envelope["error"] = _failure(refused.kind, str(refused))
    except MemoryError as exhausted:
        envelope["error"] = _failure("memory", str(exhausted) or _OUT_OF_MEMORY)
    except BaseException as broken:  # the program's own objects raise what they like
        message = f"the result could not be handed over: {type(broken).__name__}: {broken}"
        envelope["error"] = _failure("bad_result", message)
    release_spare_files()
    write(job.confinement.directory, job.token, envelope, streams)


def _describe(job: Job, names: dict[str, Any], envelope: dict[str, Any]) -> list[bytes]:
    limits = job.confinement.limits
    largest = min(limits.result_mb, limits.file_mb) * _MB
    result, streams = describe_result(names.get("result"), largest)
    envelope.update(result=result, chart=describe_chart(names.get("chart")))
    return streams


def _execute(code: str, names: dict[str, Any]) -> dict[str, Any] | None:
    lines = code.splitlines(keepends=True)
    linecache.cache[_FILENAME] = (len(code), None, lines, _FILENAME)
    try:
        exec(compile(code, _FILENAME, "exec", dont_inherit=True), names)
    except SyntaxError as error:
        text = "".join(traceback.format_exception_only(error))
        return _failure(type(error).__name__, error.msg, line=error.lineno, traceback=text)
    except MemoryError as error:
        names.clear()  # what the failed program holds may be all the memory there is
        return _describe_error(error, kind="memory")
    except BaseException as error:
        return _describe_error(error, kind=type(error).__name__)
    return None


def _describe_error(error: BaseException, *, kind: str) -> dict[str, Any]:
    frames = _user_frames(error.__traceback__)
    error.__traceback__ = None  # lets go of what the program's functions held
    gc.collect()
    try:
        message = str(error)
    except BaseException as worse:  # the program's own method
        message = f"<its text cannot be had: {type(worse).__name__}>"
    last = "".join(traceback.format_exception_only(error))
    shown = "Traceback (most recent call last):\n" + "".join(traceback.format_list(frames)) + last
    if kind == "memory":
        message = message or _OUT_OF_MEMORY
    return _failure(kind, message, line=frames[-1].lineno if frames else None, traceback=shown)


def _user_frames(trace: TracebackType | None) -> traceback.StackSummary:
    frames = [frame for frame in traceback.extract_tb(trace) if frame.filename == _FILENAME]
    return traceback.StackSummary.from_list(frames[-20:])


def _failure(kind: str, message: str, *, line: int | None = None, traceback: str = "") -> dict[str, Any]:
    return {
        "kind": kind[:100],
        "message": _shortened(message),
        "line": line,
        "traceback": _shortened(traceback),
    }


def _shortened(text: str) -> str:
    """Return `text` with its middle left out where it is too long: the end of a traceback says most."""
    if len(text) <= _LONGEST_TEXT:
        return text
    return f"{text[: _LONGEST_TEXT // 2]}\n…\n{text[-_LONGEST_TEXT // 2 :]}"


def _printer(descriptor: int) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding="utf-8", errors="backslashreplace", line_buffering=True
    )
