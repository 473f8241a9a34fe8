"""A child process that reads a workbook before this one does.

calamine is native code: a damaged or hostile file makes it ask for a terabyte (a count in the shared strings, a cell
reference far away) and abort, past every `except`. What the child survives is safe to read here, as both read the
same bytes in the same way. It works while this process looks at the file in its own ways, so that it costs little time.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Self

import python_calamine

from mindatlas.nodes.atlassplit.parts import calamine_open
from mindatlas.nodes.atlassplit.parts.file_kinds import FileKind

_SITE: Final = str(Path(python_calamine.__file__).parents[1])
_SCRIPT: Final = calamine_open.__file__


class SheetProbe:
    """Says what can be read without harm; a context manager that ends the child.

    Args:
        data: The whole file.
        kind: One of xlsx, xlsb, xls and ods.
        include_hidden: Hidden sheets will be asked for, too.
    """

    def __init__(self, data: bytes, kind: FileKind, *, include_hidden: bool) -> None:
        self._data = data
        self._arguments = (kind, "all" if include_hidden else "visible")
        self._folder = TemporaryDirectory(prefix="mindatlas-probe-")  # a killed child leaves its files there
        self._read: set[int] = set()
        self._start(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._folder.cleanup()

    def opens(self) -> bool:
        """Return whether opening the file ends, be it by an error that can be caught."""
        return self._next_line() == calamine_open.OPENED

    def reads(self, place: int) -> bool:
        """Return whether reading the worksheet at `place` ends, be it by an error that can be caught.

        Args:
            place: Its place among the sheets of the file; ask in ascending order, leaving out what is not needed.
        """
        while place not in self._read and (line := self._next_line()):
            self._read.add(int(line))
        if place in self._read or self._first == place:
            return place in self._read
        self._end()  # it died of a sheet that was not asked for
        self._start(place)
        return self.opens() and self.reads(place)

    def _start(self, first: int) -> None:
        self._first = first
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", _SCRIPT, _SITE, *self._arguments, str(first)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"TMPDIR": self._folder.name},
        )
        if self._child.stdin:
            with suppress(BrokenPipeError), self._child.stdin as pipe:
                pipe.write(self._data)

    def _next_line(self) -> str:
        """Return the next line, empty text once the child has ended."""
        return self._child.stdout.readline().decode().strip() if self._child.stdout else ""

    def _end(self) -> None:
        self._child.kill()
        self._child.wait()
        if self._child.stdout:
            self._child.stdout.close()
