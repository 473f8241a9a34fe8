"""What happens where the landlock tier is not to be had."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.execution import ExecutionError, ExecutionResult, Inputs
from mindatlas.nodes.atlassplit.parts.frames import write_frame
from mindatlas.nodes.atlassplit.parts.sandbox import Sandbox
from mindatlas.nodes.atlassplit.parts.sandbox_probe import missing, probe

# A process in which the kernel seems to have no Landlock: its three calls end with ENOSYS.
WITHOUT_LANDLOCK = """
import ctypes, errno, struct
from mindatlas.nodes.atlassplit.parts.kernel import prctl
refuse, allow = (0x06, 0, 0, 0x50000 | errno.ENOSYS), (0x06, 0, 0, 0x7FFF0000)
steps = [(0x20, 0, 0, 0), (0x35, 0, 2, 444), (0x35, 1, 0, 447), refuse, allow]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps), 40)
prctl(38, 1)
prctl(22, 2, struct.pack("HxxxxxxP", 5, ctypes.addressof(code)))
"""
RUN_ONE = """
import sys
from pathlib import Path
from mindatlas.nodes.atlassplit.parts.sandbox import Inputs, Sandbox
inputs = Inputs(frames={"s": Path(sys.argv[1])}, active="s")
with Sandbox(tier=sys.argv[2]) as sandbox:
    print(sandbox.run("result = len(df)", inputs).result)
"""


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    write_frame(pd.DataFrame({"x": [1, 2, 3]}), tmp_path / "table.parquet")
    return Inputs(frames={"s": tmp_path / "table.parquet"}, active="s")


def _python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], check=False, capture_output=True, text=True, timeout=60
    )


def test_kernel_without_landlock_is_a_setup_error_that_names_the_way_out(inputs: Inputs) -> None:
    done = _python(WITHOUT_LANDLOCK + RUN_ONE, str(inputs.frames["s"]), "auto")
    assert done.stdout == ""
    assert "SetupError" in done.stderr
    assert "no Landlock" in done.stderr
    assert "--sandbox subprocess" in done.stderr


def test_subprocess_tier_does_without_landlock(inputs: Inputs) -> None:
    assert _python(WITHOUT_LANDLOCK + RUN_ONE, str(inputs.frames["s"]), "subprocess").stdout == "3\n"


def test_probe_reports_each_hole_of_a_sandbox_that_holds_nothing() -> None:
    with Sandbox(tier="subprocess") as sandbox:
        holes = probe(sandbox.run)
    assert all(hole in holes for hole in ("reads files", "writes files", "opens sockets", "starts processes"))


def test_probe_reports_a_run_that_fails() -> None:
    def run(code: str, inputs: Inputs) -> ExecutionResult:
        error = ExecutionError(kind="PermissionError", message="[Errno 13] Permission denied: 'inside'")
        return ExecutionResult(error=error, tier="landlock")

    assert "trial run failed: PermissionError" in probe(run)


def test_missing_parts_are_named() -> None:
    assert missing({"landlock": 7, "seccomp": True}) == ""
    assert "Landlock" in missing({"landlock": 0, "seccomp": True})
    assert "system-call filter" in missing({"landlock": 7, "seccomp": False})
