"""Node: find candidates with three legs and fuse them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts import retriever
from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.evidence import EvidenceScorer, supported
from mindatlas.nodes.mindtrip.parts.extractive_answerer import kind_of
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts


class In(TypedDict):
    """What the node reads."""

    rewritten_query: str
    conditions: list[dict[str, Any]]
    exclude_entities: list[str]
    already_shown: list[str]
    named: list[str]
    near: list[str]


class Out(TypedDict):
    """What the node writes: at most ten candidates, what an exclusion took out, and whose answer it cost."""

    candidates: list[str]
    hits: list[dict[str, Any]]
    set_aside: list[dict[str, str]]
    lost: list[str]


def retrieve(state: In, parts: MindTripParts) -> Out:
    """Return the fused candidates; excluded subjects, those shown before and the anchor are in none of the legs."""
    base = parts.knowledge_base()
    excluded = state["exclude_entities"] if parts.enabled("set_aside_excluded") else []
    left_out = dict.fromkeys(excluded, "excluded in the question")
    for name in (*state["already_shown"], *state["near"]):
        left_out.setdefault(name, "the starting point" if name in state["near"] else "already shown or named")
    conditions = tuple(Condition.from_dict(data) for data in state["conditions"])
    query = retriever.Query(
        text=state["rewritten_query"],
        conditions=conditions,
        excluded=tuple(left_out),
        named=tuple(state["named"]),
        near=tuple(state["near"]),
        sides=_sides(base, state["rewritten_query"], conditions),
    )
    found = retriever.retrieve(base, query, top=parts.settings.candidates)
    scorer = EvidenceScorer(base, query.text, conditions=query.conditions, near=query.near)
    supports = {row: scorer.support(row) for row, _ in found.set_aside}
    return Out(
        candidates=[base.ids[hit.row] for hit in found.hits],
        hits=[
            {"id": base.ids[h.row], "score": round(h.score, 6), "ranks": dict(h.ranks)} for h in found.hits
        ],
        set_aside=[
            {"id": base.ids[row], "entity": base.passages[row].entity, "why": f"{left_out[name]}: {name}"}
            for row, name in found.set_aside
        ],
        lost=list(dict.fromkeys(base.passages[row].entity for row in supported(supports))),
    )


def _sides(base: KnowledgeBase, question: str, conditions: Sequence[Condition]) -> tuple[str, ...]:
    """Return the towns that a comparison compares; none for another question, or with fewer than two towns."""
    cities = {field.name for field in base.table.with_role("city")}
    named = [c for c in conditions if c.strength == "hard" and set(c.fields) <= cities]
    towns = tuple(value for condition in named for value in condition.values)
    return towns if len(towns) > 1 and kind_of(question) == "comparison" else ()
