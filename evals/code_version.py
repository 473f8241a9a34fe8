"""The code that a result depends on, as one hash: a changed rule or prompt must not be answered from a cache."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

ROOMS = ("nodes", "graphs", "prompts")
_SUFFIXES = {".py", ".yaml", ".md", ".json", ".jsonl"}


@cache
def code_version(rooms: tuple[str, ...] = ROOMS) -> str:
    """Return the SHA-256, in hex, of the source and data files of `rooms`; names and contents count, times do not."""
    return hash_folders(Path(str(files(f"mindatlas.{room}"))) for room in rooms)


def hash_folders(folders: Iterable[Path]) -> str:
    """Return the SHA-256, in hex, of the source and data files under `folders`, in a fixed order."""
    found = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES):
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            found.update(f"{folder.name}/{path.relative_to(folder).as_posix()}\0{content}\n".encode())
    return found.hexdigest()
