from __future__ import annotations

import itertools
import math
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindatlas.evals.statistics import (
    Interval,
    bootstrap_interval,
    clustered_difference,
    paired_difference,
    sign_flip_p,
)
from mindatlas.nodes.errors import UsageError

DIFFERENCES = st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=2, max_size=30)


@given(DIFFERENCES)
def test_the_standard_error_is_millers(differences: list[float]) -> None:
    found = paired_difference(differences)
    assert found.mean == pytest.approx(statistics.mean(differences), abs=1e-12)
    assert found.se == pytest.approx(statistics.stdev(differences) / math.sqrt(len(differences)), abs=1e-12)


@given(DIFFERENCES)
def test_clusters_of_one_case_give_the_plain_standard_error(differences: list[float]) -> None:
    clustered = clustered_difference(differences, range(len(differences)))
    assert clustered.se == pytest.approx(paired_difference(differences).se, abs=1e-12)


def test_cases_that_move_together_widen_the_error() -> None:
    differences = [1.0, 1.0, 0.0, 0.0, -1.0, -1.0]
    found = clustered_difference(differences, ["a", "a", "b", "b", "c", "c"])
    assert found.se == pytest.approx(
        math.sqrt(3 / 2 * (4 + 4) / 36)
    )  # by hand: sums 2, 0, -2 around the mean 0
    plain = paired_difference(differences).se
    assert plain is not None
    assert found.se is not None
    assert found.se > plain


def test_one_pair_and_one_cluster_estimate_no_error() -> None:
    assert paired_difference([0.5]).se is None
    assert clustered_difference([0.5, 1.0], ["a", "a"]).se is None
    assert bootstrap_interval([0.5], seed=0) is None


@pytest.mark.parametrize("bad", [[], [math.nan], [0.0, math.inf]])
def test_what_is_not_finite_or_not_there_never_enters_a_mean(bad: list[float]) -> None:
    for estimate in (
        paired_difference,
        lambda d: bootstrap_interval(d, seed=0),
        lambda d: sign_flip_p(d, seed=0),
    ):
        with pytest.raises(UsageError):
            estimate(bad)


def test_the_bootstrap_is_seeded_and_covers_the_mean() -> None:
    differences = [1.0] * 12 + [-1.0] * 2 + [number / 1000 - 0.043 for number in range(86)]
    first = bootstrap_interval(differences, seed=7)
    assert first == bootstrap_interval(differences, seed=7)
    assert first != bootstrap_interval(differences, seed=8)
    assert first is not None
    assert 0.0 < first.low < float(np.mean(differences)) < first.high < 0.2


def test_the_percentile_interval_of_many_cases_is_near_the_normal_one() -> None:
    differences = np.tile([1.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0], 125)
    found = paired_difference(differences)
    interval = bootstrap_interval(differences, seed=0)
    assert interval is not None
    assert found.se is not None
    assert interval.low == pytest.approx(found.mean - 1.96 * found.se, abs=0.003)
    assert interval.high == pytest.approx(found.mean + 1.96 * found.se, abs=0.003)


def test_drawing_whole_clusters_widens_the_interval() -> None:
    differences = [1.0] * 5 + [0.0] * 10 + [-1.0] * 5
    clusters = [number // 5 for number in range(20)]
    plain = bootstrap_interval(differences, seed=0)
    clustered = bootstrap_interval(differences, seed=0, clusters=clusters)
    assert plain is not None
    assert clustered is not None
    assert clustered.high - clustered.low > plain.high - plain.low


@settings(max_examples=15, deadline=None)
@given(DIFFERENCES)
def test_swapping_the_arms_mirrors_interval_and_keeps_the_p_value(differences: list[float]) -> None:
    mirrored = [-value for value in differences]
    there, back = bootstrap_interval(differences, seed=1), bootstrap_interval(mirrored, seed=1)
    assert there is not None
    assert back is not None
    assert there.low <= there.high
    assert there == pytest.approx(Interval(-back.high, -back.low), abs=1e-9)
    assert sign_flip_p(differences, seed=1) == pytest.approx(sign_flip_p(mirrored, seed=1))


def test_equal_differences_give_an_interval_of_no_width() -> None:
    assert bootstrap_interval([0.5, 0.5, 0.5], seed=0) == Interval(0.5, 0.5)


def test_too_few_resamples_are_refused() -> None:
    with pytest.raises(UsageError, match="10000"):
        bootstrap_interval([0.0, 1.0], seed=0, resamples=9_999)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=8))
@settings(max_examples=25, deadline=None)
def test_few_cases_are_tested_against_every_choice_of_signs(differences: list[float]) -> None:
    seen = abs(sum(differences))
    signs = list(itertools.product([1, -1], repeat=len(differences)))
    extreme = sum(
        abs(sum(s * d for s, d in zip(sign, differences, strict=True))) >= seen - 1e-9 for sign in signs
    )
    assert sign_flip_p(differences, seed=0) == pytest.approx(extreme / len(signs))


def test_many_cases_are_tested_by_drawn_signs_and_never_give_zero() -> None:
    assert sign_flip_p([1.0] * 100, seed=0) == pytest.approx(1 / 10_001)
