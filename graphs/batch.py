"""Batches: JSON lines in, one result a line out, in input order; a failed line never stops the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from mindatlas.graphs.console import to_line
from mindatlas.nodes.errors import FileReadError, UsageError

Line = dict[str, Any]


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
