"""The text in which a precheck tells a code writer what to mend."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from mindatlas.nodes.atlassplit.parts.column_suggestions import Suggestion
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import ColumnRef
from mindatlas.nodes.atlassplit.parts.lint_finding import LintFinding

MOST_COLUMNS = 200  # columns of a frame that are listed


def feedback_text(
    absent: Sequence[ColumnRef],
    suggestions: Mapping[str, Sequence[Suggestion]],
    findings: Sequence[LintFinding],
    frames: Mapping[str, Sequence[Hashable]],
) -> str:
    """Return one line for each missing column and finding, then the real columns; empty without any."""
    first = {(ref.frame, ref.name): ref for ref in reversed(absent)}
    refs = sorted(first.values(), key=lambda ref: ref.line)
    lines = [_missing_line(ref, suggestions.get(str(ref.name), ()), frames) for ref in refs]
    lines += [f"- line {finding.line}: {finding.message} [{finding.severity}]" for finding in findings]
    if refs:
        lines = ["These columns do not exist where the program uses them:", *lines, *_column_lists(refs)]
    return "\n".join(lines)


def _missing_line(
    ref: ColumnRef, suggestions: Sequence[Suggestion], frames: Mapping[str, Sequence[Hashable]]
) -> str:
    told = f"- line {ref.line}: {ref.frame} has no column {ref.name!r}"
    holders = [key for key, columns in frames.items() if ref.name in columns]
    if holders:
        told += f"; {' and '.join(holders)} has it, but here it was dropped, renamed or made the index, or never joined"
    elif suggestions:
        nearest = ", ".join(f"{item.column!r} ({item.score:.2f})" for item in suggestions)
        told += f"; nearest: {nearest}"
    else:
        told += "; no column is like it: do not guess, leave it out or say that it is missing"
    return told


def _column_lists(refs: Sequence[ColumnRef]) -> Iterator[str]:
    for columns, frame in {ref.columns: ref.frame for ref in reversed(refs)}.items():
        shown = ", ".join(map(repr, columns[:MOST_COLUMNS])) or "none"
        more = f" and {len(columns) - MOST_COLUMNS} more" if len(columns) > MOST_COLUMNS else ""
        yield f"Columns of {frame}: {shown}{more}"
