"""Where state lies on disk, and how it is written so that a crash leaves the old state whole."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindatlas.nodes.errors import SetupError, StoreError


def home() -> Path:
    """Return the folder all stores lie under: `MINDATLAS_HOME`, else the user's data folder."""
    if configured := os.environ.get("MINDATLAS_HOME"):
        return Path(configured).expanduser()
    import platformdirs

    return Path(platformdirs.user_data_dir("mindatlas"))


def ensure_folder(path: Path) -> Path:
    """Return `path` after making it a folder.

    Raises:
        SetupError: the folder cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SetupError(
            f"Cannot make the folder {str(path)!r} ({error.strerror}); set MINDATLAS_HOME to a folder you may write"
        ) from error
    return path


def write_atomically(path: Path, content: str) -> None:
    """Write `content` to `path` so that a reader sees the old or the new file, never a part."""
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read_versioned(path: Path, *, newest: int) -> dict[str, Any]:
    """Return the JSON object in `path`, whose key `format` says which version wrote it.

    Raises:
        StoreError: the file is damaged, or of a format newer than `newest`.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise StoreError(f"Cannot read {str(path)!r}: {error}") from error
    if not isinstance(data, Mapping) or not isinstance(data.get("format"), int):
        raise StoreError(f"{str(path)!r} is not a store of mindatlas: it has no format number")
    if data["format"] > newest:
        raise StoreError(
            f"{str(path)!r} has format {data['format']}, this version reads up to {newest}: upgrade mindatlas"
        )
    return dict(data)


def open_sqlite(path: Path, *, newest: int) -> sqlite3.Connection:
    """Return a connection to the SQLite store in `path`, in WAL mode, marked with its format version.

    The version stands in SQLite's own `user_version`; a new store gets `newest`.

    Raises:
        StoreError: the store is of a newer format, or no SQLite file.
    """
    ensure_folder(path.parent)
    try:
        connection = sqlite3.connect(path, check_same_thread=False, timeout=30)
    except sqlite3.OperationalError as error:
        raise StoreError(f"{str(path)!r} is no store of mindatlas: {error}") from error
    try:
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found == 0:
            connection.execute(f"PRAGMA user_version = {newest}")
        connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.DatabaseError as error:
        connection.close()
        raise StoreError(f"{str(path)!r} is no store of mindatlas: {error}") from error
    if found > newest:
        connection.close()
        raise StoreError(
            f"{str(path)!r} has format {found}, this version reads up to {newest}: upgrade mindatlas"
        )
    return connection
