from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.evals.statistics import (
    PairedDifference,
    Verdict,
    discordant_effect,
    discordant_sample_size,
    holm,
    judge_non_inferiority,
    minimum_detectable_effect,
    pass_at_k,
    pass_hat_k,
)
from mindatlas.nodes.errors import UsageError


@given(st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_both_are_the_share_of_all_choices_of_k_runs(numbers: tuple[int, int, int]) -> None:
    n, passed, k = numbers
    choices = list(itertools.combinations([True] * passed + [False] * (n - passed), k))
    assert pass_at_k(n, passed, k) == pytest.approx(sum(map(any, choices)) / len(choices))
    assert pass_hat_k(n, passed, k) == pytest.approx(sum(map(all, choices)) / len(choices))


def test_pass_hat_k_known_values() -> None:
    """C(3, k) / C(4, k): a case that passed three of four runs."""
    assert [pass_hat_k(4, 3, k) for k in (1, 2, 3, 4)] == [0.75, 0.5, 0.25, 0.0]


@pytest.mark.parametrize("estimate", [pass_at_k, pass_hat_k])
@pytest.mark.parametrize(("n", "passed", "k"), [(4, 3, 5), (4, 3, 0), (4, 5, 1), (4, -1, 1)])
def test_more_runs_than_there_were_are_refused(estimate: object, n: int, passed: int, k: int) -> None:
    with pytest.raises(UsageError):
        estimate(n, passed, k)  # type: ignore[operator]


@pytest.mark.parametrize(("n", "points"), [(100, 8.9), (200, 6.3), (400, 4.4)])
def test_detectable_effects_known_values(n: int, points: float) -> None:
    assert round(100 * discordant_effect(0.10, n), 1) == points


@pytest.mark.parametrize(
    ("lift", "share", "pairs"), [(0.02, 0.05, 979), (0.05, 0.10, 312), (0.09, 0.15, 143)]
)
def test_sample_sizes_known_values(lift: float, share: float, pairs: int) -> None:
    assert discordant_sample_size(lift, share) in (pairs, pairs + 1)  # the source rounds, a sample rounds up
    assert discordant_sample_size(-lift, share) == discordant_sample_size(lift, share)


@pytest.mark.parametrize(("lift", "share"), [(0.0, 0.1), (0.2, 0.1), (0.1, 1.5)])
def test_an_impossible_sample_size_is_refused(lift: float, share: float) -> None:
    with pytest.raises(UsageError):
        discordant_sample_size(lift, share)


@pytest.mark.parametrize("se", [-0.1, float("nan")])
def test_an_impossible_standard_error_is_refused(se: float) -> None:
    with pytest.raises(UsageError):
        minimum_detectable_effect(se)


@pytest.mark.parametrize(
    ("mean", "se", "verdict"),
    [
        (0.0, 0.01, "pass"),  # lower bound -0.0164
        (0.0, 0.02, "undecided"),  # -0.0329 .. +0.0329
        (-0.05, 0.01, "regression"),  # upper bound -0.0336
        (-0.05, 0.03, "undecided"),
        (0.10, 0.05, "pass"),
        (0.0, 0.0, "pass"),
        (-0.03, 0.0, "regression"),
        (0.5, None, "undecided"),
    ],
)
def test_the_verdict_follows_the_one_sided_bounds(mean: float, se: float | None, verdict: Verdict) -> None:
    found = judge_non_inferiority(PairedDifference(mean=mean, se=se, n=100), margin=0.02)
    assert found.verdict == verdict
    assert (found.bounds is None) == (se is None)


def test_a_verdict_names_what_it_could_have_seen() -> None:
    found = judge_non_inferiority(PairedDifference(mean=0.0, se=0.02, n=100), margin=0.02)
    assert found.detectable == pytest.approx((1.644854 + 0.841621) * 0.02, abs=1e-6)


def test_a_margin_must_be_above_zero() -> None:
    with pytest.raises(UsageError, match="margin"):
        judge_non_inferiority(PairedDifference(mean=0.0, se=0.1, n=9), margin=0.0)


def test_holm_known_values() -> None:
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert found == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})
    assert list(found) == ["a", "b", "c", "d"]


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_value_and_keeps_their_order(values: dict[str, float]) -> None:
    found = holm(values)
    assert all(values[name] <= found[name] <= 1 for name in values)
    assert all(found[a] <= found[b] for a in values for b in values if values[a] < values[b])


def test_holm_refuses_what_is_no_probability() -> None:
    with pytest.raises(UsageError, match="'a'"):
        holm({"a": 1.5})
