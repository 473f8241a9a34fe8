"""Node: ask for the answer once more, with the faults named."""

from __future__ import annotations

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts


class In(TypedDict):
    """What the node reads."""

    faults: list[str]
    notices: list[str]


class Out(TypedDict):
    """What the node writes."""

    notices: list[str]


def answer_again(state: In, parts: MindTripParts) -> Out:
    """Return a notice of the faults that the next attempt must mend."""
    return Out(
        notices=[*state["notices"], f"The first answer was asked for again: {' '.join(state['faults'])}"]
    )
