"""The matrix of migrations as a heat map, SVG to stand inside a page."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Final

# Fixed salt: the same counts give the same bytes. Text stays text, so that it can be read and searched.
_STYLE: Final[Any] = {"svg.fonttype": "none", "svg.hashsalt": "mindatlas", "font.size": 9}


def heat_map(matrix: Sequence[Sequence[int | None]], types: Sequence[str]) -> str:
    """Return the heat map; rows are the kinds before a repair, columns those after it, null cells stay empty.

    Args:
        matrix: Counts, `(n_types, n_types)`.
        types: Names of rows and columns.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=(5.6, 4.8), layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        _draw(axes, matrix, types)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]  # without the XML head, whose address a page must not name


def _draw(axes: Any, matrix: Sequence[Sequence[int | None]], types: Sequence[str]) -> None:
    counts = [[0 if cell is None else cell for cell in row] for row in matrix]
    most = max(1, *map(max, counts))
    axes.imshow(counts, cmap="Oranges", vmin=0, vmax=most)
    for row, cells in enumerate(matrix):
        for column, cell in enumerate(cells):
            text = "–" if cell is None else str(cell or "")
            colour = "white" if cell and cell > 0.6 * most else "#333333"
            axes.text(column, row, text, ha="center", va="center", color=colour)
    axes.set_xticks(range(len(types)), types)
    axes.set_yticks(range(len(types)), types)
    axes.set_xlabel("after the repair")
    axes.set_ylabel("before the repair")
