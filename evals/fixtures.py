"""The data behind cases, by content: knowledge base, workbooks, order book."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.nodes.errors import FileReadError

_OF_RUNNERS = ("knowledge_base", "order_book")


def fixtures_of(cases: Iterable[Case], identities: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return the SHA-256 of every fixture by name: what the runners read, and the workbooks of the cases.

    Raises:
        FileReadError: a workbook is missing.
    """
    found = {
        f"{name} of {variant}": str(identity[name])
        for variant, identity in identities.items()
        for name in _OF_RUNNERS
        if name in identity
    }
    paths = {workbook: path for case in cases for workbook, path in workbooks_of(case).items()}
    return found | {workbook: _sha256(path) for workbook, path in sorted(paths.items())}


def workbooks_of(case: Case) -> dict[str, Path]:
    """Return the workbooks of a case by the name it gives them: beside the case's file, else a bundled one."""
    return {name: _located(case, name) for name in case.extra.get("workbooks", ())}


def _located(case: Case, name: str) -> Path:
    beside = (case.folder or Path()) / name
    if beside.is_file() or case.folder is None:
        return beside
    folder: Path = import_module("mindatlas.evals.atlassplit.workbooks").workbooks_folder()
    return folder / name if (folder / name).is_file() else beside


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise FileReadError(f"Cannot read the workbook {str(path)!r}: {error}") from error
