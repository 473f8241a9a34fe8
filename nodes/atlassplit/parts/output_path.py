"""Where a result workbook goes, decided before any work is done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from mindatlas.nodes.atlassplit.parts.publishing.audit import rounds_in
from mindatlas.nodes.atlassplit.parts.publishing.output_files import refuse_inputs
from mindatlas.nodes.atlassplit.parts.publishing.publication import SUFFIXES
from mindatlas.nodes.atlassplit.parts.publishing.script import is_script
from mindatlas.nodes.errors import UsageError


def output_path(save_as: str | None, workbooks: Sequence[str], *, run_id: str = "") -> Path:
    """Return where the result goes: where the user says, else beside the first workbook under a free name.

    A named file that exists will be replaced; a default one never is: `sales.result.xlsx`, then
    `sales.result-2.xlsx`, and so on. A name stays free for the run `run_id` whose audit was begun under it.

    Raises:
        UsageError: The name ends in no kind of file that can be written, is an input's, or its folder cannot
            be written to.
    """
    path = Path(save_as) if save_as else _default(Path(workbooks[0]), run_id)
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"The output {str(path)!r} must end in {' or '.join(SUFFIXES)}")
    refuse_inputs(path, map(Path, workbooks))
    folder = path.parent
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK):
        raise UsageError(
            f"The folder {str(folder)!r} cannot be written to: name another output with -o FILE.xlsx"
        )
    return path


def _default(workbook: Path, run_id: str) -> Path:
    return free_path(workbook.parent, f"{workbook.stem}.result", run_id=run_id)


def audit_path(output: Path) -> Path:
    """Return where the audit of an output lies: beside it."""
    return output.with_name(f"{output.stem}.audit.jsonl")


def script_path(output: Path) -> Path:
    """Return where the program of an output lies: beside it."""
    return output.with_name(f"{output.stem}.py")


def script_to_write(output: Path) -> Path:
    """Return where the program of an output may be written: as `script_path`, numbered where another's file is."""
    path, count = script_path(output), 1
    while path.exists() and not is_script(path):
        count += 1
        path = output.with_name(f"{output.stem}-{count}.py")
    return path


def files_folder(output: Path) -> Path:
    """Return the folder that holds the files of a result which goes to several."""
    return output.with_suffix("")


def free_path(folder: Path, name: str, *, run_id: str = "") -> Path:
    """Return a path in `folder` for the result called `name`, numbered where files of that name are there.

    What a file's name cannot hold becomes an underscore. An audit that holds rounds of `run_id` takes no name.
    """
    stem = "".join(char if char.isalnum() or char in "-_." else "_" for char in name).strip(".") or "result"
    path, count = folder / f"{stem}.xlsx", 1
    while _is_taken(path, run_id):
        count += 1
        path = folder / f"{stem}-{count}.xlsx"
    return path


def _is_taken(path: Path, run_id: str) -> bool:
    if any(taken.exists() for taken in (path, script_path(path), files_folder(path))):
        return True
    audit = audit_path(path)
    return audit.exists() and not rounds_in(audit, run_id)
