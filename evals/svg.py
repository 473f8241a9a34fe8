"""Plots as SVG to stand inside a page: text stays text, and the same drawing gives the same bytes."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

_STYLE: Any = {"svg.fonttype": "none", "svg.hashsalt": "mindatlas", "font.size": 9}


def draw_svg(draw: Callable[[Any], None], *, height: float, width: float = 7.5) -> str:
    """Return what `draw` draws on the axes it is given, as an `<svg>` element; sizes in inches."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        draw(axes)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
        page = io.StringIO()
        figure.savefig(page, format="svg", metadata={"Date": None})
    text = page.getvalue()
    return text[text.index("<svg") :]
