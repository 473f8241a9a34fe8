"""The key that ids are hashed with: kept by whoever releases, never part of what is released."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mindatlas.nodes.errors import FileReadError, SetupError, UsageError
from mindatlas.nodes.storage import ensure_folder, home

SHORTEST: Final = 16  # bytes
_ID_DIGITS: Final = 16


def read_key(path: Path | None, *, outside: Path) -> bytes:
    """Return the key in a file; without a file, the one under home, which is made where it is missing.

    Args:
        path: The user's key file.
        outside: The folder of the release, which must not hold the key.

    Raises:
        UsageError: The file lies in the release, or holds fewer than `SHORTEST` bytes.
        FileReadError: It cannot be read.
    """
    place = home() / "release.key" if path is None else path
    if place.resolve().is_relative_to(outside.resolve()):
        raise UsageError(f"the key {str(place)!r} lies in the release {str(outside)!r}; keep it elsewhere")
    if path is None and not place.exists():
        _make_key(place)
    try:
        key = place.read_bytes().strip()
    except OSError as error:
        raise FileReadError(f"cannot read the key {str(place)!r}: {error.strerror}") from error
    if len(key) < SHORTEST:
        raise UsageError(f"the key {str(place)!r} holds {len(key)} bytes; it needs at least {SHORTEST}")
    return key


def _make_key(place: Path) -> None:
    ensure_folder(place.parent)
    try:
        descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(32))
    except FileExistsError:  # another process made it first
        return
    except OSError as error:
        raise SetupError(
            f"cannot write the key {str(place)!r}: {error.strerror}; name one with --key"
        ) from error


def hasher(key: bytes) -> Callable[[str, int], str]:
    """Return a function that gives a record's id from the run's id and the round's number.

    HMAC-SHA256 cut to 64 bits: records of a run share it, and without the key no run's id can be tried out.
    """

    def task_id(run_id: str, number: int) -> str:
        digest = hmac.new(key, run_id.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
        return f"{digest[:_ID_DIGITS]}-{number}"

    return task_id
