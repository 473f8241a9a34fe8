from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.evals.judging.judge import Judged
from mindatlas.evals.judging.tiers import TieredJudge, TierSettings, reason_for
from mindatlas.nodes.errors import UsageError
from tests.evals.judging.scripted_judges import fixed, pair

NO_AUDIT = TierSettings(audit_share=0.0)
VALUES = {"a": 0.5, "near": 0.6, "far": 0.65, "worse": 0.1, "none": None}


@pytest.mark.parametrize(
    ("candidate", "baseline", "tier", "why"),
    [
        ("near", "a", "fast", "small_change"),
        ("far", "a", "accurate", "change"),
        ("worse", "a", "accurate", "change"),
        ("a", "far", "accurate", "change"),
        ("a", None, "accurate", "no_baseline"),
        ("none", "a", "accurate", "fast_failed"),
        ("a", "none", "accurate", "fast_failed"),
    ],
)
def test_the_accurate_judge_counts_where_the_change_is_large_or_unknown(
    candidate: str, baseline: str | None, tier: str, why: str
) -> None:
    fast, accurate = fixed(VALUES), fixed(dict.fromkeys(VALUES, 1.0))
    verdict = TieredJudge(fast, accurate, NO_AUDIT).judge(pair("c", candidate, baseline))
    assert (verdict.tier, verdict.why, verdict.audited) == (tier, why, False)
    assert len(accurate.asked) == (0 if tier == "fast" else 1 if baseline is None else 2)


def test_the_threshold_itself_counts_as_a_change() -> None:
    assert reason_for((Judged(value=0.70), Judged(value=0.85)), 0.15) == "change"
    assert reason_for((Judged(value=0.85), Judged(value=0.70)), 0.15) == "change"
    assert reason_for((Judged(value=0.70), Judged(value=0.8499)), 0.15) == "small_change"


@given(st.lists(st.tuples(st.floats(0, 1), st.none() | st.floats(0, 1)), max_size=20), st.floats(0, 1))
def test_both_arms_of_a_pair_count_at_the_same_tier(
    values: list[tuple[float, float | None]], audit_share: float
) -> None:
    script: dict[str, float | None] = {}
    pairs = []
    for at, (candidate, baseline) in enumerate(values):
        script |= {f"c{at}": candidate, f"b{at}": baseline}
        pairs.append(pair(str(at), f"c{at}", f"b{at}"))
    accurate = fixed(dict.fromkeys(script, 0.25))
    tiers = TieredJudge(fixed(script), accurate, TierSettings(audit_share=audit_share))
    for verdict in tiers.judge_all(pairs):
        assert len(verdict.counted) == 2
        assert verdict.counted in (verdict.fast, verdict.accurate)
        assert (verdict.tier == "accurate") == (verdict.why != "small_change")


def test_the_audit_is_judged_by_both_and_changes_no_tier() -> None:
    fast, accurate = fixed({"a": 0.5, "b": 0.5}), fixed({"a": 0.9, "b": 0.1})
    verdict = TieredJudge(fast, accurate, TierSettings(audit_share=1.0)).judge(pair("c", "a", "b"))
    assert (verdict.tier, verdict.audited) == ("fast", True)
    assert [judged.value for judged in verdict.accurate] == [0.1, 0.9]
    assert [judged.value for judged in verdict.counted] == [0.5, 0.5]


def test_the_audit_draws_its_share_by_seed_case_and_metric_alone() -> None:
    settings = TierSettings(audit_share=0.05, seed=3)
    drawn = [settings.audited(f"case-{n}", "relevance") for n in range(10_000)]
    assert sum(drawn) / len(drawn) == pytest.approx(0.05, abs=0.007)
    assert drawn == [TierSettings(seed=3).audited(f"case-{n}", "relevance") for n in range(10_000)]
    assert drawn != [TierSettings(seed=4).audited(f"case-{n}", "relevance") for n in range(10_000)]
    assert drawn != [settings.audited(f"case-{n}", "faithfulness") for n in range(10_000)]


def test_one_judge_alone_escalates_and_audits_nothing() -> None:
    verdict = TieredJudge(fixed(VALUES), None, TierSettings(audit_share=1.0)).judge(pair("c", "far", "a"))
    assert (verdict.tier, verdict.why, verdict.audited, verdict.accurate) == ("fast", "only_judge", False, ())


def test_the_hash_changes_with_judges_and_rules() -> None:
    def hash_of(settings: TierSettings, accurate: bool = True) -> str:
        judge = fixed(VALUES) if accurate else None
        return str(TieredJudge(fixed(VALUES), judge, settings).identity()["sha256"])

    assert hash_of(TierSettings()) == hash_of(TierSettings())
    assert (
        len({hash_of(TierSettings()), hash_of(TierSettings(seed=1)), hash_of(TierSettings(change=0.2))}) == 3
    )
    assert hash_of(TierSettings(), accurate=False) != hash_of(TierSettings())


@pytest.mark.parametrize(
    "wrong", [{"change": 0.0}, {"change": 1.1}, {"audit_share": -0.1}, {"audit_share": 1.1}]
)
def test_impossible_rules_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError, match="must lie"):
        TierSettings(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [1.01, -0.01, float("nan"), float("inf")])
def test_a_value_outside_the_range_is_a_bug(value: float) -> None:
    with pytest.raises(ValueError, match="must lie in"):
        Judged(value=value)
