"""A child process that reads a workbook before this one does.

calamine is native code: a damaged or hostile file makes it ask for a terabyte (a count in the shared strings, a cell
reference far away) and abort, past every `except`. What the child survives is safe to read here, as both read the
same bytes in the same way. A large sheet is better not asked for where a scan has shown that it is safe.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self

import python_calamine

from mindatlas.nodes.atlassplit.parts import calamine_open
from mindatlas.nodes.atlassplit.parts.file_kinds import FileKind
from mindatlas.nodes.errors import SetupError

_SITE: Final = str(Path(python_calamine.__path__[0]).parent)
_SCRIPT: Final = calamine_open.__file__


class SheetProbe:
    """Says what can be read without harm; a context manager that ends the child.

    Args:
        data: The whole file.
        kind: One of xlsx, xlsb, xls and ods.
    """

    def __init__(self, data: bytes, kind: FileKind) -> None:
        self._data = data
        self._kind = kind
        self._folder = TemporaryDirectory(prefix="mindatlas-probe-")  # a killed child leaves its files there
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._folder.cleanup()

    def opens(self) -> bool:
        """Return whether opening the file ends, be it by an error that can be caught; to be asked first.

        Raises:
            SetupError: The child could not begin.
        """
        if self._next_line() == calamine_open.OPENED:
            return True
        self._end()
        if self._child.returncode > 0:  # calamine ends a process by a signal; this was Python
            raise SetupError(
                f"The process that tries workbooks ended with code {self._child.returncode}: "
                f"check that {sys.executable!r} runs and imports python_calamine from {_SITE!r}"
            )
        return False

    def reads(self, place: int) -> bool:
        """Return whether reading the sheet at `place` of the opened file ends, be it by an error that can be caught."""
        self._send(f"{place}\n".encode())
        if self._next_line() == str(place):
            return True
        self._end()
        self._start()
        self.opens()
        return False

    def _start(self) -> None:
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", _SCRIPT, _SITE, self._kind, str(len(self._data))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": self._folder.name},
        )
        self._send(self._data)

    def _send(self, data: bytes) -> None:
        if self._child.stdin:
            with suppress(BrokenPipeError):  # it has died: no line will come back
                self._child.stdin.write(data)
                self._child.stdin.flush()

    def _next_line(self) -> str:
        """Return the next line, empty text once the child has ended."""
        return self._child.stdout.readline().decode().strip() if self._child.stdout else ""

    def _end(self) -> None:
        self._child.kill()
        with suppress(BrokenPipeError):
            self._child.communicate()
