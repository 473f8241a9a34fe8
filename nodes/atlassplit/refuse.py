"""Node: end without a program, and say what would help."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


class In(TypedDict):
    """What the node reads."""

    refusal: dict[str, Any]
    notices: list[str]


class Out(TypedDict):
    """What the node writes."""

    refusal: dict[str, Any]
    status: str
    stop_reason: str
    notices: list[str]


def refuse(state: In, parts: AtlasSplitParts) -> Out:
    """Return the refusal as outputs show it; its message for the user becomes a notice."""
    refusal = dict(state["refusal"])
    message = refusal.pop("message")
    refusal["candidates"] = list(refusal["candidates"])
    return Out(refusal=refusal, status="stopped", stop_reason="refused", notices=[*state["notices"], message])
