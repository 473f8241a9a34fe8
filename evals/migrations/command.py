"""The command `eval migrations`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from mindatlas.evals.files import json_line, write_file
from mindatlas.evals.migrations.audit_stream import AuditStream
from mindatlas.evals.migrations.comparison import compare_tallies
from mindatlas.evals.migrations.summary import summarise
from mindatlas.evals.migrations.tally import Tally, tally_of
from mindatlas.evals.migrations.text_report import headlines, sections, to_page
from mindatlas.nodes.errors import SetupError


def report_migrations(audits: Sequence[Path], against: Sequence[Path] = ()) -> dict[str, Any]:
    """Return the report on audit logs as JSON-like data, `comparison` null unless others are given.

    Raises:
        UsageError: A file is missing.
        FileReadError: A file cannot be read, or a set of them holds no audit line.
    """
    stream = AuditStream(audits)
    tally = tally_of(stream)
    comparison: dict[str, Any] | None = None
    if against:
        other = AuditStream(against)
        theirs = tally_of(other)
        comparison = {
            **compare_tallies(tally, theirs),
            "against": {"files": [str(path) for path in other.paths], **_lines(other)},
        }
    return {
        "audits": [str(path) for path in stream.paths],
        **_lines(stream),
        "simulated": _simulated(tally),
        **summarise(tally),
        "comparison": comparison,
    }


def _lines(stream: AuditStream) -> dict[str, Any]:
    return {"lines": stream.read, "broken": {"count": stream.broken, "first": stream.named}}


def _simulated(tally: Tally) -> bool:
    return any(name.partition(":")[0] == "faulty" for name in tally.models)


def migrations(audits: Sequence[Path], against: Sequence[Path], html: Path | None, *, as_json: bool) -> int:
    """Print the report, write its page where one is asked for, and return the exit code 0."""
    report = report_migrations(audits, against)
    if html is not None:
        _write_page(html, report)
    if as_json:
        sys.stdout.write(json_line(report))
    else:
        _print(report)
    return 0


def _write_page(path: Path, report: Mapping[str, Any]) -> None:
    try:
        write_file(path, to_page(report))
    except OSError as error:
        raise SetupError(f"cannot write {str(path)!r} ({error.strerror}); name another file") from error
    sys.stderr.write(f"page: {path}\n")


def _print(report: Mapping[str, Any]) -> None:
    console = Console(width=None if sys.stdout.isatty() else 200, highlight=False, markup=False, emoji=False)
    for line in headlines(report):
        console.print(line)
    _print_matrix(console, report)
    for title, heads, rows in sections(report):
        table = Table(*heads, title=title, title_justify="left", box=box.SIMPLE)
        for row in rows:
            table.add_row(*row)
        console.print(table)


def _print_matrix(console: Console, report: Mapping[str, Any]) -> None:
    title = "Repairs that changed the kind: rows before, columns after"
    table = Table("", *report["types"], title=title, title_justify="left", box=box.SIMPLE)
    for name, cells in zip(report["types"], report["matrix"], strict=True):
        table.add_row(name, *("–" if cell is None else str(cell) for cell in cells))
    console.print(table)
