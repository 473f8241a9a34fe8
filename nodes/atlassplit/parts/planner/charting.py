"""What a chart of the result shows."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.plan import Chart

_LONGEST_TITLE = 60


def chart_of(draft: Draft, request: str) -> Chart:
    """Return the chart that was asked for: the only key across, the only figure up.

    Raises:
        Refused: The result has several keys or figures, or is no table of groups.
    """
    keys = [item for item in draft.fields if item.role == "key"]
    figures = [item for item in draft.fields if item.role == "measure"]
    if draft.stage != "groups" or len(keys) != 1 or len(figures) != 1 or draft.chart_kind is None:
        draft.refuse("ambiguous", "chart_shape", request)
    key, figure = keys[0], figures[0]
    joint = "按{}的{}" if draft.language == "zh" else "{1} by {0}"
    title = joint.format(key.title, figure.title)[:_LONGEST_TITLE]
    return Chart(kind=draft.chart_kind, x=str(key.name), y=str(figure.name), title=title)
