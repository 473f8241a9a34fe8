"""The report as Markdown, for a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from mindatlas.evals.regression.comparison import CaseChange
from mindatlas.evals.regression.report import LISTED, Report, change_of, shown


def to_markdown(report: Report) -> str:
    """Return a report as Markdown: opening figures, overall measures, changes, then the case types folded away."""
    overall = [row for row in report.rows if row.case_type == "all"]
    types = [row for row in report.rows if row.case_type != "all"]
    parts = [
        f"## {report.title}",
        " · ".join(f"**{name}** {_cell(value)}" for name, value in report.opening),
        _table([(r.measure, shown(r.value), str(r.n), change_of(r), r.threshold) for r in overall]),
        _list("Against a pass", report.reasons),
        _changes("New failures", report.new_failures),
        _changes("Recovered", report.recovered),
        "<details><summary>By case type</summary>\n\n"
        + _table(
            [
                (f"{r.case_type}: {r.measure}", shown(r.value), str(r.n), change_of(r), r.threshold)
                for r in types
            ]
        )
        + "\n\n</details>",
        _list("Notes", report.notes),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    head = "| measure | value | n | since the baseline | asked |\n|---|---:|---:|---|---|"
    return "\n".join([head, *("| " + " | ".join(map(_cell, row)) + " |" for row in rows)])


def _list(title: str, texts: Sequence[str]) -> str:
    lines = [f"- {_cell(text)}" for text in texts[:LISTED]]
    more = [f"- and {len(texts) - LISTED} more"] if len(texts) > LISTED else []
    return "\n".join([f"### {title}", *lines, *more]) if texts else ""


def _changes(title: str, changes: Sequence[CaseChange]) -> str:
    texts = [f"`{change.case}` {change.reason} — {change.cause}" for change in changes]
    return _list(f"{title} ({len(changes)})", texts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")
