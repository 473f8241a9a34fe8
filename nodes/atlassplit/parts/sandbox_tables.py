"""The input tables of the runs: read once, shared by the forks, and checked for change after each run."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.cells import CellError
from mindatlas.nodes.atlassplit.parts.execution import Inputs
from mindatlas.nodes.atlassplit.parts.frames import encode, read_frame, to_stream
from mindatlas.nodes.errors import FileReadError


class Snapshot:
    """What a frame held at one moment, to tell later in this process, or a fork of it, whether it still does.

    Cells of object columns are compared by identity: they are immutable, and the snapshot keeps them alive,
    so that no other object can take their place in memory.
    """

    def __init__(self, frame: pd.DataFrame) -> None:
        self._cells = [column.copy() for column in _object_columns(frame)]
        self._digest = _digest(frame)

    def fits(self, frame: pd.DataFrame) -> bool:
        """Return whether values, types, column names and index are all as they were."""
        return _digest(frame) == self._digest


class Tables:
    """The frames of one run and their names in the program."""

    def __init__(self, inputs: Inputs, frames: dict[Path, tuple[pd.DataFrame, Snapshot]]) -> None:
        self._frames = frames
        sheets = self._named(inputs.frames)
        self.names: dict[str, Any] = {"df": sheets[inputs.active], "sheets": sheets}
        if inputs.books is not None:
            self.names["books"] = {book: self._named(paths) for book, paths in inputs.books.items()}

    def intact(self) -> bool:
        """Return whether every frame still holds what was read."""
        return all(snapshot.fits(frame) for frame, snapshot in self._frames.values())

    def _named(self, paths: dict[str, Path]) -> dict[str, pd.DataFrame]:
        return {name: self._frames[path][0] for name, path in paths.items()}


class TableCache:
    """Frames by file, kept from one run to the next as long as the next one names the same unchanged file."""

    def __init__(self) -> None:
        self._kept: dict[Path, tuple[object, pd.DataFrame, Snapshot]] = {}

    def load(self, inputs: Inputs) -> Tables:
        """Return the tables of `inputs`, reading what is new and forgetting what is no longer asked for.

        Raises:
            FileReadError: A file is missing or is no Parquet table.
        """
        others = [path for paths in (inputs.books or {}).values() for path in paths.values()]
        paths = dict.fromkeys([*inputs.frames.values(), *others])
        self._kept = {path: kept for path, kept in self._kept.items() if path in paths}
        for path in paths:
            stamp = _stamp(path)
            if path not in self._kept or self._kept[path][0] != stamp:
                frame = _read(path)
                self._kept[path] = (stamp, frame, Snapshot(frame))
        return Tables(inputs, {path: self._kept[path][1:] for path in paths})


def _stamp(path: Path) -> object:
    try:
        found = path.stat()
    except OSError as error:
        raise FileReadError(f"cannot read the table {str(path)!r}: {error.strerror}") from error
    return found.st_ino, found.st_size, found.st_mtime_ns


def _read(path: Path) -> pd.DataFrame:
    try:
        return read_frame(path.read_bytes())
    except (ValueError, OSError) as error:
        raise FileReadError(f"{str(path)!r} is no Parquet table: {error}") from error


def _digest(frame: pd.DataFrame) -> bytes:
    index, columns = frame.index, frame.columns
    hashed = hashlib.blake2b(digest_size=16)
    for labels in (index, columns):
        described = (type(labels).__name__, labels.dtype, list(labels.names), len(labels))
        hashed.update(repr(described).encode("utf-8", "replace"))
    hashed.update(
        repr(index if isinstance(index, pd.RangeIndex) else index.tolist()).encode("utf-8", "replace")
    )
    hashed.update(repr(columns.tolist()).encode("utf-8", "replace"))
    for cells in _object_columns(frame):
        hashed.update(cells.tobytes())  # of objects: their addresses
    try:
        hashed.update(to_stream(encode(frame.iloc[:, _other_positions(frame)])))
    except CellError as error:
        hashed.update(str(error).encode("utf-8", "replace"))
    return hashed.digest()


def _object_columns(frame: pd.DataFrame) -> list[np.ndarray[Any, Any]]:
    others = set(_other_positions(frame))
    return [frame.iloc[:, at].to_numpy() for at in range(frame.shape[1]) if at not in others]


def _other_positions(frame: pd.DataFrame) -> list[int]:
    return [at for at, dtype in enumerate(frame.dtypes) if dtype != np.dtype(object)]
