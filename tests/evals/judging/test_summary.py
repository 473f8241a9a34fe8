from __future__ import annotations

import random

import pytest

from mindatlas.evals.judging.costs import Cost, accurate_cost, fast_cost, tiered_cost
from mindatlas.evals.judging.summary import minus_all_accurate, summarise
from mindatlas.evals.judging.tiers import TieredJudge, TierSettings
from tests.evals.judging.scripted_judges import ScriptedJudge, fixed, pair

ALL, NONE = TierSettings(audit_share=1.0), TierSettings(audit_share=0.0)


def test_means_and_lift_are_those_of_the_tiers_that_count() -> None:
    fast = fixed({"a": 0.5, "b": 0.6, "c": 0.1, "d": 0.9})
    accurate = fixed({"c": 0.2, "d": 0.6})
    verdicts = list(TieredJudge(fast, accurate, NONE).judge_all([pair("1", "b", "a"), pair("2", "d", "c")]))
    found = summarise(verdicts, NONE)["metrics"]["faithfulness"]
    assert found["baseline"] == pytest.approx((0.5 + 0.2) / 2)
    assert found["candidate"] == pytest.approx((0.6 + 0.6) / 2)
    assert found["lift"] == pytest.approx((0.1 + 0.4) / 2)
    assert found["tiers"] == {"fast": 1, "accurate": 1}


def test_what_could_not_be_judged_is_no_zero() -> None:
    fast, accurate = fixed({"a": 0.5, "b": None}), fixed({"a": 1.0, "b": None})
    verdicts = list(TieredJudge(fast, accurate, NONE).judge_all([pair("1", "a", "a"), pair("2", "b", "a")]))
    found = summarise(verdicts, NONE)["metrics"]["faithfulness"]
    assert (found["pairs"], found["unscored"], found["candidate"], found["lift"]) == (2, 1, 0.5, 0.0)


def test_the_audit_counts_disagreement_and_missed_changes() -> None:
    fast = fixed({"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.5})
    accurate = fixed({"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.8})
    pairs = [pair("1", "b", "a"), pair("2", "c", "a"), pair("3", "d", "a"), pair("4", "a", "a")]
    audit = summarise(list(TieredJudge(fast, accurate, ALL).judge_all(pairs)), ALL)["metrics"][
        "faithfulness"
    ]["audit"]
    assert (audit["drawn"], audit["unscored"]) == (4, 0)
    assert (audit["disagreement"]["count"], audit["disagreement"]["n"]) == (1, 4)
    assert audit["disagreement"]["interval"] == pytest.approx([0.0456, 0.6994], abs=1e-4)
    assert (audit["missed_changes"]["count"], audit["missed_changes"]["n"]) == (1, 4)
    assert audit["fast_minus_accurate"]["mean"] == pytest.approx(-0.3 / 2 / 4)


def test_the_audit_finds_the_error_rate_that_a_judge_has() -> None:
    truth = {f"t{n}": 0.5 for n in range(4000)}
    noisy = {text: 0.5 + (0.3 if random.Random(text).random() < 0.2 else 0.0) for text in truth}
    settings = TierSettings(audit_share=0.25, seed=1)
    tiers = TieredJudge(fixed(truth), fixed(noisy), settings)
    verdicts = list(tiers.judge_all(pair(text, text, "t0") for text in truth))
    audit = summarise(verdicts, settings)["metrics"]["faithfulness"]["audit"]
    low, high = audit["missed_changes"]["interval"]
    assert 800 < audit["missed_changes"]["n"] < 1200
    assert low < 0.2 < high
    assert high - low < 0.06


def test_nothing_audited_says_nothing() -> None:
    verdicts = list(TieredJudge(fixed({"a": 1.0}), fixed({"a": 1.0}), NONE).judge_all([pair("1", "a", "a")]))
    found = summarise(verdicts, NONE)["metrics"]["faithfulness"]
    assert found["audit"]["disagreement"] == {"count": 0, "n": 0, "share": None, "interval": None}
    assert found["minus_all_accurate"]["difference"] is None


def test_the_difference_to_all_accurate_is_exact_where_both_judged_everything() -> None:
    fast = fixed({"a": 0.5, "b": 0.6, "c": 0.9})
    accurate = fixed({"a": 0.4, "b": 0.3, "c": 0.7})
    verdicts = list(TieredJudge(fast, accurate, ALL).judge_all([pair("1", "b", "a"), pair("2", "c", "a")]))
    found = minus_all_accurate(verdicts)
    assert found["basis"] == "exact"
    tiered, all_accurate = (0.6 + 0.7) / 2, (0.3 + 0.7) / 2
    assert found["difference"] == pytest.approx(tiered - all_accurate)


def test_the_audit_estimates_the_difference_to_all_accurate() -> None:
    rng = random.Random(5)
    texts = {f"t{n}": rng.uniform(0.4, 0.5) for n in range(2000)}
    biased = {text: value + 0.1 for text, value in texts.items()}
    settings = TierSettings(audit_share=0.1)
    tiers = TieredJudge(fixed(biased), fixed(texts), settings)
    found = minus_all_accurate(list(tiers.judge_all(pair(text, text, "t0") for text in texts)))
    assert found["basis"] == "estimated"
    assert 100 < found["judged_by_both"] < 300
    assert found["difference"] == pytest.approx(0.1)


def test_where_every_pair_was_escalated_there_is_no_difference() -> None:
    verdicts = list(TieredJudge(fixed({"a": 1.0}), fixed({"a": 0.0}), NONE).judge_all([pair("1", "a")]))
    assert minus_all_accurate(verdicts) == {"difference": 0.0, "basis": "exact", "judged_by_both": 0}


def test_costs_of_the_three_ways() -> None:
    fast = fixed({"a": 0.5, "b": 0.5, "c": 0.9}, cost=0.01)
    accurate = fixed({"a": 0.5, "b": 0.5, "c": 0.9}, cost=1.0)
    verdicts = list(TieredJudge(fast, accurate, NONE).judge_all([pair("1", "b", "a"), pair("2", "c", "a")]))
    assert fast_cost(verdicts) == Cost(known=0.04)
    assert tiered_cost(verdicts).known == pytest.approx(2.04)
    assert accurate_cost(verdicts) == Cost(known=4.0, estimated=True)


def test_an_unknown_cost_is_never_zero() -> None:
    verdicts = list(
        TieredJudge(fixed({"a": 0.5}, cost=0.01), fixed({"a": 0.5}, cost=None), ALL).judge_all(
            [pair("1", "a", "a")]
        )
    )
    cost = tiered_cost(verdicts)
    assert (cost.known, cost.unknown) == (0.02, 2)
    assert cost.told() == ">= 0.0200 (2 unknown)"


def test_without_a_call_to_estimate_from_the_cost_of_all_accurate_is_not_known() -> None:
    judge = ScriptedJudge(lambda _: 0.5, cost=1.0)
    verdicts = list(TieredJudge(judge, judge, NONE).judge_all([pair("1", "a", "a")]))
    assert accurate_cost(verdicts) is None
    assert summarise(verdicts, NONE)["costs"]["all_accurate"] is None
