"""The world around hostile programs, and the sandboxes that they run in."""

from __future__ import annotations

import dataclasses
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import psutil
import pytest

from mindatlas.nodes.atlassplit.parts.execution import Inputs, Limits
from mindatlas.nodes.atlassplit.parts.frames import write_frame
from mindatlas.nodes.atlassplit.parts.sandbox import Sandbox

LIMITS = Limits(memory_mb=512, file_mb=4, total_mb=8, files=40, open_files=32, stdout_kb=16, result_mb=4)


class World:
    """What a program could harm, open to every user, so that nothing but the sandbox protects it."""

    def __init__(self) -> None:
        self.canary = f"CANARY-{secrets.token_hex(12)}"
        self.earlier = f"EARLIER-{secrets.token_hex(12)}"
        self.outside = Path(tempfile.mkdtemp(prefix="mindatlas-outside-"))
        (self.outside / "victim_dir").mkdir()
        (self.outside / "other_run").mkdir()
        for name in ("secret", "other_run/secret", "secret.pkl"):
            (self.outside / name).write_text(self.canary)
        (self.outside / "victim").write_text("untouched")
        os.setxattr(self.outside / "secret", "user.canary", self.canary.encode())
        self.shm_key = secrets.randbelow(2**30)
        self.tcp, self.udp, self.unix, self.abstract = self._listeners()
        self.bystander = subprocess.Popen(["sleep", "3600"])
        self.table = self.outside / "table.parquet"
        write_frame(
            pd.DataFrame({"name": list(self.places()), "value": list(self.places().values())}), self.table
        )
        self.inputs = Inputs(frames={"places": self.table}, active="places")
        notes = self.outside / "earlier"
        write_frame(pd.DataFrame({"note": [f"{self.earlier} {n}" for n in range(500)]}), notes)
        self.earlier_inputs = Inputs(frames={"notes": notes}, active="notes")
        for path in (self.outside, *self.outside.rglob("*")):
            path.chmod(0o777)
        self.before = self.state()

    def _listeners(self) -> tuple[socket.socket, ...]:
        tcp, udp = socket.create_server(("127.0.0.1", 0)), socket.socket(type=socket.SOCK_DGRAM)
        udp.bind(("127.0.0.1", 0))
        unix, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
        unix.bind(str(self.outside / "listener"))
        abstract.bind(f"\0{self.outside.name}")
        for listener in (unix, abstract):
            listener.listen()
        for listener in (tcp, udp, unix, abstract):
            listener.setblocking(False)
        return tcp, udp, unix, abstract

    def places(self) -> dict[str, str]:
        """Return what the programs get to know: where everything is."""
        files = ("secret", "victim", "victim_dir", "other_run")
        return {
            "outside": str(self.outside),
            **{name: str(self.outside / name) for name in files},
            "table": str(self.table),
            "tcp": str(self.tcp.getsockname()[1]),
            "udp": str(self.udp.getsockname()[1]),
            "unix": str(self.outside / "listener"),
            "abstract": self.outside.name,
            "host_pid": str(os.getpid()),
            "bystander": str(self.bystander.pid),
            "shm_key": str(self.shm_key),
            "canary_length": str(len(self.canary)),
            "earlier_start": "EARLIER-",
        }

    def state(self) -> list[tuple[object, ...]]:
        """Return everything about the files outside, what arrived at the listeners, and who is alive."""
        seen: list[tuple[object, ...]] = []
        for path in sorted(self.outside.rglob("*")):
            found = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            attributes = (found.st_mode, found.st_uid, found.st_gid, found.st_nlink, found.st_mtime_ns)
            seen.append((str(path), *attributes, content, os.listxattr(path, follow_symlinks=False)))
        strays = [str(path) for place in ("/tmp", "/var/tmp", "/dev/shm") for path in _canaries(place)]
        seen += [("arrived", *map(self._arrived, (self.tcp, self.udp, self.unix, self.abstract)))]
        return [*seen, ("strays", *strays), ("bystander", *self._bystander()), ("shm", self._has_shm())]

    def _arrived(self, listener: socket.socket) -> bool:
        try:
            if listener is self.udp:
                listener.recv(1)
            else:
                listener.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def _bystander(self) -> tuple[object, ...]:
        process = psutil.Process(self.bystander.pid)
        return process.status(), process.nice(), process.cpu_affinity(), process.rlimit(psutil.RLIMIT_CPU)

    def _has_shm(self) -> bool:
        listed = Path("/proc/sysvipc")
        tables = [(listed / kind).read_text() for kind in ("shm", "sem", "msg")] if listed.exists() else []
        return any(str(self.shm_key) in table.split() for table in tables)

    def close(self) -> None:
        for listener in (self.tcp, self.udp, self.unix, self.abstract):
            listener.close()
        self.bystander.kill()
        self.bystander.wait()
        shutil.rmtree(self.outside)


def _canaries(place: str) -> list[Path]:
    return [path for path in Path(place).iterdir() if path.name.startswith("mindatlas_canary")]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    world = World()
    yield world
    world.close()


@pytest.fixture
def own_world() -> Iterator[World]:
    """Return a world that the test may harm."""
    world = World()
    yield world
    world.close()


@pytest.fixture(scope="module")
def sandboxes(world: World) -> Iterator[dict[bool, Sandbox]]:
    """Return a sandbox with little time for programs that never end, and one with enough for the others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MINDATLAS_CANARY", world.canary)
        inherited = os.open(world.outside / "secret", os.O_RDONLY)
        os.set_inheritable(inherited, True)
        with (
            Sandbox(limits=dataclasses.replace(LIMITS, wall_s=0.4)) as hasty,
            Sandbox(limits=LIMITS) as patient,
        ):
            for sandbox in (hasty, patient):
                sandbox.run("print(df)\nresult = df", world.earlier_inputs)
                sandbox.run("", world.inputs)
            yield {True: hasty, False: patient}
        os.close(inherited)
