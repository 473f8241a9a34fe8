"""The plots of a report, as SVG to stand inside a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindatlas.evals.regression.report import MeasureRow
from mindatlas.evals.svg import draw_svg

_NOW, _BEFORE, _WORSE = "#2f6f9f", "#b8c4cc", "#c0392b"


def measures_svg(rows: Sequence[MeasureRow]) -> str:
    """Return bars of the measures of `rows`, now and before; a worsened one in red. An empty figure for none."""

    def draw(axes: Any) -> None:
        places = range(len(rows))
        axes.barh([p + 0.2 for p in places], [r.value or 0.0 for r in rows], 0.38, color=_colours(rows))
        known = [(p - 0.2, row.before) for p, row in zip(places, rows, strict=True) if row.before is not None]
        axes.barh([p for p, _ in known], [value for _, value in known], 0.38, color=_BEFORE)
        axes.set_yticks(list(places), [row.measure for row in rows])
        axes.invert_yaxis()
        axes.set_xlabel("mean (grey: baseline)")

    return draw_svg(draw, height=0.6 + 0.42 * max(1, len(rows)))


def passes_svg(by_type: dict[str, dict[str, Any]]) -> str:
    """Return bars of the share of passed cases of each case type."""

    def draw(axes: Any) -> None:
        shares = [part["passed"] / part["scored"] if part["scored"] else 0.0 for part in by_type.values()]
        axes.barh(list(by_type), shares, 0.6, color=_NOW)
        for place, part in enumerate(by_type.values()):
            axes.text(0.01, place, f"{part['passed']}/{part['scored']}", va="center", color="white")
        axes.set_xlim(0, 1)
        axes.invert_yaxis()
        axes.set_xlabel("share passed")

    return draw_svg(draw, height=0.6 + 0.3 * max(1, len(by_type)))


def _colours(rows: Sequence[MeasureRow]) -> list[str]:
    return [_WORSE if row.worse else _NOW for row in rows]
