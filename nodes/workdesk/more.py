"""Node: go on planning with what came back."""

from __future__ import annotations

from typing_extensions import TypedDict

from mindatlas.nodes.workdesk.parts.calls import RawCall
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts


class In(TypedDict):
    """What the node reads: nothing; that it ran is the fact it records."""


class Out(TypedDict):
    """What the node writes."""

    planned: list[RawCall]
    draft: str


def more(state: In, parts: WorkdeskParts) -> Out:
    """Return an empty plan: the planner reads the results and fills it."""
    return Out(planned=[], draft="")
