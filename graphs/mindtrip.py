"""MindTrip: answers questions over a knowledge base, with exclusions read from the question and cited answers.

Example:
    >>> graph = build_mindtrip().compile()
    >>> graph.invoke({"question": "万宁除了日月湾还有什么冲浪的地方？"})["exclude_entities"]
    ['日月湾']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired

from langgraph.channels import EphemeralValue
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.answer import answer
from mindatlas.nodes.mindtrip.answer_again import answer_again
from mindatlas.nodes.mindtrip.answer_extractively import answer_extractively
from mindatlas.nodes.mindtrip.parts.answers import Citation, PassageView
from mindatlas.nodes.mindtrip.parts.followups import Turn
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts, MindTripSettings, open_parts
from mindatlas.nodes.mindtrip.read_constraints import read_constraints
from mindatlas.nodes.mindtrip.refuse import refuse
from mindatlas.nodes.mindtrip.rerank import rerank
from mindatlas.nodes.mindtrip.resolve_followup import resolve_followup
from mindatlas.nodes.mindtrip.retrieve import retrieve
from mindatlas.nodes.mindtrip.rewrite_negation import rewrite_negation
from mindatlas.nodes.mindtrip.verify_answer import verify_answer
from mindatlas.nodes.mindtrip.widen import widen
from mindatlas.nodes.tracing import Node, Trace, traced

__all__ = ["MindTripParts", "MindTripSettings", "build_mindtrip", "graph", "open_parts"]


# Forgotten after each step, so that filters of one turn are not taken for those of the next; the last node writes it.
Filters = Annotated[dict[str, Any], EphemeralValue]


class MindTripInput(TypedDict):
    """A question; `filters` are hard conditions, `history` is a conversation that the host keeps itself."""

    question: str
    filters: NotRequired[Filters]
    history: NotRequired[list[dict[str, str]]]


class MindTripOutput(Trace):
    """The answer and everything that led to it."""

    question: str
    model: str
    prompt_versions: dict[str, str]
    rewritten_query: str
    exclude_entities: list[str]
    exclude_reason: str
    filters: Filters
    answer: str
    citations: list[Citation]
    passages: list[PassageView]
    candidates: list[str]
    set_aside: list[dict[str, str]]
    notices: list[str]
    stop_reason: str


class MindTripState(MindTripInput, Trace):
    """Everything the nodes hand on; `turn` is what a thread keeps for the next question."""

    model: str
    prompt_versions: dict[str, str]
    asked_filters: dict[str, Any]
    shown_filters: dict[str, Any]
    resolved_question: str
    inherited: dict[str, Any]
    already_shown: list[str]
    near: list[str]
    rewritten_query: str
    exclude_entities: list[str]
    exclude_reason: str
    conditions: list[dict[str, Any]]
    named: list[str]
    candidates: list[str]
    hits: list[dict[str, Any]]
    set_aside: list[dict[str, str]]
    lost: list[str]
    ranking: list[dict[str, Any]]
    passages: list[PassageView]
    widened: bool
    attempts: int
    attempts_allowed: int
    may_widen: bool
    claims: list[dict[str, str]]
    faults: list[str]
    answer: str
    citations: list[Citation]
    notices: list[str]
    stop_reason: str
    turn: Turn


def route_after_retrieve(state: Mapping[str, Any]) -> Literal["rerank", "widen", "refuse"]:
    """Rerank what was found; nothing found is widened once, and refused after that or where an exclusion took all."""
    return "rerank" if state["candidates"] else _without_support(state)


def route_after_rerank(state: Mapping[str, Any]) -> Literal["answer", "widen", "refuse"]:
    """Answer from passages that support one; without any, widen once, then refuse."""
    return "answer" if state["passages"] else _without_support(state)


def _without_support(state: Mapping[str, Any]) -> Literal["widen", "refuse"]:
    droppable = any(condition["strength"] == "firm" for condition in state["conditions"])
    allowed = state["may_widen"] and not state["widened"] and not state["lost"]
    return "widen" if droppable and allowed else "refuse"


def route_after_verify_answer(
    state: Mapping[str, Any],
) -> Literal["answer_again", "answer_extractively", "refuse", "__end__"]:
    """End with an answer that holds; refuse when no claim was made; else ask again once, then quote only."""
    if not state["faults"]:
        return "__end__"
    if not state["claims"]:
        return "refuse"
    return "answer_again" if state["attempts"] < state["attempts_allowed"] else "answer_extractively"


_NODES: tuple[Node, ...] = (
    rewrite_negation,
    read_constraints,
    retrieve,
    widen,
    rerank,
    answer,
    answer_again,
    answer_extractively,
    verify_answer,
    refuse,
)


def build_mindtrip(
    parts: MindTripParts | None = None,
) -> StateGraph[MindTripState, MindTripSettings, MindTripInput, MindTripOutput]:
    """Return the graph, uncompiled, so that the host chooses checkpointer, cache and store.

    Args:
        parts: the live parts to use; without, they are opened for the settings passed as `context` (or the
            defaults) and kept.
    """

    def parts_of(context: MindTripSettings | None) -> MindTripParts:
        return parts or open_parts(context or MindTripSettings())

    builder = StateGraph(
        MindTripState,
        context_schema=MindTripSettings,
        input_schema=MindTripInput,
        output_schema=MindTripOutput,
    )
    builder.add_node("resolve_followup", traced("resolve_followup", resolve_followup, parts_of, first=True))
    for node in _NODES:
        builder.add_node(node.__name__, traced(node.__name__, node, parts_of))

    builder.add_edge(START, "resolve_followup")
    builder.add_edge("resolve_followup", "rewrite_negation")
    builder.add_edge("rewrite_negation", "read_constraints")
    builder.add_edge("read_constraints", "retrieve")
    builder.add_conditional_edges("retrieve", route_after_retrieve)
    builder.add_edge("widen", "retrieve")
    builder.add_conditional_edges("rerank", route_after_rerank)
    builder.add_edge("answer", "verify_answer")
    builder.add_conditional_edges("verify_answer", route_after_verify_answer)
    builder.add_edge("answer_again", "answer")
    builder.add_edge("answer_extractively", END)
    builder.add_edge("refuse", END)
    return builder


graph = build_mindtrip().compile(name="mindtrip").with_config(recursion_limit=25)
