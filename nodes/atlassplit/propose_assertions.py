"""Node: say what must hold of the result, before there is a program."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.asked import from_state, to_state
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


class In(TypedDict):
    """What the node reads."""

    request: str
    files: list[dict[str, str]]
    asked: list[dict[str, Any]]


class Out(TypedDict):
    """What the node writes."""

    asked: list[dict[str, Any]]


def propose_assertions(state: In, parts: AtlasSplitParts) -> Out:
    """Return the user's assertions, and behind them those that follow from the request.

    A program that comes without a request is checked against the user's assertions alone.
    """
    if not state["request"] or not parts.enabled("propose_assertions"):
        return Out(asked=state["asked"])
    books = parts.reader.recall(state["files"], state["request"])
    proposed = [
        assertion for writer in parts.asserters for assertion in writer.propose(state["request"], books)
    ]
    return Out(asked=to_state([*from_state(state["asked"]), *proposed]))
