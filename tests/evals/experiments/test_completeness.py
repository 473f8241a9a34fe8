"""Each defect is named, and blocks the headline on its own."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mindatlas.evals.experiments.comparison import Comparison, compare
from mindatlas.evals.experiments.observations import Row
from mindatlas.evals.experiments.plan import Arm
from tests.evals.experiments.results import full_lines, line_of, plan_of, rows_of

LAST = Arm("c3", "candidate", 1)


def damaged(**change: Any) -> Comparison:
    """Return the comparison of a full experiment whose last run says `change`."""
    plan = plan_of()
    lines = full_lines(plan)
    assert Arm(lines[-1]["case"], lines[-1]["variant"], lines[-1]["repetition"]) == LAST
    return compare(plan, rows_of([*lines[:-1], {**lines[-1], **change}]))


def assert_blocked(found: Comparison, kind: str, detail: str = "", valid: int = 7) -> None:
    """Check that one defect of `kind` is named, that there is no headline, and that the valid rows are kept."""
    defect = next(defect for defect in found.defects if defect.kind == kind)
    assert detail in defect.detail
    assert not found.complete
    report = found.to_dict()
    assert report["lift_points"] is None
    assert report["lift"] is None
    assert report["pass_rate"] == {"baseline": None, "candidate": None}
    assert report["changes"] is None
    assert report["measures"] is None
    assert report["headline"].startswith("No headline")
    assert kind in report["headline"]
    assert len(report["rows"]) == valid


def test_a_full_experiment_has_a_headline() -> None:
    found = compare(plan_of(), rows_of(full_lines(plan_of())))
    assert found.complete
    assert found.to_dict()["pass_rate"] == {"baseline": 1.0, "candidate": 1.0}


def test_a_missing_result() -> None:
    found = compare(plan_of(), rows_of(full_lines(plan_of())[:-1]))
    assert_blocked(found, "missing")
    assert (found.defects[0].case, found.defects[0].variant, found.defects[0].repetition) == LAST


def test_a_duplicate_even_an_equal_one() -> None:
    lines = full_lines(plan_of())
    assert_blocked(compare(plan_of(), rows_of([*lines, lines[-1]])), "duplicate", "lines 8, 9")


def test_an_unscored_result() -> None:
    assert_blocked(damaged(passed=None, reason="no measure is defined"), "unscored", "no measure is defined")


def test_an_unknown_state_is_no_score() -> None:
    assert_blocked(damaged(state="done"), "unscored", "'done'")


def test_an_infra_error() -> None:
    found = damaged(state="infra-error", passed=None, reason="429 too many requests")
    assert_blocked(found, "infra-error", "429")


@pytest.mark.parametrize("passed", [1, 0, "true", 0.5, math.nan])
def test_a_pass_that_is_no_boolean(passed: object) -> None:
    assert_blocked(damaged(passed=passed), "invalid-metric", "passed is")


@pytest.mark.parametrize("exceeded", [None, 0, "no"])
def test_a_budget_flag_that_is_no_boolean(exceeded: object) -> None:
    assert_blocked(damaged(budget_exceeded=exceeded), "invalid-metric", "budget_exceeded is")


@pytest.mark.parametrize("duration", [-0.1, math.nan, math.inf, None, "1", True])
def test_a_duration_that_is_no_amount(duration: object) -> None:
    assert_blocked(damaged(duration_s=duration), "invalid-metric", "duration_s is")


@pytest.mark.parametrize("cost", [-0.1, math.nan, math.inf, "1", False])
def test_a_cost_that_is_no_amount(cost: object) -> None:
    assert_blocked(damaged(cost=cost), "invalid-metric", "cost is")


@pytest.mark.parametrize("score", [-0.1, math.nan, "high", True])
def test_a_score_that_is_no_amount(score: object) -> None:
    assert_blocked(damaged(scores={"recall": score}), "invalid-metric", "score 'recall' is")


@pytest.mark.parametrize("scores", [[], "0.5", None])
def test_scores_that_are_no_object(scores: object) -> None:
    assert_blocked(damaged(scores=scores), "invalid-metric", "scores is")


def test_a_score_or_cost_that_is_not_known_is_no_defect() -> None:
    assert damaged(scores={"recall": None}, cost=None).complete


def test_a_run_that_exceeded_the_budget_and_passed() -> None:
    plan = plan_of(budget={"duration_s": 1.0})
    lines = full_lines(plan)
    lines[-1]["budget_exceeded"] = True
    assert_blocked(compare(plan, rows_of(lines)), "invalid-metric", "passed although")


def test_a_budget_that_stands_in_no_protocol_cannot_be_exceeded() -> None:
    assert_blocked(damaged(budget_exceeded=True, passed=False), "invalid-metric", "no budget")


def test_a_budget_of_the_protocol_makes_a_scored_failure_counted_beside_the_headline() -> None:
    plan = plan_of(budget={"duration_s": 1.0})
    lines = full_lines(plan)
    lines[-1] |= {"budget_exceeded": True, "passed": False}
    found = compare(plan, rows_of(lines))
    assert found.complete
    assert found.candidate.budget_exceeded == 1
    assert found.baseline.budget_exceeded == 0
    assert found.to_dict()["pass_rate"]["candidate"] == 0.75


def test_without_a_budget_none_is_counted() -> None:
    assert damaged().candidate.budget_exceeded is None


@pytest.mark.parametrize(
    "arm", [Arm("other", "candidate", 1), Arm("c0", "third", 1), Arm("c0", "candidate", 2)]
)
def test_a_run_that_was_not_planned(arm: Arm) -> None:
    lines = [*full_lines(plan_of()), line_of(arm)]
    assert_blocked(compare(plan_of(), rows_of(lines)), "unplanned", valid=8)


@pytest.mark.parametrize("protocol", ["q" * 64, None])
def test_a_result_of_another_protocol(protocol: object) -> None:
    found = damaged(protocol=protocol)
    assert_blocked(found, "other-protocol", repr(protocol))
    assert {defect.kind for defect in found.defects} == {"other-protocol", "missing"}


def test_a_line_that_cannot_be_read() -> None:
    rows = rows_of(full_lines(plan_of()))
    found = compare(plan_of(), [*rows, Row(line=9, data=None, fault="no JSON: cut")])
    assert_blocked(found, "unreadable", "line 9", valid=8)


def test_a_line_without_a_case_cannot_be_placed() -> None:
    rows = rows_of([*full_lines(plan_of()), {"protocol": "p" * 64, "state": "scored"}])
    assert_blocked(compare(plan_of(), rows), "unreadable", valid=8)


def test_an_empty_plan_is_never_complete() -> None:
    assert_blocked(compare(plan_of(0), []), "empty-plan", valid=0)


def test_every_defect_is_named_at_once() -> None:
    lines = full_lines(plan_of())
    lines[0]["passed"] = None
    lines[1]["duration_s"] = -1
    found = compare(plan_of(), rows_of([*lines[:-1], lines[2]]))
    assert [defect.kind for defect in found.defects] == ["duplicate", "invalid-metric", "missing", "unscored"]
    assert found.headline == "No headline: 1 duplicate, 1 invalid-metric, 1 missing, 1 unscored"
    assert len(found.to_dict()["rows"]) == 4


def test_an_infra_error_that_was_tried_again_counts_once_and_is_told() -> None:
    lines = full_lines(plan_of())
    failed = {**lines[-1], "state": "infra-error", "passed": None, "attempt": 1}
    found = compare(plan_of(), rows_of([*lines[:-1], failed, {**lines[-1], "attempt": 2}]))
    assert found.complete
    assert found.retried == 1


def test_a_scored_run_may_not_be_tried_again() -> None:
    lines = full_lines(plan_of())
    found = compare(plan_of(), rows_of([*lines, {**lines[-1], "attempt": 2}]))
    assert_blocked(found, "duplicate")
