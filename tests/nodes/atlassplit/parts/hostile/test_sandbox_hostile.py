"""Hostile programs: after each one the world outside must be as before, whatever the program says."""

from __future__ import annotations

import dataclasses
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import psutil
import pytest
import yaml

from mindatlas.nodes.atlassplit.parts.execution import ExecutionResult
from mindatlas.nodes.atlassplit.parts.sandbox import Sandbox

if TYPE_CHECKING:
    from tests.nodes.atlassplit.parts.hostile.conftest import World

PROGRAMS: list[dict[str, Any]] = [
    {"file": path.stem, **program}
    for path in sorted(Path(__file__).parent.glob("*.yaml"))
    for program in yaml.safe_load(path.read_text("utf-8"))
]

# `W` says where the things are that a program must not reach; `got` and `attempt` report what it reached.
PRELUDE = """
W = dict(zip(df["name"], df["value"]))
class Got(list):
    def append(self, what):
        print("GOT", what, flush=True)
        super().append(what)
got = Got()
def attempt(what, action):
    try:
        action()
    except Exception:
        return
    got.append(what)
"""
FORGE = """
import json, os, sys
import pyarrow as pa
frame = sys._getframe()
while "job" not in frame.f_locals:
    frame = frame.f_back
job = frame.f_locals["job"]
def forge(text, tables=b""):
    open(job.token + ".arrow", "wb").write(tables)
    open(job.token + ".json", "w").write(text)
    os._exit(0)
def forge_table(stream):
    result = {"kind": "table", "tables": [{"name": "", "size": len(stream)}]}
    forge(json.dumps({"error": None, "input_intact": True, "result": result}), stream)
def described(table, *codings, rows=None):
    columns = [{"name": "sa", "coding": coding} for coding in codings]
    rows = len(table) if rows is None else rows
    return table.replace_schema_metadata({"mindatlas.frame": json.dumps({"rows": rows, "columns": columns})})
def stream_of(table, options=None):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())
"""


def _said(done: ExecutionResult) -> str:
    frames = done.result if isinstance(done.result, dict) else {"": done.result}
    tables = [frame.to_csv() if isinstance(frame, pd.DataFrame) else repr(frame) for frame in frames.values()]
    return "\n".join([done.stdout, repr(done.error), repr(done.chart), *tables])


def _code(program: dict[str, Any]) -> str:
    return PRELUDE + (FORGE if program["file"] == "forged" else "") + str(program["code"])


def _children() -> list[psutil.Process]:
    return sorted(psutil.Process().children(recursive=True), key=lambda process: process.pid)


def _run_directories() -> list[Path]:
    bases = {
        Path(line[-1]) for process in _children() if "mindatlas-sandbox-" in (line := process.cmdline())[-1]
    }
    assert bases
    return [directory for base in bases for directory in base.iterdir()]


@pytest.mark.skipif(sys.platform != "linux", reason="the landlock tier is for Linux")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: f"{program['file']}-{program['name']}")
def test_hostile_program_does_no_harm(
    program: dict[str, Any], world: World, sandboxes: dict[bool, Sandbox]
) -> None:
    if program.get("machine", os.uname().machine) != os.uname().machine:
        pytest.skip(f"for {program['machine']}")
    sandbox = sandboxes["timeout" in program.get("ends", [])]
    before = _children()

    done = sandbox.run(_code(program), world.inputs)

    assert world.state() == world.before
    said = _said(done)
    assert "GOT" not in said
    assert world.canary not in said
    assert world.earlier not in said
    assert len(done.stdout) <= sandbox.limits.stdout_kb * 1024
    assert _children() == before  # parents and keepers live on, and nothing else does
    assert _run_directories() == []
    kind = done.error.kind if done.error else None
    assert kind in program.get("ends", [kind])
    assert done.tier == "landlock"


def test_corpus_is_large_and_each_program_has_its_own_name() -> None:
    names = [program["name"] for program in PROGRAMS]
    assert len(names) >= 70
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "name",
    ["open_and_read", "write_outside", "symbolic_link_to_a_secret", "tcp", "udp", "unix_abstract", "shell"],
)
def test_checks_see_the_harm_where_there_is_no_boundary(name: str, own_world: World) -> None:
    program = next(program for program in PROGRAMS if program["name"] == name)
    with Sandbox(tier="subprocess") as sandbox:
        done = sandbox.run(_code(program), own_world.inputs)

    assert "GOT" in done.stdout
    assert own_world.state() != own_world.before or own_world.canary in _said(done)
    assert done.tier == "subprocess"


def test_sandbox_still_works_after_all_of_them(world: World, sandboxes: dict[bool, Sandbox]) -> None:
    done = sandboxes[False].run("result = df.groupby('name').size()", world.inputs)
    assert isinstance(done.result, pd.DataFrame)
    assert len(done.result) == len(world.places())
    assert dataclasses.replace(done, result=None, seconds=0) == ExecutionResult(tier="landlock")
