"""Results between the nodes: frames lie in files, and the state carries their paths and hashes."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import pandas as pd
from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.execution import Result, Scalar
from mindatlas.nodes.atlassplit.parts.frames import read_frame, write_frame
from mindatlas.nodes.errors import StoreError
from mindatlas.nodes.storage import ensure_folder


class StoredTable(TypedDict):
    """A table of a result; `name` is empty where the result is one table."""

    name: str
    path: str
    sha256: str


class StoredResult(TypedDict):
    """A result as the state carries it; `value` is the scalar, `tables` are empty then."""

    kind: Literal["table", "tables", "scalar"]
    tables: list[StoredTable]
    value: Scalar | None


class ResultStore:
    """Keeps results under `folder`, each in a folder of its own until it is dropped."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def save(self, result: Result) -> StoredResult | None:
        """Return where `result` lies now; None for no result."""
        if result is None:
            return None
        if isinstance(result, pd.DataFrame):
            return StoredResult(kind="table", tables=self._write({"": result}), value=None)
        if isinstance(result, dict):
            return StoredResult(kind="tables", tables=self._write(result), value=None)
        return StoredResult(kind="scalar", tables=[], value=result)

    def load(self, stored: StoredResult | None) -> Result:
        """Return the result that was saved.

        Raises:
            StoreError: A file of it is gone or was changed.
        """
        if stored is None:
            return None
        if stored["kind"] == "scalar":
            return stored["value"]
        tables = {table["name"]: _read(table) for table in stored["tables"]}
        return tables if stored["kind"] == "tables" else tables[""]

    def drop(self, stored: StoredResult | None) -> None:
        """Delete the files of a result; nothing happens where they are gone already."""
        for folder in {Path(table["path"]).parent for table in (stored["tables"] if stored else [])}:
            shutil.rmtree(folder, ignore_errors=True)

    def _write(self, tables: Mapping[str, pd.DataFrame]) -> list[StoredTable]:
        folder = Path(tempfile.mkdtemp(dir=ensure_folder(self._folder), prefix="result-"))
        return [
            _write(frame, name, folder / f"{at}.parquet") for at, (name, frame) in enumerate(tables.items())
        ]


def _write(frame: pd.DataFrame, name: str, path: Path) -> StoredTable:
    write_frame(frame, path)
    return StoredTable(name=name, path=str(path), sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def _read(table: StoredTable) -> pd.DataFrame:
    try:
        content = Path(table["path"]).read_bytes()
    except OSError as error:
        raise StoreError(f"the result in {table['path']!r} is gone: start the run again") from error
    if hashlib.sha256(content).hexdigest() != table["sha256"]:
        raise StoreError(f"the result in {table['path']!r} was changed: start the run again")
    return read_frame(content)
