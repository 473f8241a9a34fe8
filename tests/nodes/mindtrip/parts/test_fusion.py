from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.mindtrip.parts.fusion import cap_per_source, fuse, ranks

NAMES = ["a", "b", "c", "d"]


def scored(*scores: float) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.array(scores, dtype=np.float32)


def test_ranks_start_at_one_and_leave_out_what_scored_nothing() -> None:
    assert ranks(scored(0.2, 0.9, 0.0, 0.5), NAMES, top=10) == {1: 1, 3: 2, 0: 3}


def test_equal_scores_rank_by_name() -> None:
    assert ranks(scored(0.5, 0.5, 0.9, 0.5), ["d", "c", "b", "a"], top=10) == {2: 1, 3: 2, 1: 3, 0: 4}


def test_a_tie_at_the_cut_is_decided_by_name() -> None:
    assert ranks(scored(0.5, 0.9, 0.5, 0.5), ["d", "a", "c", "b"], top=2) == {1: 1, 3: 2}


@pytest.mark.parametrize("scores", [(0.0, 0.0, 0.0, 0.0), (-1.0, -0.5, 0.0, -0.1)])
def test_a_leg_that_found_nothing_ranks_nothing(scores: tuple[float, ...]) -> None:
    assert ranks(scored(*scores), NAMES, top=10) == {}


def test_no_rows() -> None:
    assert ranks(scored(), [], top=10) == {}


def test_fused_scores_by_hand() -> None:
    fused = fuse({"bm25": {0: 1, 1: 2}, "dense": {1: 1, 2: 2}}, {"bm25": 1.0, "dense": 0.5})
    assert fused == {
        0: pytest.approx(1 / 61),
        1: pytest.approx(1 / 62 + 0.5 / 61),
        2: pytest.approx(0.5 / 62),
    }


def test_an_empty_leg_contributes_nothing() -> None:
    weights = {"bm25": 1.0, "dense": 1.0, "metadata": 1.0}
    both = fuse({"bm25": {0: 1, 1: 2}, "dense": {}, "metadata": {}}, weights)
    assert both == fuse({"bm25": {0: 1, 1: 2}}, weights)
    assert fuse({}, weights) == {}


def test_a_source_is_capped_and_the_order_kept() -> None:
    sources = ["x", "x", "y", "x", "y"]
    assert cap_per_source([4, 0, 1, 3, 2], sources, cap=2) == [4, 0, 1, 2]
    assert cap_per_source([], sources, cap=2) == []


@given(
    st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 0.75, 1.0]), max_size=30),
    st.integers(min_value=1, max_value=40),
)
def test_the_cut_changes_no_rank(scores: list[float], top: int) -> None:
    """The best `top` of a list rank as they do in the whole list, however many scores are equal."""
    names = [f"{(row * 7) % 31:02}" for row in range(len(scores))]
    array = np.array(scores, dtype=np.float32)
    whole = ranks(array, names, top=len(scores) + 1)
    assert ranks(array, names, top=top) == {row: rank for row, rank in whole.items() if rank <= top}
    assert sorted(whole.values()) == list(range(1, sum(score > 0 for score in scores) + 1))
