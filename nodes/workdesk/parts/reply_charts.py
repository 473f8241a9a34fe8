"""A chart of grouped figures, as the JSON that the page draws."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mindatlas.nodes.workdesk.parts.reply_columns import Column, unique_names

_MOST_BARS = 60  # more are not told apart


def chart_block(title: str, columns: Sequence[Column], *, timed: bool, ranked: bool = False) -> str:
    """Return a fenced ```chart block; empty where there are fewer than two groups, or too many to be seen.

    Args:
        title: what stands above it.
        columns: one series each; a group that a column does not have is 0 there.
        timed: the groups are times, in order: a line; otherwise bars.
        ranked: the groups stay in the order of the one column.
    """
    names = unique_names({key: name for column in columns for key, name in column.figures.names.items()})
    keys = list(dict.fromkeys(key for column in columns for key in column.figures.values))
    if timed and not ranked:
        keys.sort()
    if not 2 <= len(keys) <= _MOST_BARS:
        return ""
    chart = {
        "type": "line" if timed else "bar",
        "title": title,
        "labels": [names[key] for key in keys],
        "series": [
            {"name": column.label, "data": [column.figures.values.get(key, 0) for key in keys]}
            for column in columns
        ],
    }
    return f"```chart\n{json.dumps(chart, ensure_ascii=False)}\n```"
