"""Opening a workbook with calamine; run as a script, it tries that out in a process whose end harms nobody.

Arguments of the script: the folder that python_calamine lies in, the file's kind and its size. The file comes on stdin,
and behind it lines with the places of sheets to read. It prints a line when the file was opened, and each place when
the sheet was read; whatever calamine raises is left to the caller, who will meet it too.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

OPENED = "opened"

_Read = TypeVar("_Read")
_MEMORY_BYTES = 6 * 2**30  # calamine takes up to 100 bytes a cell, and a sheet may have 32 million
_CPU_S = 120


def ways_to_open(data: bytes, kind: str) -> Iterator[Callable[[], CalamineWorkbook]]:
    """Yield functions that open the workbook; the next is to be tried where one fails.

    Told the kind, which a suffix alone can do, calamine says what is wrong instead of "unknown format".
    """
    from python_calamine import CalamineWorkbook  # the script has to find it first

    yield lambda: CalamineWorkbook.from_filelike(io.BytesIO(data))
    with TemporaryDirectory() as folder:
        path = Path(folder, f"book.{kind}")
        path.write_bytes(data)
        yield lambda: CalamineWorkbook.from_path(path)


def _try_out(data: bytes, kind: str) -> None:
    book = next(filter(None, map(_survived, ways_to_open(data, kind))), None)
    _tell(OPENED)
    for line in sys.stdin.buffer:
        if book:
            _survived(partial(book.get_sheet_by_name, book.sheets_metadata[int(line)].name))
        _tell(int(line))


def _tell(what: object) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


def _survived(read: Callable[[], _Read]) -> _Read | None:
    try:
        return read()
    except BaseException:  # a Rust panic is no Exception; the caller will meet the same and tell it
        return None


def _limit() -> None:
    """Let an endless loop or an allocation without bounds end this process, and nothing else."""
    if sys.platform == "win32":
        return
    import resource

    wanted = {
        resource.RLIMIT_AS: _MEMORY_BYTES,
        resource.RLIMIT_CPU: _CPU_S,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in wanted.items():
        hard = resource.getrlimit(limit)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (bound, bound))


if __name__ == "__main__":
    sys.path.append(sys.argv[1])
    _limit()
    _try_out(sys.stdin.buffer.read(int(sys.argv[3])), sys.argv[2])
