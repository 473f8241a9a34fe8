from __future__ import annotations

from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.evidence import EvidenceScorer
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.reranker import builtin_scores


def scores(base: KnowledgeBase, scorer: EvidenceScorer, *names: str, fused: list[float]) -> list[float]:
    return builtin_scores(scorer, [base.rows[name] for name in names], fused=fused)


def test_coverage_of_the_question_outweighs_the_fused_order(places: KnowledgeBase) -> None:
    scorer = EvidenceScorer(places, "冲浪店和客栈")
    other, right = scores(places, scorer, "houhai", "riyue", fused=[0.03, 0.01])
    assert right > other
    assert all(0 <= score <= 1 for score in (other, right))


def test_equal_passages_keep_the_fused_order(places: KnowledgeBase) -> None:
    scorer = EvidenceScorer(places, "滑雪")
    first, second = scores(places, scorer, "riyue", "shimei", fused=[0.03, 0.02])
    assert first > second


def test_the_kind_of_place_decides_among_equals(places: KnowledgeBase) -> None:
    cafes = Condition(fields=("category",), operator="equal", values=("餐馆",), surface="餐馆")
    scorer = EvidenceScorer(places, "滑雪", conditions=[cafes])
    palace, cafe = scores(places, scorer, "palace", "cafe", fused=[0.02, 0.02])
    assert cafe > palace


def test_all_that_counts_together_is_one(places: KnowledgeBase) -> None:
    scorer = EvidenceScorer(places, "冲浪店")
    (best,) = scores(places, scorer, "riyue", fused=[0.02])
    assert 0.95 <= best <= 1.0


def test_nothing_to_score(places: KnowledgeBase) -> None:
    assert builtin_scores(EvidenceScorer(places, "冲浪"), [], fused=[]) == []
    assert scores(places, EvidenceScorer(places, "冲浪"), "riyue", fused=[0.0])[0] >= 0
