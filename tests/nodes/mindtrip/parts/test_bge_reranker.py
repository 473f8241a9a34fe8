from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes import flag_embedding
from mindatlas.nodes.errors import SetupError, UsageError
from mindatlas.nodes.mindtrip.parts import bge_reranker
from mindatlas.nodes.mindtrip.parts.bge_reranker import BgeReranker, BudgetExceeded
from tests.tiny_bge import TEXTS


class Clock:
    """Moves on only when the model runs."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Model:
    """Stands in for the cross-encoder: its score is the passage's length, its cost a second a pair."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.batches: list[list[str]] = []

    def __call__(self, query: str, passages: Sequence[str]) -> list[float]:
        self.clock.now += len(passages)
        self.batches.append(list(passages))
        return [len(passage) / 100 for passage in passages]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def model(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Model:
    """The model that `load` gives, in an environment that seems to have the extra."""
    model = Model(clock)
    monkeypatch.setattr(bge_reranker, "require_extra", lambda _: None)
    monkeypatch.setattr(bge_reranker, "load", lambda *_: None)
    monkeypatch.setattr(bge_reranker, "_CrossEncoder", lambda *_: model)
    return model


def reranker(folder: Path, clock: Clock, **settings: Any) -> BgeReranker:
    return BgeReranker(str(folder), clock=clock, **{"budget_s": None, **settings})


def texts(*lengths: int) -> list[str]:
    return ["字" * length for length in lengths]


def test_scores_come_in_the_given_order_from_batches_of_like_length(
    tmp_path: Path, clock: Clock, model: Model
) -> None:
    lengths = [3, 9, 1, 7, 2, 8, 4]
    scored = reranker(tmp_path, clock)
    assert scored.score("问", texts(*lengths)) == [length / 100 for length in lengths]
    assert [[len(text) for text in batch] for batch in model.batches] == [[9, 8, 7, 4, 3], [2, 1]]
    assert scored.calls == 2


def test_nothing_to_score_is_no_call(tmp_path: Path, clock: Clock, model: Model) -> None:
    scored = reranker(tmp_path, clock)
    assert scored.score("问", []) == []
    assert scored.calls == 0
    assert model.batches == []


def test_more_than_ten_are_refused(tmp_path: Path, clock: Clock, model: Model) -> None:
    with pytest.raises(UsageError, match="at most 10"):
        reranker(tmp_path, clock).score("问", texts(*range(1, 12)))


def test_known_and_repeated_pairs_are_not_scored_again(tmp_path: Path, clock: Clock, model: Model) -> None:
    scored = reranker(tmp_path, clock)
    assert scored.score("问", texts(1, 2, 1)) == [0.01, 0.02, 0.01]
    assert scored.score("问", texts(2, 3)) == [0.02, 0.03]
    assert [len(batch) for batch in model.batches] == [2, 1]
    scored.score("别的问题", texts(2))
    assert len(model.batches) == 3


def test_scores_in_a_file_outlive_the_reranker(tmp_path: Path, clock: Clock, model: Model) -> None:
    first = reranker(tmp_path, clock, cache=tmp_path / "scores.sqlite")
    first.score("问", texts(1, 2))
    first.close()
    again = reranker(tmp_path, clock, cache=tmp_path / "scores.sqlite")
    assert again.score("问", texts(2, 1)) == [0.02, 0.01]
    assert again.calls == 0
    again.close()


def test_work_that_does_not_fit_the_budget_is_not_begun(tmp_path: Path, clock: Clock, model: Model) -> None:
    scored = reranker(tmp_path, clock, budget_s=4.0)
    assert scored.score("一", texts(1, 2)) == [0.01, 0.02]
    with pytest.raises(BudgetExceeded, match=r"5 pairs takes about 5\.0 s of a budget of 4\.0 s") as caught:
        scored.score("二", texts(1, 2, 3, 4, 5))
    assert (caught.value.needed_s, caught.value.budget_s) == (5.0, 4.0)
    assert len(model.batches) == 1
    assert len(scored.score("二", texts(1, 2, 3, 4))) == 4


def test_work_is_ended_between_batches_and_what_was_scored_is_kept(
    tmp_path: Path, clock: Clock, model: Model
) -> None:
    scored = reranker(tmp_path, clock, budget_s=6.0)
    passages = texts(*range(1, 11))
    with pytest.raises(BudgetExceeded):
        scored.score("问", passages)
    assert [len(batch) for batch in model.batches] == [5]
    assert len(scored.score("问", passages)) == 10
    assert [len(batch) for batch in model.batches] == [5, 5]


def test_one_slow_moment_does_not_close_the_reranker(tmp_path: Path, clock: Clock, model: Model) -> None:
    scored = reranker(tmp_path, clock, budget_s=4.0)
    scored.score("一", texts(1))
    for _ in range(5):
        with pytest.raises(BudgetExceeded):
            scored.score("二", texts(1, 2, 3, 4, 5))
    assert len(scored.score("二", texts(1, 2, 3, 4, 5))) == 5


def test_missing_extra_gives_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flag_embedding, "find_spec", lambda _: None)
    with pytest.raises(SetupError, match=r"pip install 'mindatlas\[bge\]'"):
        BgeReranker("BAAI/bge-reranker-v2-m3", budget_s=None)


@pytest.fixture(scope="module")
def real(tiny_bge: Path) -> BgeReranker:
    return BgeReranker(str(tiny_bge / "reranker"), budget_s=None)


@pytest.mark.bge
@pytest.mark.slow
def test_real_scores_lie_in_range_and_depend_on_neither_order_nor_batch(
    tiny_bge: Path, real: BgeReranker
) -> None:
    passages = [*TEXTS, "", "海" * 900, "\ud800", "a", "日月湾"]
    scores = real.score("去哪里冲浪", passages)
    assert all(0 <= score <= 1 for score in scores)
    assert len({round(score, 4) for score in scores}) > 4, "the model tells the passages apart"
    fresh = BgeReranker(str(tiny_bge / "reranker"), budget_s=None)
    alone = [fresh.score("去哪里冲浪", [passage])[0] for passage in reversed(passages)]
    assert alone[::-1] == pytest.approx(scores, abs=1e-4)


@pytest.mark.bge
@pytest.mark.slow
def test_long_query_is_cut_not_refused(real: BgeReranker) -> None:
    assert 0 <= real.score("冲浪" * 900, [TEXTS[0]])[0] <= 1


@pytest.mark.bge
@pytest.mark.slow
def test_model_that_is_no_reranker_is_refused(tiny_bge: Path) -> None:
    with pytest.raises(SetupError, match="no reranker"):
        BgeReranker(str(tiny_bge / "embedder"), budget_s=None).load()


@pytest.mark.bge
@pytest.mark.slow
def test_loading_opens_no_connection(tiny_bge: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    BgeReranker(str(tiny_bge / "reranker"), budget_s=None).load()
