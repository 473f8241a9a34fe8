"""The sandbox's processes: when they start, that they end, and when there is no sandbox at all."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pandas as pd
import psutil
import pytest

from mindatlas.nodes.atlassplit.parts.execution import Inputs, Limits
from mindatlas.nodes.atlassplit.parts.frames import write_frame
from mindatlas.nodes.atlassplit.parts.sandbox import Sandbox
from mindatlas.nodes.errors import SetupError, UsageError

Found = TypeVar("Found")

_EARLIER: set[int] = set()
HOSTILE = Path(__file__).parent / "hostile" / "test_sandbox_hostile.py"

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


@pytest.fixture
def leaves_nothing(inputs: Inputs, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the sandbox a temporary folder of its own; afterwards it is empty and no process is left."""
    folder = Path(tempfile.mkdtemp(prefix="mindatlas-lifecycle-"))
    folder.chmod(0o755)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    before = _processes()
    yield folder
    assert _processes() == before
    assert list(folder.iterdir()) == []
    folder.rmdir()


@pytest.fixture(autouse=True)
def _apart() -> Iterator[None]:
    """Leave processes that earlier tests share out of what this test counts."""
    _EARLIER.update(process.pid for process in psutil.Process().children(recursive=True))
    yield
    _EARLIER.clear()


def _processes() -> list[psutil.Process]:
    """Return the processes that the test started, the oldest first; their numbers begin anew now and then."""
    running = psutil.Process().children(recursive=True)
    return sorted((p for p in running if p.pid not in _EARLIER), key=lambda process: process.create_time())


def test_nothing_starts_before_the_first_run(leaves_nothing: Path) -> None:
    before = _processes()
    with Sandbox():
        assert _processes() == before
        assert list(leaves_nothing.iterdir()) == []


def test_start_tries_the_tier_and_runs_use_what_it_started(leaves_nothing: Path, inputs: Inputs) -> None:
    with Sandbox() as sandbox:
        sandbox.start()
        parent = _processes()[0]
        assert sandbox.run("result = 1", inputs).result == 1
        assert _processes()[0] == parent


def test_close_ends_everything_and_further_runs_are_refused(leaves_nothing: Path, inputs: Inputs) -> None:
    sandbox = Sandbox()
    assert sandbox.run("result = 1", inputs).result == 1
    assert [len(_processes()), len(list(leaves_nothing.iterdir()))] == [2, 1]
    sandbox.close()
    sandbox.close()
    with pytest.raises(UsageError, match="closed"):
        sandbox.run("result = 1", inputs)


def test_parent_is_kept_from_run_to_run(leaves_nothing: Path, inputs: Inputs) -> None:
    with Sandbox() as sandbox:
        parents = [
            (sandbox.run("import os; result = os.getppid()", inputs).result, _processes()) for _ in range(3)
        ]
    assert parents[0] == parents[1] == parents[2]


@pytest.mark.parametrize("victim", [0, 1], ids=["parent", "keeper"])
def test_sandbox_starts_again_after_its_processes_died(
    victim: int, leaves_nothing: Path, inputs: Inputs
) -> None:
    with Sandbox() as sandbox:
        sandbox.run("result = 1", inputs)
        process = _processes()[victim]
        process.kill()
        _processes()[0].wait() if victim == 0 else psutil.wait_procs([process])
        results = [sandbox.run("result = len(df)", inputs) for _ in range(2)]
    assert results[1].result == 3
    assert results[0].result == 3 or (results[0].error is not None and results[0].error.kind == "killed")


def test_parent_that_dies_during_a_run_is_told(leaves_nothing: Path, inputs: Inputs) -> None:
    with Sandbox() as sandbox:
        sandbox.run("result = 1", inputs)
        parent, keeper = _processes()
        parent.suspend()
        killer = _when_it_has_a_child(keeper, parent.kill)
        done = sandbox.run("import time; time.sleep(60)", inputs)
        killer.join()
        assert done.error is not None
        assert (done.error.kind, "parent process died" in done.error.message) == ("killed", True)
        assert sandbox.run("result = 1", inputs).result == 1


