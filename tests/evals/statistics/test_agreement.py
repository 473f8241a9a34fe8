from __future__ import annotations

import pytest

from mindatlas.evals.statistics import cohen_kappa, rogan_gladen
from mindatlas.nodes.errors import UsageError


def test_kappa_known_value() -> None:
    """20 both yes, 5 only the first, 10 only the second, 15 both no: kappa 0.4."""
    ours = [True] * 25 + [False] * 25
    theirs = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    found = cohen_kappa(ours, theirs)
    assert found.kappa == pytest.approx(0.4)
    assert found.agreement == pytest.approx(0.7)
    assert found.base_rates == {False: 0.5, True: 0.5}


def test_high_agreement_at_a_lopsided_base_rate_is_chance() -> None:
    found = cohen_kappa([True] * 95 + [False] * 5, [True] * 100)
    assert found.agreement == 0.95
    assert found.kappa == pytest.approx(0.0)
    assert found.base_rates[True] == 0.95


def test_one_label_only_shows_no_agreement_beyond_chance() -> None:
    assert cohen_kappa(["good"] * 3, ["good"] * 3).kappa is None


@pytest.mark.parametrize(("ours", "theirs"), [([], []), ([1], [1, 2])])
def test_labels_must_pair_up(ours: list[int], theirs: list[int]) -> None:
    with pytest.raises(UsageError):
        cohen_kappa(ours, theirs)


def test_rogan_gladen_known_value() -> None:
    """0.6 seen by a judge of sensitivity 0.9 and specificity 0.8 is (0.6 + 0.8 - 1) / 0.7."""
    found = rogan_gladen((600, 1000), (90, 100), (80, 100))
    assert found is not None
    rate, interval = found
    assert rate == pytest.approx(4 / 7)
    assert interval.low < rate < interval.high


def test_a_perfect_judge_changes_nothing_but_keeps_the_sampling_error() -> None:
    found = rogan_gladen((60, 100), (50, 50), (50, 50))
    assert found is not None
    rate, interval = found
    assert rate == pytest.approx(0.6)
    assert interval.high - interval.low == pytest.approx(2 * 1.959964 * (0.24 / 100) ** 0.5, abs=1e-6)


def test_the_rate_stays_within_the_unit_interval() -> None:
    found = rogan_gladen((5, 100), (90, 100), (80, 100))
    assert found is not None
    assert found[0] == 0.0
    assert 0 <= found[1].low <= found[1].high <= 1


def test_a_judge_no_better_than_chance_recovers_nothing() -> None:
    assert rogan_gladen((50, 100), (50, 100), (50, 100)) is None
