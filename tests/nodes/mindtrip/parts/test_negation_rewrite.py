from __future__ import annotations

import pytest

from mindatlas.nodes.mindtrip.parts.negation_rewrite import without


def cut(question: str, *parts: str) -> str:
    """Return `question` without `parts`, each cut where it first stands."""
    return without(question, [(question.index(part), question.index(part) + len(part)) for part in parts])


@pytest.mark.parametrize(
    ("question", "parts", "left"),
    [
        ("万宁除了日月湾还有什么？", ["除了日月湾"], "万宁还有什么？"),
        ("除了日月湾，还有什么？", ["除了日月湾"], "还有什么？"),
        ("推荐海湾，日月湾除外。", ["日月湾除外"], "推荐海湾。"),
        ("推荐海湾，日月湾除外", ["日月湾除外"], "推荐海湾"),
        ("推荐海湾？不要日月湾。", ["不要日月湾"], "推荐海湾？"),
        ("想冲浪，不要日月湾，有推荐吗", ["不要日月湾"], "想冲浪，有推荐吗"),
        ("我上次去过日月湾了，还有什么", ["去过日月湾了"], "还有什么"),
        ("我不想去日月湾但想去冲浪", ["不想去日月湾"], "我想去冲浪"),
        ("想冲浪但不去日月湾", ["不去日月湾"], "想冲浪"),
        ("海湾（日月湾除外）有哪些", ["日月湾除外"], "海湾有哪些"),
        ("不要日月湾，也不要石梅湾，还有什么", ["不要日月湾", "不要石梅湾"], "还有什么"),
        ("不要日月湾，石梅湾，还有什么", ["不要日月湾，石梅湾"], "还有什么"),
        ("万宁 不要日月湾 求推荐", ["不要日月湾"], "万宁 求推荐"),
        ("What, besides X, is good?", ["besides X"], "What is good?"),
        ("Beaches but not X", ["not X"], "Beaches"),
        ("Surf, but not X, near St. Regis.", ["not X"], "Surf, near St. Regis."),
        ("I've been to X, so where else?", ["I've been to X"], "where else?"),
        ("Where to surf besides X in May?", ["besides X"], "Where to surf in May?"),
    ],
)
def test_what_is_left_reads_as_a_question(question: str, parts: list[str], left: str) -> None:
    assert cut(question, *parts) == left


def test_nothing_cut_changes_nothing() -> None:
    assert without(" 万宁，有什么， ", []) == " 万宁，有什么， "


@pytest.mark.parametrize("question", ["我不想去日月湾了", "Please, not Riyue Bay!", "日月湾"])
def test_a_question_that_would_keep_nothing_comes_back_as_it_is(question: str) -> None:
    said = {"我不想去日月湾了": "不想去日月湾", "Please, not Riyue Bay!": "not Riyue Bay"}
    assert cut(question, said.get(question, question)) == question


def test_overlapping_cuts_count_once() -> None:
    assert without("万宁除了日月湾还有什么", [(2, 7), (4, 7), (2, 4)]) == "万宁还有什么"
