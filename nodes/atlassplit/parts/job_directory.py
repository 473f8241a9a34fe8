"""A run's directory seen from outside: what it holds, and its removal, whatever was done to it."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What a directory holds: `files` counts directories too, `size` is in bytes."""

    files: int
    size: int


def measure(directory: Path, *, most_files: int) -> Usage:
    """Return what lies under `directory`; counting stops one past `most_files`.

    A tree too deep to be named in a path counts as one file too many. Links are not followed.
    """
    files = size = 0
    waiting = [str(directory)]
    while waiting and files <= most_files:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    files += 1
                    size += _size(entry)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    if files > most_files:
                        break
        except (FileNotFoundError, PermissionError):
            continue  # removed or locked by the program while we look
        except OSError:
            files = most_files + 1
    return Usage(files=files, size=size)


def deleted_size(pid: int) -> int:
    """Return the bytes held by files that `pid` has deleted but keeps open, 0 where that cannot be seen."""
    total = 0
    try:
        with os.scandir(f"/proc/{pid}/fd") as descriptors:
            for descriptor in descriptors:
                total += _deleted_size(descriptor)
    except OSError:
        return total
    return total


def remove(directory: Path) -> None:
    """Remove `directory` and all below it, of any depth; nothing when it is gone.

    Walks by descriptors, one open at a time and never through a link, because a hostile tree is deeper
    than a path or a recursion can be. No process may be changing the tree meanwhile.
    """
    if directory.is_symlink():
        directory.unlink()
    if not directory.exists():
        return
    directory.chmod(0o700)
    here = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    names: list[str] = []
    try:
        while True:
            below = _empty(here)
            if below is not None:
                here = _move(here, below)
                names.append(below)
            elif names:
                here = _move(here, "..")
                os.rmdir(names.pop(), dir_fd=here)
            else:
                break
    finally:
        os.close(here)
    directory.rmdir()


def _empty(here: int) -> str | None:
    """Remove what can be removed in a directory; return the name of a first one that must be entered."""
    for name in os.listdir(here):
        if not stat.S_ISDIR(os.lstat(name, dir_fd=here).st_mode):
            os.unlink(name, dir_fd=here)
            continue
        try:
            os.rmdir(name, dir_fd=here)
        except OSError:
            os.chmod(name, 0o700, dir_fd=here)
            return name
    return None


def _move(here: int, name: str) -> int:
    there = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
    os.close(here)
    return there


def _size(entry: os.DirEntry[str]) -> int:
    found = entry.stat(follow_symlinks=False)
    # blocks too: a file may be short and still take space, or long and take none
    return max(found.st_size, found.st_blocks * 512) if stat.S_ISREG(found.st_mode) else 0


def _deleted_size(descriptor: os.DirEntry[str]) -> int:
    try:
        found = descriptor.stat()
    except OSError:
        return 0
    return found.st_blocks * 512 if stat.S_ISREG(found.st_mode) and found.st_nlink == 0 else 0
