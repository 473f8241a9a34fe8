"""What ends a run that uses too much, and how it says so."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.frames import write_frame
from mindatlas.nodes.atlassplit.parts.sandbox import Inputs, Limits, Sandbox


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    write_frame(pd.DataFrame({"x": [1, 2, 3]}), tmp_path / "table.parquet")
    return Inputs(frames={"s": tmp_path / "table.parquet"}, active="s")


@pytest.mark.parametrize(
    ("limits", "code", "kind", "said"),
    [
        (Limits(wall_s=0.3), "import time; time.sleep(60)", "timeout", "0.3 s"),
        (Limits(cpu_s=1, wall_s=60), "while True: pass", "cpu", "1 s of processor time"),
        (Limits(memory_mb=200), "np.ones(10**8)", "memory", ""),
        (Limits(files=5), "for n in range(9): open(str(n), 'w').close()", "too_many_files", "5 files"),
        (Limits(total_mb=1), "open('big', 'wb').write(bytes(2**21))", "result_too_big", "1 MiB of files"),
        (Limits(result_mb=1), "result = pd.DataFrame({'x': np.ones(10**6)})", "result_too_big", "1 MiB"),
    ],
)
def test_limits_end_a_run_and_say_which(
    limits: Limits, code: str, kind: str, said: str, inputs: Inputs
) -> None:
    with Sandbox(limits=limits) as sandbox:
        error = sandbox.run(code, inputs).error
        assert error is not None
        assert (error.kind, said in error.message) == (kind, True)
        assert sandbox.run("result = 1", inputs).result == 1
