"""The command `release`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mindatlas.evals.files import json_line
from mindatlas.evals.release.publication import Outcome, make_release


def release(
    audits: Sequence[Path], folder: Path, *, key: Path | None, terms: Path | None, as_json: bool
) -> int:
    """Make a release, print what became of it, and return the exit code: 1 when a check blocked it."""
    outcome = make_release(audits, folder, key=key, terms=terms)
    if as_json:
        sys.stdout.write(json_line(to_json(outcome)))
    else:
        sys.stdout.write(_told(outcome) + "\n")
    return 1 if outcome.folder is None else 0


def to_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as JSON-like data."""
    counts, stream = outcome.counts, outcome.stream
    return {
        "folder": None if outcome.folder is None else str(outcome.folder),
        "lines": stream.read,
        "broken": {"count": stream.broken, "first": stream.named},
        "counts": {
            name: dict(value) if isinstance(value, dict) else value for name, value in vars(counts).items()
        },
        "review_sample": outcome.sampled,
        "blocked": outcome.blocked,
        "findings": [asdict(finding) for finding in outcome.findings],
    }


def _told(outcome: Outcome) -> str:
    counts = outcome.counts
    lines = [
        f"{counts.records} records from {counts.failed_runs} runs with failed rounds ({counts.runs} runs in all)"
    ]
    lines += [f"  {kind}: {number}" for kind, number in sorted(counts.by_type.items())]
    lines += [f"set aside: {number}, {reason}" for reason, number in counts.set_aside.items()]
    if counts.unread:
        lines.append(
            f"workbooks of {counts.unread} runs could not be read again: their cells were not looked for"
        )
    if outcome.stream.broken:
        lines.append(
            f"{outcome.stream.broken} of {outcome.stream.read} lines are broken and were passed over:"
        )
        lines += [f"  {line['file']}, line {line['line']}: {line['reason']}" for line in outcome.stream.named]
    return "\n".join([*lines, *_end(outcome)])


def _end(outcome: Outcome) -> list[str]:
    if outcome.folder is not None:
        sign = outcome.folder / "review" / "SIGN.md"
        return [f"release: {outcome.folder}", f"to be read and signed by a person before it goes out: {sign}"]
    found = [
        f"  {finding.check}: {finding.text!r} in {finding.field} of {finding.task_id}"
        for finding in outcome.findings
    ]
    return [f"blocked by {outcome.blocked} findings, nothing was written; the first:", *found]
