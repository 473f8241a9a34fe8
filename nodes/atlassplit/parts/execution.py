"""What goes into a sandboxed run and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pandas as pd

from mindatlas.nodes.errors import UsageError

Tier = Literal["landlock", "subprocess"]

Scalar: TypeAlias = int | float | str | bool
Result: TypeAlias = pd.DataFrame | dict[str, pd.DataFrame] | Scalar | None


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one run may use; each bound is the last allowed value.

    Attributes:
        wall_s: Seconds from the start of the code to its end, result handed over.
        cpu_s: Seconds of processor time, threads added up.
        memory_mb: MiB of address space beyond the loaded libraries and tables (Linux only).
        file_mb: MiB of a single file.
        total_mb: MiB of all files in the run's directory, deleted but open ones included.
        files: Files and directories in the run's directory.
        open_files: Descriptors open at once.
        stdout_kb: KiB kept of what the code prints; the rest is dropped.
        result_mb: MiB of the result as it crosses back, uncompressed.
    """

    wall_s: float = 20
    cpu_s: int = 15
    memory_mb: int = 2048
    file_mb: int = 64
    total_mb: int = 256
    files: int = 200
    open_files: int = 64
    stdout_kb: int = 64
    result_mb: int = 64


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """The tables that the code sees, as Parquet files (see `frames.write_frame`).

    Attributes:
        frames: Sheet name and file; in the code `sheets`.
        active: The sheet that the code sees as `df`.
        books: Workbook name, sheet name and file when there are several workbooks; in the code `books`.
            A file named twice is one frame in the code.
    """

    frames: dict[str, Path]
    active: str
    books: dict[str, dict[str, Path]] | None = None

    def __post_init__(self) -> None:
        if self.active not in self.frames:
            raise UsageError(
                f"active sheet {self.active!r} is none of {sorted(self.frames)!r}; name one of them"
            )


@dataclass(frozen=True, kw_only=True)
class ExecutionError:
    """Why a run gave no result.

    Attributes:
        kind: The exception's type name, or what ended the run: `timeout`, `memory`, `cpu`, `killed` (it ended
            its own process or was ended by a signal), `result_too_big` (result or files), `too_many_files`,
            `bad_result` (not of a kind that can be handed over, or not handed over properly).
        message: The exception's text or what happened, with the limit that was hit.
        line: Line in the user's code, from 1; None when no line is to blame.
        traceback: The frames in the user's code only, as Python prints them; empty when there are none.
    """

    kind: str
    message: str
    line: int | None = None
    traceback: str = ""


@dataclass(frozen=True, kw_only=True)
class ExecutionResult:
    """What a run left behind.

    Everything but `tier`, `seconds`, `stdout` and the kinds of a killed run is the program's own statement:
    a hostile program can forge it, and gains no more than by setting `result`.

    Attributes:
        error: None when the code ran to its end and left something that can be handed over, or nothing.
        result: What the code left in `result`; named index levels are columns. None when it left nothing.
        chart: What the code left in `chart`.
        stdout: What the code printed, stderr included, in order.
        truncated: Whether `stdout` is cut.
        seconds: From the start of the code to the end of its process.
        tier: How the run was confined.
        input_intact: False when a frame was found changed afterwards; True too where the process was killed
            before that could be looked at. The files are out of the code's reach in either case.
    """

    error: ExecutionError | None = None
    result: Result = None
    chart: dict[str, Any] | None = None
    stdout: str = ""
    truncated: bool = False
    seconds: float = 0
    tier: Tier
    input_intact: bool = True
