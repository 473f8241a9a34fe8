"""The feedback's numbers as one HTML page that needs nothing else: two plots inlined as SVG, and the tables."""

from __future__ import annotations

import html
import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from mindatlas.evals.learning.funnel import Funnel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STAGES = ("collected", "drafted", "accepted", "merged")
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:left}"
    "td:last-child{text-align:right}svg{max-width:100%;height:auto}"
)


def funnel_page(numbers: Funnel) -> str:
    """Return the page; without any draft the second plot is left out and said so."""
    over_time = _svg(_kinds_figure(numbers)) if numbers.kinds else "<p>No bad answer is drafted yet.</p>"
    parts = (
        f"<p>{numbers.up} thumbs up, {numbers.down} bad answers, {numbers.pending} not drafted yet.</p>",
        _svg(_funnel_figure(numbers)),
        "<h2>Question kinds over time</h2>",
        over_time,
        _table("Kinds that no case had", numbers.untested_kinds),
        _table("Failure types", numbers.failures),
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Feedback to cases</title>'
        f"<style>{_STYLE}</style></head><body><h1>Feedback to cases</h1>{''.join(parts)}</body></html>\n"
    )


def stages(numbers: Funnel) -> dict[str, int]:
    """Return the stages in order: bad answers, drafts, accepted drafts, merged ones."""
    values = (numbers.down, numbers.drafts, numbers.accepted, numbers.merged)
    return dict(zip(_STAGES, values, strict=True))


def _funnel_figure(numbers: Funnel) -> Figure:
    figure, axes = _figure(height=2.2)
    counts = stages(numbers)
    bars = axes.barh(list(counts), list(counts.values()), color="#4477aa")
    axes.bar_label(bars, padding=3)
    axes.invert_yaxis()
    axes.set_xlabel("number")
    return figure


def _kinds_figure(numbers: Funnel) -> Figure:
    figure, axes = _figure(height=3.2)
    months = sorted(numbers.kinds)
    below = [0] * len(months)
    for kind in sorted({kind for counts in numbers.kinds.values() for kind in counts}):
        values = [numbers.kinds[month].get(kind, 0) for month in months]
        axes.bar(months, values, bottom=below, label=kind, width=0.6)
        below = [low + value for low, value in zip(below, values, strict=True)]
    axes.set_ylabel("bad answers")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return figure


def _figure(*, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure) -> str:
    """Return the figure as SVG with its text kept as text, without the XML head, the same bytes each time."""
    from matplotlib import rc_context

    target = io.StringIO()
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "mindatlas"}):
        figure.savefig(target, format="svg", metadata={"Date": None})
    text = target.getvalue()
    return text[text.index("<svg") :]


def _table(title: str, counts: Mapping[str, int]) -> str:
    if not counts:
        return ""
    return f"<h2>{html.escape(title)}</h2><table>{''.join(_rows(counts.items()))}</table>"


def _rows(items: Iterable[tuple[str, int]]) -> Iterable[str]:
    return (f"<tr><td>{html.escape(name)}</td><td>{count}</td></tr>" for name, count in items)
