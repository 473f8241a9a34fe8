"""Node: order the candidates by relevance and cut them to those that support an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.answers import PassageView
from mindatlas.nodes.mindtrip.parts.bge_reranker import BudgetExceeded
from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.evidence import COVERAGE, EvidenceScorer, Support, supported
from mindatlas.nodes.mindtrip.parts.extractive_answerer import kind_of
from mindatlas.nodes.mindtrip.parts.focus import Focus
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.reranker import builtin_scores
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts


class In(TypedDict):
    """What the node reads."""

    rewritten_query: str
    conditions: list[dict[str, Any]]
    named: list[str]
    near: list[str]
    hits: list[dict[str, Any]]
    notices: list[str]


class Out(TypedDict):
    """What the node writes: at most three passages, and the order of all candidates with what each holds."""

    passages: list[PassageView]
    ranking: list[dict[str, Any]]
    notices: list[str]


def rerank(state: In, parts: MindTripParts) -> Out:
    """Return the passages that support an answer, best first; none when nothing supports one.

    The subject named in the question stays in front, as retrieval put it.
    """
    base = parts.knowledge_base()
    rows = [base.rows[hit["id"]] for hit in state["hits"]]
    conditions = [Condition.from_dict(data) for data in state["conditions"]]
    scorer = EvidenceScorer(
        base, state["rewritten_query"], conditions=conditions, named=state["named"], near=state["near"]
    )
    scores, notices = _scores(state, parts, base, scorer, rows)
    first = {row for name in state["named"] for row in base.rows_named(name)}
    extreme = any(condition.operator in {"highest", "lowest"} for condition in conditions)
    places = range(len(rows))
    order = (
        list(places)
        if extreme
        else sorted(places, key=lambda i: (rows[i] not in first, -scores[i], base.ids[rows[i]]))
    )
    supports = {base.ids[rows[i]]: scorer.support(rows[i]) for i in order}
    focus = Focus(base, scorer, conditions=conditions, named=state["named"])
    kept = _focused(base, scorer, focus, supports, state)
    kept = _spread(base, _one_of_each(base, kept, state["named"]), state)[: parts.settings.passages]
    by_id = {
        base.ids[row]: (row, score, hit) for row, score, hit in zip(rows, scores, state["hits"], strict=True)
    }
    return Out(
        passages=[_view(base, *by_id[name]) for name in kept],
        ranking=[
            {"id": name, "score": round(by_id[name][1], 6), "coverage": round(support.coverage, 6)}
            for name, support in supports.items()
        ],
        notices=notices,
    )


def _focused(
    base: KnowledgeBase, scorer: EvidenceScorer, focus: Focus, supports: Mapping[str, Support], state: In
) -> list[str]:
    """Return the ids that support an answer and are about what was asked, in order."""
    rows = [base.rows[name] for name in supports]
    enough = [row for row in rows if supports[base.ids[row]].coverage >= COVERAGE]
    match kind_of(state["rewritten_query"]):
        case "comparison" if (
            len(focus.sides) > 1
        ):  # each side is judged alone, not against the better told one
            return [base.ids[row] for row in focus.by_side(rows, enough)]
        case "options" if not state["named"]:
            kept = focus.of_options(enough) or focus.of_options([row for row in rows if scorer.meets(row)])
        case _:
            kept = focus.of_facts(enough)
    return supported({base.ids[row]: supports[base.ids[row]] for row in kept}, least=0.0)


def _one_of_each(base: KnowledgeBase, kept: list[str], named: Sequence[str]) -> list[str]:
    """Return `kept` with the best passage of each named subject in front, so that a comparison sees them all."""
    subjects = {base.entities.resolve(name) or name for name in named}
    first: dict[str, str] = {}
    for passage_id in kept:
        entity = base.passages[base.rows[passage_id]].entity
        if entity in subjects:
            first.setdefault(entity, passage_id)
    return list(dict.fromkeys((*first.values(), *kept)))


def _spread(base: KnowledgeBase, kept: list[str], state: In) -> list[str]:
    """Return `kept` with one passage per subject in front, where the question asks for several to choose from."""
    if state["named"] or kind_of(state["rewritten_query"]) != "options":
        return kept
    first: dict[str, str] = {}
    for passage_id in kept:
        first.setdefault(base.passages[base.rows[passage_id]].entity, passage_id)
    return list(dict.fromkeys((*first.values(), *kept)))


def _scores(
    state: In, parts: MindTripParts, base: KnowledgeBase, scorer: EvidenceScorer, rows: Sequence[int]
) -> tuple[list[float], list[str]]:
    """Return a score by row, and the notices, with one more where the model reranker had to be passed over."""
    fused = [float(hit["score"]) for hit in state["hits"]]
    if not parts.enabled("rerank"):
        return fused, state["notices"]
    if parts.reranker is None:
        return builtin_scores(scorer, rows, fused=fused), state["notices"]
    try:
        texts = [base.passages[row].indexed_text for row in rows]
        return parts.reranker.score(state["rewritten_query"], texts), state["notices"]
    except BudgetExceeded as exceeded:
        return builtin_scores(scorer, rows, fused=fused), [
            *state["notices"],
            f"Reranked by builtin rules: {exceeded}",
        ]


def _view(base: KnowledgeBase, row: int, score: float, hit: dict[str, Any]) -> PassageView:
    passage = base.passages[row]
    return PassageView(
        id=passage.id,
        title=passage.title,
        entity=passage.entity,
        score=round(score, 6),
        ranks=hit["ranks"],
        text=passage.text,
    )
