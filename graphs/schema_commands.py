"""The commands `schema` and `precheck`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mindatlas.graphs.batch import Line, run_batch_file
from mindatlas.graphs.console import print_json, print_text
from mindatlas.graphs.programs import read_program
from mindatlas.nodes.atlassplit.parts.precheck import precheck
from mindatlas.nodes.atlassplit.parts.precheck_view import found_all, frames_of
from mindatlas.nodes.atlassplit.parts.workbook import read_workbooks
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.storage import home


def schema(workbooks: Sequence[Path], *, private: bool, hidden: bool, as_json: bool) -> int:
    """Print the schema card of workbooks, and return exit code 0.

    Raises:
        FileReadError: A workbook cannot be read.
    """
    books = read_workbooks(workbooks, cache=home() / "cache" / "workbooks", include_hidden=hidden)
    if as_json:
        print_json(books.card.to_json(private=private))
    else:
        print_text(books.card.to_text(private=private))
    return 0


def precheck_once(code: Path | None, workbooks: Sequence[Path], *, as_json: bool) -> int:
    """Check a program against workbooks and return the exit code: 0 nothing to mend, 1 something.

    Raises:
        UsageError: No program or no workbook is named.
        FileReadError: The program or a workbook cannot be read.
    """
    if code is None or not workbooks:
        raise UsageError("Name a program and what it reads: mindatlas precheck CODE.py --workbook sales.xlsx")
    books = read_workbooks(workbooks, cache=home() / "cache" / "workbooks")
    found = precheck(read_program(code), frames_of(books), convention=True)
    if as_json:
        print_json(found_all(found))
    else:
        print_text(found.feedback or "Nothing to mend.")
    return 0 if found.ok else 1


def precheck_batch(batch: Path, out: Path | None, *, resume: bool) -> int:
    """Check a JSONL of {id, frames, code} and return the exit code: 1 when a line could not be checked."""
    return run_batch_file(batch, out, _precheck_line, resume=resume)


def _precheck_line(line: Line) -> Line:
    code, frames = line.get("code"), line.get("frames")
    if not isinstance(code, str):
        raise UsageError(f"The line needs a program under 'code', not {code!r}")
    if not isinstance(frames, dict) or not all(isinstance(columns, list) for columns in frames.values()):
        raise UsageError(f"'frames' must be an object of frame name and list of columns, not {frames!r}")
    return found_all(precheck(code, frames))
