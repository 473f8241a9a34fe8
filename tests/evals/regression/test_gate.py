from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindatlas.evals.cases import Case
from mindatlas.evals.regression.baseline import make_baseline, pinned_path, read_baseline, write_baseline
from mindatlas.evals.regression.gate import Gated, gate
from mindatlas.evals.regression.run import SuiteRun, run_suite
from mindatlas.evals.suite import Suite
from mindatlas.nodes.errors import FileReadError, UsageError
from tests.evals.suites import FakePool, output, refusing, reply, right, write_suite

NAMES = [f"c{number:02}" for number in range(20)]
Replies = Callable[[Case], dict[str, Any]]


def run(suite: Suite, replies: Replies = right) -> SuiteRun:
    return run_suite(suite, pool=FakePool(replies), fresh=True)


def wrong(*names: str) -> Replies:
    """Reply rightly, but to `names` with another passage."""
    return lambda case: reply(output(case.id, "p-other")) if case.id in names else right(case)


def judged(suite: Suite, before: Replies, after: Replies) -> Gated:
    return gate(suite, run(suite, after), {"baseline": make_baseline(run(suite, before), "first", None)})


@pytest.fixture
def suite(tmp_path: Path, home: Path) -> Suite:
    return write_suite(tmp_path, NAMES)


def test_the_same_results_pass(suite: Suite) -> None:
    gated = judged(suite, right, right)
    assert (gated.verdict, gated.exit_code, gated.reasons) == ("pass", 0, ())
    assert gated.against["baseline"].scores == ()


def test_one_case_that_passed_and_fails_is_a_regression_with_its_cause(suite: Suite) -> None:
    gated = judged(suite, right, wrong("c03"))
    assert (gated.verdict, gated.exit_code) == ("regression", 1)
    comparison = gated.against["baseline"]
    (failure,) = comparison.new_failures
    assert (failure.case, failure.reason) == ("c03", "context_recall_at_3 0")
    assert failure.cause == "retrieval: p-c03 is no longer among the candidates, before 1"
    assert any("c03 passed in the baseline and fails" in reason for reason in gated.reasons)
    changed = {(change.case, change.measure): change for change in comparison.scores}
    recall = changed["c03", "context_recall_at_3"]
    assert (recall.before, recall.after, recall.worse) == (1.0, 0.0, True)
    worse = {(mean.case_type, mean.measure) for mean in comparison.means if mean.worse}
    assert {("all", "context_recall_at_3"), ("fact", "unexpected_entity_rate")} <= worse


def test_a_case_that_failed_before_and_passes_is_recovered_and_one_that_still_fails_is_neither(
    suite: Suite,
) -> None:
    gated = judged(suite, wrong("c01", "c02"), wrong("c02"))
    assert gated.verdict == "pass"
    comparison = gated.against["baseline"]
    assert [change.case for change in comparison.recovered] == ["c01"]
    assert comparison.new_failures == ()


def test_a_gain_elsewhere_does_not_buy_a_loss(suite: Suite) -> None:
    assert judged(suite, wrong("c01", "c02"), wrong("c03")).verdict == "regression"


def test_a_mean_that_falls_without_a_failed_case_is_a_regression_beyond_max_drop(
    tmp_path: Path, suite: Suite
) -> None:
    def also_other(case: Case) -> dict[str, Any]:
        return reply(output(case.id, f"p-{case.id}", "p-other")) if case.id == "c05" else right(case)

    gated = judged(suite, right, also_other)
    assert gated.against["baseline"].new_failures == ()
    assert any("unexpected_entity_rate went from 0.000 to 0.025" in reason for reason in gated.reasons)
    text = suite.path.read_text(encoding="utf-8")
    suite.path.write_text(f"{text}max_drop: 0.05\n", encoding="utf-8")
    from mindatlas.evals.suite import read_suite

    assert judged(read_suite(suite.path), right, also_other).verdict == "pass"


def test_a_missed_threshold_is_a_regression_even_where_nothing_changed(suite: Suite) -> None:
    gated = judged(suite, wrong(*NAMES), wrong(*NAMES))
    assert gated.verdict == "regression"
    assert gated.reasons == ("context_recall_at_3 (all) is 0.000, asked >= 0.1",)


def test_a_case_that_could_not_be_scored_makes_the_run_incomplete_not_worse(suite: Suite) -> None:
    gated = judged(
        suite, right, lambda case: reply(None, "TimeoutError: slow") if case.id == "c00" else right(case)
    )
    assert (gated.verdict, gated.exit_code) == ("incomplete", 1)
    assert gated.reasons == ("c00 could not be scored: TimeoutError: slow",)
    assert gated.against["baseline"].matched == len(NAMES) - 1


