"""The report as one page that needs no network: style and plots stand in it, and there is no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from mindatlas.evals.regression.comparison import CaseChange
from mindatlas.evals.regression.plots import measures_svg, passes_svg
from mindatlas.evals.regression.report import Report, change_of, shown
from mindatlas.evals.regression.run import SuiteRun

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1d2733}
dl{display:flex;flex-wrap:wrap;gap:.4rem 1.6rem}dt{color:#66727f;font-size:.8rem}dd{margin:0;font-weight:600}
table{border-collapse:collapse;width:100%}td,th{padding:.25rem .6rem;border-bottom:1px solid #e3e8ec;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}tr.worse td{background:#fdf0ee}
svg{max-width:100%;height:auto}code{font-size:.9em}
"""


def to_html(report: Report, run: SuiteRun) -> str:
    """Return the whole page."""
    overall = [row for row in report.rows if row.case_type == "all"]
    opening = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in report.opening
    )
    parts = [
        f"<h1>{escape(report.title)}</h1><dl>{opening}</dl>",
        _list("Against a pass", report.reasons),
        f"<h2>Measures</h2>{measures_svg(overall)}",
        _table(report),
        f"<h2>Case types</h2>{passes_svg(run.head['summary']['by_type'])}",
        _changes("New failures", report.new_failures),
        _changes("Recovered", report.recovered),
        _list("Not passed", [f"{case}: {reason}" for case, reason in report.failed]),
        _list("Notes", report.notes),
    ]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(report.title)}</title>'
        f'<link rel="icon" href="data:,"><style>{_STYLE}</style></head><body>{"".join(parts)}</body></html>\n'
    )


def _table(report: Report) -> str:
    head = "".join(
        f"<th>{name}</th>" for name in ("cases", "measure", "value", "n", "since the baseline", "asked")
    )
    rows = "".join(
        f'<tr class="{"worse" if row.worse else ""}"><td>{escape(row.case_type)}</td><td>{escape(row.measure)}</td>'
        f'<td class="n">{shown(row.value)}</td><td class="n">{row.n}</td><td>{change_of(row)}</td>'
        f"<td>{escape(row.threshold)}</td></tr>"
        for row in report.rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _list(title: str, texts: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f"<h2>{escape(title)}</h2><ul>{items}</ul>" if texts else ""


def _changes(title: str, changes: Sequence[CaseChange]) -> str:
    return _list(title, [f"{change.case}: {change.reason} — {change.cause}" for change in changes])
