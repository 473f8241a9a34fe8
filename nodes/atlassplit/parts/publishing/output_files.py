"""Files that appear whole or not at all, and never in the place of an input."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from xlsxwriter.exceptions import XlsxFileError

from mindatlas.nodes.errors import UsageError


def refuse_inputs(path: Path, inputs: Iterable[Path]) -> None:
    """Raise when `path` is one of the inputs, be it by another name, a link or a hard link.

    Raises:
        UsageError: It is one.
    """
    for source in inputs:
        same = path.resolve() == source.resolve()
        if same or (path.exists() and source.exists() and path.samefile(source)):
            raise UsageError(
                f"the output {str(path)!r} is the input {str(source)!r}; inputs are never changed, name another file"
            )


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a new file that takes the place of `path` at once when the block ends; after an error nothing changed.

    A missing folder is made. A symbolic link stays one: the file it points to is replaced. An existing file's
    permissions are kept, and one that is read-only is not replaced.

    Raises:
        UsageError: The file cannot be written; the message names it and the reason.
    """
    target = path.resolve()
    draft = target.with_name(f".{target.name[:40]}.{secrets.token_hex(4)}.tmp")
    try:
        _prepare(target)
        file = draft.open("xb+")
        try:
            with file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
        _sync_folder(target.parent)
    except (OSError, XlsxFileError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{str(path)!r} cannot be written: {reason}") from error


def _prepare(target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _sync_folder(folder: Path) -> None:
    """Make the new name last; systems that cannot open folders do that by themselves."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
