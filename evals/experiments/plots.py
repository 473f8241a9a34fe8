"""The plot of lifts: each with its interval, in percentage points around zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindatlas.evals.statistics import Interval
from mindatlas.evals.svg import draw_svg

_POINT, _ZERO = "#2f6f9f", "#8a97a3"


def lifts_svg(lifts: Sequence[tuple[str, float, Interval | None]]) -> str:
    """Return a plot of (name, lift, interval); nothing for no lift."""
    if not lifts:
        return ""

    def draw(axes: Any) -> None:
        axes.axvline(0, color=_ZERO, linewidth=1)
        for place, (_, points, interval) in enumerate(lifts):
            if interval is not None:
                axes.plot(list(interval), [place, place], color=_POINT, linewidth=2)
            axes.plot([points], [place], marker="o", color=_POINT)
        axes.set_yticks(range(len(lifts)), [name for name, _, _ in lifts])
        axes.invert_yaxis()
        axes.margins(y=0.2)
        axes.set_xlabel("lift, percentage points (95 % interval)")

    return draw_svg(draw, height=0.9 + 0.32 * len(lifts))
