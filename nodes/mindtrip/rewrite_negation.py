"""Node: read what the question excludes, and take the exclusion out of the query."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts


class In(TypedDict):
    """What the node reads."""

    resolved_question: str
    inherited: dict[str, Any]


class Out(TypedDict):
    """What the node writes."""

    rewritten_query: str
    exclude_entities: list[str]
    exclude_reason: str


def rewrite_negation(state: In, parts: MindTripParts) -> Out:
    """Return the query without its exclusion clause, the excluded names as written, and how they were read."""
    question = state["resolved_question"]
    inherited = list(state["inherited"]["exclude_entities"])
    if not parts.enabled("rewrite_negation"):
        return Out(rewritten_query=question, exclude_entities=inherited, exclude_reason="")
    reading = parts.negation.read(question, parts.knowledge_base().entities)
    return Out(
        rewritten_query=reading.rewritten_query,
        exclude_entities=list(dict.fromkeys((*inherited, *reading.exclude_entities))),
        exclude_reason=reading.reason,
    )