def _until(look: Callable[[], Found | None]) -> Found:
    """Return what `look` finds as soon as that is something."""
    deadline = time.monotonic() + 60
    while not (found := look()):
        assert time.monotonic() < deadline
    return found


def _when_it_has_a_child(process: psutil.Process, action: Callable[[], None]) -> threading.Thread:
    def act() -> None:
        _until(process.children)
        action()

    thread = threading.Thread(target=act)
    thread.start()
    return thread


def _base_of(host: int) -> Path | None:
    """Return the directory of the runs of a host process, once its sandbox has started."""
    ends = [process.cmdline()[-1] for process in psutil.Process(host).children()]
    return next((Path(end) for end in ends if "mindatlas-sandbox-" in end), None)


def test_runs_die_with_a_host_that_is_killed(inputs: Inputs) -> None:
    code = RUN_ONE.replace("result = len(df)", "import time; open('started', 'w'); time.sleep(600)")
    host = subprocess.Popen([sys.executable, "-c", code, str(inputs.frames["s"]), "auto"])
    base = _until(lambda: _base_of(host.pid))
    _until(lambda: list(base.glob("run-*/started")))
    descendants = psutil.Process(host.pid).children(recursive=True)
    assert len(descendants) == 3  # parent, keeper, run
    host.kill()
    host.wait()
    _, alive = psutil.wait_procs(descendants, timeout=30)
    assert alive == []
    assert not base.exists()


@pytest.mark.parametrize("tier", ["landlock", "subprocess"])
def test_timeout_leaves_no_process(tier: str, leaves_nothing: Path, inputs: Inputs) -> None:
    code = """
import os, time
for _ in range(2):
    try:
        if os.fork() == 0:
            os.setsid()
            os.fork()
            time.sleep(600)
    except PermissionError:
        break
time.sleep(600)
"""
    limits = Limits(wall_s=0.5)
    with Sandbox(tier="landlock" if tier == "landlock" else "subprocess", limits=limits) as sandbox:
        done = sandbox.run(code, inputs)
        assert done.error is not None
        assert (done.error.kind, done.tier) == ("timeout", tier)
        assert len(_processes()) == 2  # parent and keeper


def test_subprocess_tier_has_limits_its_own_directory_and_an_empty_environment(
    leaves_nothing: Path, inputs: Inputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "canary")
    with Sandbox(tier="subprocess", limits=Limits(memory_mb=200)) as sandbox:
        seen = sandbox.run("import os; result = str((dict(os.environ), os.listdir()))", inputs)
        full = sandbox.run("np.ones(10**8)", inputs)
    assert seen.result == "({}, [])"
    assert full.error is not None
    assert full.error.kind == "memory"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Take SIGINT as a keyboard interrupt: a shell's background jobs begin with it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_interrupted_run_ends_and_the_next_one_works(leaves_nothing: Path, inputs: Inputs) -> None:
    with Sandbox() as sandbox:
        sandbox.run("result = 1", inputs)
        keeper = _processes()[1]
        interrupter = _when_it_has_a_child(keeper, lambda: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            sandbox.run("import time; time.sleep(600)", inputs)
        interrupter.join()
        assert sandbox.run("result = 2", inputs).result == 2


def test_parent_that_cannot_start_is_a_setup_error(
    leaves_nothing: Path, inputs: Inputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", ["/nonexistent"])
    with pytest.raises(SetupError, match="did not start"):
        Sandbox().run("result = 1", inputs)


def _as_ordinary_user(*command: str) -> list[str]:
    """Return a command for a user without privileges but for reading, as the interpreter may be in /root."""
    identity = ["--reuid=12345", "--regid=12345", "--clear-groups"]
    return ["setpriv", *identity, "--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search", *command]


def _without_capabilities(*command: str) -> list[str]:
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="needs root and setpriv")
@pytest.mark.parametrize("become", [_as_ordinary_user, _without_capabilities], ids=["user", "bare root"])
def test_hostile_programs_do_no_harm_to_another_user(become: Callable[..., list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        pytest_run = [sys.executable, "-m", "pytest", str(HOSTILE), "-q", "-p", "no:cacheprovider"]
        command = become(*pytest_run, f"--basetemp={folder}/tmp")
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-3000:]
