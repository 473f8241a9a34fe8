"""The report on migrations as text and as a page that needs no network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from mindatlas.evals.migrations.heat_map import heat_map

_TOP_PATHS: Final = 10
_STYLE: Final = """
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2733}
table{border-collapse:collapse}td,th{padding:.25rem .7rem;border-bottom:1px solid #e3e8ec;text-align:left}
svg{max-width:100%;height:auto}
"""
Rows = list[list[str]]
Section = tuple[str, Sequence[str], Rows]


def shown_rate(rate: Mapping[str, Any]) -> str:
    """Return a rate as `3/12 = 25.0 % (8.9–53.2)`, with its interval, or why there is none."""
    if rate["rate"] is None:
        return f"not defined ({rate['reason']})"
    ends = f"{100 * rate['low']:.1f}–{100 * rate['high']:.1f}"
    return f"{rate['n']}/{rate['of']} = {100 * rate['rate']:.1f} % ({ends})"


def headlines(report: Mapping[str, Any]) -> list[str]:
    """Return the sentences that stand first."""
    lines = [
        f"{report['runs']} runs, {report['rounds']} rounds, {report['failed_rounds']} failed,"
        f" {report['repairs']} repairs",
        f"introduced errors, of all repairs: {shown_rate(report['introduced_rate'])}",
    ]
    if report["simulated"]:
        lines.append("some of these runs have simulated faults (model faulty): no language model's errors")
    if report["unpaired_rounds"]:
        lines.append(f"{report['unpaired_rounds']} rounds stand without the round before them: not counted")
    broken = report["broken"]
    if broken["count"]:
        lines.append(f"{broken['count']} of {report['lines']} lines are broken and were passed over:")
        lines += [f"  {line['file']}, line {line['line']}: {line['reason']}" for line in broken["first"]]
    return lines


def sections(report: Mapping[str, Any]) -> list[Section]:
    """Return the tables of the report: title, heads, rows."""
    found: list[Section] = [
        (
            "Repairs by the kind that was to be mended",
            ("kind", "passed", "same kind again", "another kind"),
            [
                [
                    row["error_type"],
                    *(shown_rate(row[name]) for name in ("passed", "same_type", "introduced")),
                ]
                for row in report["by_type"]
            ],
        ),
        (
            "Paths",
            ("path", "count", "of introduced errors", "of all repairs", "what happens", "caused by"),
            [_path(row) for row in report["paths"][:_TOP_PATHS]],
        ),
        _groups("Repairs by strategy and prompt", report["causes"], ("strategy", "prompt")),
        _groups("By pandas version", report["pandas"], ("version",)),
        _groups("By model", report["models"], ("model",)),
    ]
    if report.get("comparison"):
        found.append(_comparison(report["comparison"]))
    return [section for section in found if section[2]]


def _path(row: Mapping[str, Any]) -> list[str]:
    causes = "; ".join(
        f"{cause['strategy']} {cause['prompt'][:12]} ({cause['count']})" for cause in row["causes"]
    )
    shares = [shown_rate(row["share_of_introduced"]), shown_rate(row["share_of_repairs"])]
    return [f"{row['from']}->{row['to']}", str(row["count"]), *shares, row["description"], causes]


def _groups(title: str, rows: Iterable[Mapping[str, Any]], names: Sequence[str]) -> Section:
    cells = [[*(str(row[name])[:40] for name in names), shown_rate(row["introduced_rate"])] for row in rows]
    return (title, (*names, "introduced errors"), cells)


def _comparison(comparison: Mapping[str, Any]) -> Section:
    rows = [{"path": "all repairs", "p_holm": None, **comparison["overall"]}, *comparison["paths"]]
    heads = ("path", "now", "against", "difference (pp)", "p (Fisher)", "p (Holm)", "verdict")
    return ("Now against the other logs", heads, [_compared(row) for row in rows])


def _compared(row: Mapping[str, Any]) -> list[str]:
    difference = "–"
    if row["difference_pp"] is not None:
        difference = f"{row['difference_pp']:+.1f} ({row['low_pp']:+.1f} to {row['high_pp']:+.1f})"
    tests = ["–" if row[name] is None else f"{row[name]:.4f}" for name in ("p", "p_holm")]
    sides = [shown_rate(row[side]) for side in ("now", "against")]
    return [str(row["path"]), *sides, difference, *tests, str(row["verdict"])]


def to_page(report: Mapping[str, Any]) -> str:
    """Return the whole page; style and heat map stand in it, and there is no script."""
    told = "".join(f"<li>{escape(line)}</li>" for line in headlines(report))
    tables = "".join(
        f"<h2>{escape(title)}</h2>{_table(heads, rows)}" for title, heads, rows in sections(report)
    )
    picture = heat_map(report["matrix"], report["types"])
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Error migration</title>'
        f'<link rel="icon" href="data:,"><style>{_STYLE}</style></head><body><h1>Error migration</h1>'
        f"<ul>{told}</ul><h2>Number of repairs that changed the kind</h2>{picture}{tables}</body></html>\n"
    )


def _table(heads: Sequence[str], rows: Rows) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