def test_cases_are_compared_by_content_and_a_dropped_one_is_named(tmp_path: Path, suite: Suite) -> None:
    baseline = make_baseline(run(suite), "first", None)
    fewer = write_suite(tmp_path, [*NAMES[1:], "new"])
    gated = gate(fewer, run(fewer, wrong("new")), {"baseline": baseline})
    assert gated.verdict == "incomplete"
    assert gated.against["baseline"].unmatched == {"added": ("new",), "changed": (), "missing": ("c00",)}
    changed = write_suite(tmp_path, NAMES, query="asked otherwise")
    gated = gate(changed, run(changed), {"baseline": baseline})
    assert gated.verdict == "undecided"
    assert len(gated.against["baseline"].unmatched["changed"]) == len(NAMES)


def test_nothing_is_compared_across_protocol_versions(tmp_path: Path, suite: Suite) -> None:
    baseline = make_baseline(run(suite), "first", None)
    newer = write_suite(tmp_path, NAMES, version=2)
    gated = gate(newer, run(newer, wrong("c01")), {"baseline": baseline})
    assert (gated.verdict, gated.exit_code) == ("undecided", 4)
    assert gated.reasons == ("the baseline is of protocol version 1, the suite of 2",)


def test_a_measure_with_another_formula_is_left_out_and_named(suite: Suite) -> None:
    baseline = make_baseline(run(suite), "first", None)
    baseline["protocol"] = copy.deepcopy(baseline["protocol"])
    baseline["protocol"]["measures"]["context_recall_at_3"] = 0
    comparison = gate(suite, run(suite, wrong("c01")), {"baseline": baseline}).against["baseline"]
    assert comparison.measures_left_out == ("context_recall_at_3",)
    assert "context_recall_at_3" not in {mean.measure for mean in comparison.means}


def test_small_losses_add_up_against_the_pinned_release(suite: Suite) -> None:
    release = make_baseline(run(suite), "release", None)
    lately = make_baseline(run(suite, wrong("c01")), "accepted by hand", release)
    gated = gate(suite, run(suite, wrong("c01")), {"baseline": lately, "release": release})
    assert gated.against["baseline"].new_failures == ()
    assert gated.verdict == "regression"
    assert all("release" in reason for reason in gated.reasons)


@pytest.mark.parametrize(
    ("failing", "verdict", "code"),
    [(0, "pass", 0), (1, "undecided", 4), (12, "regression", 1)],
)
def test_a_suite_with_a_model_is_judged_by_a_one_sided_margin(
    tmp_path: Path, home: Path, failing: int, verdict: str, code: int
) -> None:
    suite = write_suite(tmp_path, NAMES, deterministic=False)
    gated = judged(suite, right, wrong(*NAMES[:failing]))
    assert (gated.verdict, gated.exit_code) == (verdict, code)
    if verdict == "undecided":  # mean -0.05, se 0.05: from -0.132 to +0.032 around a margin of 0.1
        (reason,) = gated.reasons
        assert "one-sided 95 % from -0.132 to +0.032, margin 0.1" in reason
        assert "the smallest loss these data would show is 0.124" in reason


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(before=st.sets(st.sampled_from(NAMES[:5])), after=st.sets(st.sampled_from(NAMES[:5])))
def test_new_failures_and_recovered_trade_places_when_the_runs_do(
    suite: Suite, before: set[str], after: set[str]
) -> None:
    one = judged(suite, wrong(*before), wrong(*after)).against["baseline"]
    other = judged(suite, wrong(*after), wrong(*before)).against["baseline"]
    assert {c.case for c in one.new_failures} == after - before == {c.case for c in other.recovered}
    assert {c.case for c in one.recovered} == before - after


def test_a_baseline_keeps_its_history_and_reads_back(tmp_path: Path, suite: Suite) -> None:
    first = make_baseline(run(suite), "first", None)
    second = make_baseline(run(suite, wrong("c01")), "a rule was wrong", first)
    write_baseline(tmp_path / "b.json", second)
    assert read_baseline(tmp_path / "b.json") == second
    assert [(e["reason"], e["passed"], e["total"]) for e in second["history"]] == [
        ("first", 20, 20),
        ("a rule was wrong", 19, 20),
    ]
    assert pinned_path(tmp_path / "b.json") == tmp_path / "b.release.json"


def test_a_baseline_needs_a_reason_and_a_complete_run(tmp_path: Path, suite: Suite) -> None:
    with pytest.raises(UsageError, match="needs a reason"):
        make_baseline(run(suite), "  ", None)
    with pytest.raises(UsageError, match="incomplete"):
        make_baseline(run(suite, lambda case: reply(None, "away")), "first", None)
    (tmp_path / "b.json").write_text("{}", encoding="utf-8")
    with pytest.raises(FileReadError, match="is no baseline"):
        read_baseline(tmp_path / "b.json")


def test_a_refusal_where_an_answer_was_is_told(suite: Suite) -> None:
    gated = judged(suite, right, lambda case: reply(refusing(case.id)) if case.id == "c07" else right(case))
    (failure,) = gated.against["baseline"].new_failures
    assert failure.reason == "context_recall_at_3 0; refusal_correctness 0"
