"""Node: run a count by the other clock too, where the question does not say which one it means."""

from __future__ import annotations

from typing_extensions import TypedDict

from mindatlas.nodes.workdesk.parts.call_views import CallView, call_views
from mindatlas.nodes.workdesk.parts.calls import Repair, ToolResult
from mindatlas.nodes.workdesk.parts.dual_time import label_clock, other_clocks
from mindatlas.nodes.workdesk.parts.history import Message
from mindatlas.nodes.workdesk.parts.toolkit import WorkdeskParts


class In(TypedDict):
    """What the node reads; results from `latest` on came back in this round."""

    question: str
    turns: list[Message]
    results: list[ToolResult]
    latest: int
    repairs: list[Repair]


class Out(TypedDict):
    """What the node writes."""

    results: list[ToolResult]
    tool_calls: list[CallView]
    repairs: list[Repair]


def rerun_dual_time(state: In, parts: WorkdeskParts) -> Out:
    """Return the results, each with its clock's label, and beside a count the same count by the other clocks.

    The system does not choose: the reply gets both. Nothing is run when the user names the clock.
    """
    results = state["results"][: state["latest"]]
    before = [turn["content"] for turn in state["turns"] if turn["role"] == "user"]
    repairs: list[Repair] = []
    for result in state["results"][state["latest"] :]:
        card = parts.cards.get(result["tool"])
        if card is None:
            results.append(result)
            continue
        results.append(label_clock(result, card, state["question"]))
        if not parts.enabled("rerun_dual_time"):
            continue
        for call in other_clocks(result, card, state["question"], before=before, today=parts.today()):
            results.append(parts.access.call(call))
            repairs.extend(call["repairs"])
    return Out(results=results, tool_calls=call_views(results), repairs=[*state["repairs"], *repairs])
