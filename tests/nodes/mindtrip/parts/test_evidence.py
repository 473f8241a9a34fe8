from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.evidence import COVERAGE, EvidenceScorer, Support, supported
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase


def support(base: KnowledgeBase, question: str, name: str, **given: Any) -> Support:
    return EvidenceScorer(base, question, **given).support(base.rows[name])


def tagged(value: str) -> Condition:
    return Condition(fields=("tags",), operator="equal", values=(value,), strength="soft", surface=value)


def test_a_passage_that_holds_all_of_the_question_lacks_nothing(places: KnowledgeBase) -> None:
    assert support(places, "哪里有冲浪店和客栈", "riyue") == Support(coverage=1.0, missing=())


def test_a_passage_that_holds_nothing_of_the_question(places: KnowledgeBase) -> None:
    found = support(places, "滑雪场", "riyue")
    assert found.coverage == 0.0
    assert "滑雪" in found.missing


def test_rare_terms_weigh_more_than_common_ones(places: KnowledgeBase) -> None:
    rare = support(places, "冲浪，客栈", "riyue")
    common = support(places, "冲浪，客栈", "houhai")
    assert rare.coverage == 1.0
    assert 0 < common.coverage < 0.5
    assert common.missing == ("客栈",)


def test_what_is_missing_stands_heaviest_first(places: KnowledgeBase) -> None:
    missing = support(places, "冲浪，滑雪", "palace").missing
    assert missing == ("滑雪", "冲浪")


def test_a_passage_that_does_not_mention_the_named_subject_holds_nothing(places: KnowledgeBase) -> None:
    assert support(places, "日月湾的冲浪店", "houhai", named=["日月湾"]).coverage == 0.0
    assert support(places, "日月湾的冲浪店", "shimei", named=["日月湾"]).coverage > 0
    assert support(places, "日月湾的冲浪店", "riyue", named=["日月湾"]).coverage == 1.0


def test_a_condition_counts_where_it_is_satisfied(places: KnowledgeBase) -> None:
    conditions = [tagged("夜间")]
    assert support(places, "夜间去处", "houhai", conditions=conditions).coverage > 0
    assert support(places, "夜间去处", "palace", conditions=conditions).coverage == 0.0


def test_place_and_kind_alone_are_no_evidence(places: KnowledgeBase) -> None:
    """A question for a ski slope in 万宁 is not supported by whatever lies in 万宁."""
    conditions = [
        Condition(fields=("city",), operator="equal", values=("万宁",), strength="hard", surface="万宁"),
        Condition(fields=("category",), operator="equal", values=("海湾",), strength="firm", surface="海湾"),
    ]
    assert support(places, "万宁的海湾有滑雪场吗", "riyue", conditions=conditions).coverage < COVERAGE


def test_a_question_that_only_filters_is_held_by_what_passed(places: KnowledgeBase) -> None:
    conditions = [
        Condition(fields=("city",), operator="equal", values=("万宁",), strength="hard", surface="万宁")
    ]
    assert support(places, "万宁有什么", "riyue", conditions=conditions).coverage == 1.0


@pytest.mark.parametrize("question", ["", "🏄", "有什么"])
def test_a_question_that_says_nothing_is_not_supported(places: KnowledgeBase, question: str) -> None:
    assert support(places, question, "riyue").coverage == 0.0


def test_the_kind_of_place_asked_for(places: KnowledgeBase) -> None:
    bays = Condition(fields=("category",), operator="equal", values=("海湾",), surface="海湾")
    scorer = EvidenceScorer(places, "海湾", conditions=[bays])
    assert scorer.kind(places.rows["riyue"]) == 1.0
    assert scorer.kind(places.rows["palace"]) == 0.0
    assert EvidenceScorer(places, "海湾").kind(places.rows["palace"]) == 1.0


def test_terms_side_by_side_are_closest(places: KnowledgeBase) -> None:
    near = EvidenceScorer(places, "明清两代").proximity(places.rows["palace"])
    far = EvidenceScorer(places, "明清，参观").proximity(places.rows["palace"])
    assert 0 < far < near <= 1
    assert EvidenceScorer(places, "滑雪").proximity(places.rows["riyue"]) == 0.0


@pytest.mark.parametrize(
    ("coverages", "kept"),
    [
        ({"a": 0.9, "b": 0.6, "c": 0.5}, ["a", "b"]),
        ({"a": 0.5, "b": 0.4}, ["a", "b"]),
        ({"a": 0.39, "b": 0.2}, []),
        ({"b": 0.4, "a": 0.9}, ["a"]),
        ({"b": 0.8, "a": 0.9}, ["b", "a"]),
        ({}, []),
    ],
)
def test_the_evidence_rule(coverages: dict[str, float], kept: list[str]) -> None:
    supports = {name: Support(coverage=share, missing=()) for name, share in coverages.items()}
    assert supported(supports, least=0.4) == kept


@given(
    question=st.text(alphabet="日月湾冲浪客栈故宫门票60元有什么 surf", max_size=20),
    named=st.lists(st.sampled_from(["日月湾", "故宫", "不存在"]), max_size=2),
    tags=st.lists(st.sampled_from(["冲浪", "夜间", "不存在"]), max_size=2),
)
def test_shares_lie_between_nothing_and_all(
    places: KnowledgeBase, question: str, named: list[str], tags: list[str]
) -> None:
    scorer = EvidenceScorer(places, question, named=named, conditions=[tagged(tag) for tag in tags])
    for row in range(len(places.passages)):
        found = scorer.support(row)
        assert 0.0 <= found.coverage <= 1.0
        assert 0.0 <= scorer.proximity(row) <= 1.0
        assert found.coverage < 1.0 or not found.missing
