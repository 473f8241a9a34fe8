"""The code that a result depends on, as one hash: a changed rule or prompt must not be answered from a cache."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from functools import cache
from importlib.resources import files
from pathlib import Path

ROOMS = ("nodes", "graphs", "prompts")
GRAPHS = ("mindtrip", "atlassplit", "workdesk")
_SUFFIXES = {".py", ".yaml", ".md", ".json", ".jsonl"}


@cache
def code_version(graph: str | None = None) -> str:
    """Return the SHA-256, in hex, of the source and data files that `graph` may use: all but the other graphs' own.

    Without a graph all files count. Names and contents count, times do not.
    """
    others = frozenset(GRAPHS) - {graph} if graph else frozenset()
    return hash_folders((Path(str(files(f"mindatlas.{room}"))) for room in ROOMS), without=others)


def hash_folders(folders: Iterable[Path], *, without: Collection[str] = ()) -> str:
    """Return the SHA-256, in hex, of the source and data files under `folders`, in a fixed order.

    Folders and modules called one of `without` are left out.
    """
    found = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES):
            inside = path.relative_to(folder)
            if {*inside.parent.parts, path.stem} & set(without):
                continue
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            found.update(f"{folder.name}/{inside.as_posix()}\0{content}\n".encode())
    return found.hexdigest()
