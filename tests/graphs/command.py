"""Runs the command `mindatlas` as a user does: in this process, or in one of its own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from unittest import mock

from mindatlas.graphs.__main__ import main


@dataclass(frozen=True, kw_only=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on stdout."""
        (line,) = self.out.splitlines()
        data: dict[str, Any] = json.loads(line)
        return data

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The JSON objects on stdout, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]


def run(*arguments: object, stdin: str = "") -> Done:
    """Run `mindatlas` with `arguments` in this process; an exception that the command lets through is raised."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    argv = ["mindatlas", *map(str, arguments)]
    with (
        mock.patch.object(sys, "argv", argv),
        mock.patch.object(sys, "stdin", io.StringIO(stdin)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    return Done(code=code, out=out.getvalue(), err=err.getvalue())


def run_process(*arguments: object, env: Mapping[str, str] | None = None, stdin: str = "") -> Done:
    """Run `python -m mindatlas.graphs` with `arguments` in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "mindatlas.graphs", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONUTF8": "1", **(env or {})},
    )
    return Done(code=done.returncode, out=done.stdout, err=done.stderr)
