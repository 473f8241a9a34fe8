from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from mindatlas.nodes.mindtrip.parts.bge_reranker import BudgetExceeded
from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.rerank import Out, rerank

RANKS: dict[str, int | None] = {"bm25": 1, "dense": 2, "metadata": None}


def run(parts: MindTripParts, query: str, *names: str, **state: Any) -> Out:
    hits = [{"id": name, "score": 0.03 - place / 1000, "ranks": RANKS} for place, name in enumerate(names)]
    given = {"conditions": [], "named": [], "near": [], "hits": hits, "notices": ["before"], **state}
    return rerank({"rewritten_query": query, **given}, parts)  # type: ignore[typeddict-item]


def ids(update: Out) -> list[str]:
    return [passage["id"] for passage in update["passages"]]


class Fixed:
    """A model reranker with scores by what a passage says; keeps what it was asked."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores
        self.asked: list[tuple[str, list[str]]] = []

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        self.asked.append((query, list(passages)))
        return [next((s for word, s in self.scores.items() if word in text), 0.0) for text in passages]


class TooSlow:
    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        raise BudgetExceeded(pairs=2, needed_s=9.0, budget_s=1.0)


def test_what_supports_an_answer_is_kept_best_first(parts: MindTripParts) -> None:
    update = run(parts, "冲浪店和客栈", "palace", "houhai", "riyue")
    assert ids(update) == ["riyue"]
    passage = update["passages"][0]
    assert passage["text"] == "日月湾是冲浪的人最集中的海湾。湾边有冲浪店和客栈。"
    assert (passage["title"], passage["entity"], passage["ranks"]) == ("日月湾", "日月湾", RANKS)
    assert update["notices"] == ["before"]


def test_the_order_of_all_candidates_is_told_with_what_each_holds(parts: MindTripParts) -> None:
    ranking = run(parts, "冲浪店和客栈", "palace", "houhai", "riyue")["ranking"]
    assert [entry["id"] for entry in ranking] == ["riyue", "houhai", "palace"]
    assert [entry["coverage"] for entry in ranking][::2] == [1.0, 0.0]


def test_a_named_subject_is_not_outdone_by_passages_that_mention_it(parts: MindTripParts) -> None:
    """石梅湾 holds 冲浪 and mentions 日月湾; the question is about 日月湾."""
    update = run(parts, "日月湾的沙滩和冲浪", "shimei", "riyue", named=["日月湾"])
    assert ids(update) == ["riyue"]


def test_nothing_that_supports_an_answer(parts: MindTripParts) -> None:
    assert ids(run(parts, "滑雪场的缆车", "palace", "houhai", "riyue")) == []
    assert ids(run(parts, "滑雪场")) == []


def test_at_most_three_passages_and_as_many_as_the_settings_say(parts: MindTripParts) -> None:
    question = ("冲浪", "riyue", "shimei", "houhai", "palace")
    assert len(ids(run(parts, *question))) == 3
    one = replace(parts, settings=replace(parts.settings, passages=1))
    assert len(ids(run(one, *question))) == 1


def test_the_named_subject_stays_in_front_and_a_comparison_sees_each(parts: MindTripParts) -> None:
    names = ["日月湾", "石梅湾"]
    update = run(parts, "日月湾和石梅湾哪个好", "houhai", "shimei", "riyue", named=names)
    assert {"riyue", "shimei"} <= set(ids(update)[:2])


def test_the_asked_extreme_keeps_the_order_of_retrieval(parts: MindTripParts) -> None:
    best = Condition(fields=("rating",), operator="highest", strength="soft", surface="评分最高")
    kept = ids(run(parts, "评分最高的，冲浪", "shimei", "riyue", "houhai", conditions=[best.to_dict()]))
    assert kept == [name for name in ("shimei", "riyue", "houhai") if name in kept]
    assert kept[0] == "shimei"


def test_a_model_reranker_sees_the_rewritten_query_and_orders(parts: MindTripParts) -> None:
    model = Fixed(后海=0.9, 日月湾=0.5)
    update = run(replace(parts, reranker=model), "冲浪", "riyue", "houhai")
    assert ids(update) == ["houhai", "riyue"]
    (query, texts) = model.asked[0]
    assert query == "冲浪"
    assert len(texts) == 2
    assert len(model.asked) == 1


def test_a_model_that_takes_too_long_is_passed_over_with_a_notice(parts: MindTripParts) -> None:
    update = run(replace(parts, reranker=TooSlow()), "冲浪店和客栈", "houhai", "riyue")
    assert ids(update) == ["riyue"]
    assert update["notices"][0] == "before"
    assert "9.0 s" in update["notices"][1]


def test_the_repair_can_be_switched_off(parts: MindTripParts) -> None:
    model = Fixed()
    off = replace(parts, reranker=model, settings=replace(parts.settings, disabled=("rerank",)))
    update = run(off, "冲浪", "shimei", "houhai", "riyue")
    assert ids(update) == ["shimei", "houhai", "riyue"]
    assert model.asked == []
    assert [passage["score"] for passage in update["passages"]] == pytest.approx([0.03, 0.029, 0.028])
