from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.evals.statistics import mcnemar_exact, mcnemar_mid_p, wilson
from mindatlas.nodes.errors import UsageError


def test_wilson_known_value() -> None:
    low, high = wilson(373, 400)
    assert round(low, 4) == 0.9036
    assert round(high, 4) == 0.9532


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_follows_its_formula_and_stays_within_the_unit_interval(counts: tuple[int, int]) -> None:
    passed, n = counts
    z, share = 1.959963984540054, passed / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * (share * (1 - share) / n + z * z / (4 * n * n)) ** 0.5 / (1 + z * z / n)
    low, high = wilson(passed, n)
    assert 0 <= low <= share <= high <= 1
    assert (low, high) == pytest.approx((centre - half, centre + half), abs=1e-9)


@pytest.mark.parametrize(("passed", "n"), [(0, 0), (-1, 5), (6, 5)])
def test_an_impossible_rate_is_refused(passed: int, n: int) -> None:
    with pytest.raises(UsageError, match="no rate"):
        wilson(passed, n)


def test_mcnemar_known_values() -> None:
    assert mcnemar_exact(12, 2) == pytest.approx(0.012939, abs=5e-7)
    assert mcnemar_mid_p(12, 2) == pytest.approx(0.007385, abs=5e-7)


def test_no_change_is_no_evidence() -> None:
    assert mcnemar_exact(0, 0) == mcnemar_mid_p(0, 0) == 1.0


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_binomial_sum_and_knows_no_direction(gained: int, lost: int) -> None:
    changed, fewer = gained + lost, min(gained, lost)
    tail = sum(comb(changed, i) for i in range(fewer + 1)) / 2**changed
    assert mcnemar_exact(gained, lost) == pytest.approx(min(1.0, 2 * tail))
    assert mcnemar_exact(gained, lost) == pytest.approx(mcnemar_exact(lost, gained))
    if changed:
        expected = min(1.0, 2 * tail - comb(changed, fewer) / 2**changed)
        assert mcnemar_mid_p(gained, lost) == pytest.approx(expected)


@pytest.mark.parametrize("test", [mcnemar_exact, mcnemar_mid_p])
def test_a_negative_count_is_refused(test: object) -> None:
    with pytest.raises(UsageError, match="-1"):
        test(-1, 3)  # type: ignore[operator]
