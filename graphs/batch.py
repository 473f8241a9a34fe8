"""Batches: JSON lines in, one result a line out, in input order; a failed line never stops the rest."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from mindatlas.graphs.console import say, to_line
from mindatlas.nodes.errors import FileReadError, UsageError

Line = dict[str, Any]


def run_batch_file(batch: Path, out: Path | None, work: Callable[[Line], Line], *, resume: bool) -> int:
    """Do the lines of a JSONL file and return the exit code: 1 when a line failed.

    Args:
        batch: The lines to do.
        out: Where the results go; None is stdout.
        work: Does one line.
        resume: Go on in `out`, skipping the lines whose results are there.

    Raises:
        UsageError: `resume` without `out`, or `out` exists and `resume` was not asked for.
    """
    if resume and out is None:
        raise UsageError("--resume goes with --out FILE: it skips the lines that FILE holds")
    if out is not None:
        _require_writable(out, resume=resume)
    lines = list(read_lines(batch))
    skip = done_ids(out) if out and resume else set()
    todo = [line for line in lines if json.dumps(line["id"]) not in skip]
    if out is None:
        return int(run_batch(todo, work, sys.stdout, progress=_progress(len(todo))) > 0)
    with out.open("a" if resume else "w", encoding="utf-8") as file:
        return int(run_batch(todo, work, file, progress=_progress(len(todo))) > 0)


def _require_writable(out: Path, *, resume: bool) -> None:
    if not out.parent.is_dir():
        raise UsageError(f"There is no folder {str(out.parent)!r} to write {out.name!r} to")
    if out.is_dir() or (out.exists() and out.stat().st_size and not resume):
        raise UsageError(f"{str(out)!r} exists; go on with it by --resume, or name another file")


def _progress(total: int) -> Callable[[int], None]:
    """Return a callback that counts on stderr, where somebody watches it."""
    if not sys.stderr.isatty():
        return lambda _: None
    return lambda done: say(f"{done}/{total}") if done % 50 == 0 or done == total else None


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the objects of a JSONL file; a broken line becomes `{"id", "error"}` with its line number as id.

    Raises:
        FileReadError: the file cannot be read.
    """
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise FileReadError(f"Cannot read the batch file {str(path)!r}: {error}") from error
    for number, text in enumerate(content.split("\n"), start=1):
        if text.strip():
            yield _parsed(text, number)


def _parsed(text: str, number: int) -> Line:
    try:
        line = json.loads(text)
    except ValueError as error:
        return failed(f"line-{number}", UsageError(f"Line {number} is no JSON: {error}"))
    if not isinstance(line, dict) or "id" not in line:
        return failed(f"line-{number}", UsageError(f"Line {number} is no JSON object with an 'id'"))
    return line


def failed(line_id: Any, error: Exception) -> Line:
    """Return the result line for an error."""
    return {"id": line_id, "error": {"type": type(error).__name__, "message": str(error)}}


def run_batch(
    lines: Iterable[Line], work: Callable[[Line], Line], out: TextIO, *, progress: Callable[[int], None]
) -> int:
    """Write `work(line)` for each line to `out`, each with its `id`, and return how many failed."""
    failures = 0
    for done, line in enumerate(lines, start=1):
        result = line if "error" in line else _result(line, work)
        failures += "error" in result
        out.write(to_line(result))
        out.flush()
        progress(done)
    return failures


def _result(line: Line, work: Callable[[Line], Line]) -> Line:
    try:
        return {"id": line["id"], **work(line)}
    except Exception as error:  # one line's bug must not lose the others; its type is in the result
        return failed(line["id"], error)


def done_ids(path: Path) -> set[str]:
    """Return the ids (as JSON) that stand whole in an output file; a last line cut by a crash is cut off.

    Raises:
        FileReadError: a line before the last is no result.
    """
    if not path.exists():
        return set()
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        path.write_bytes(whole)
    try:
        return {json.dumps(json.loads(text)["id"]) for text in whole.splitlines() if text.strip()}
    except (ValueError, KeyError, TypeError) as error:
        raise FileReadError(f"{str(path)!r} is no output of a batch: {error}") from error
