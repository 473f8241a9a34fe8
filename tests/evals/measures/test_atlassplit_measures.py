from __future__ import annotations

from typing import Any

import pytest

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.registry import measures_of, score_all

MEASURES = measures_of("atlassplit")
DONE = Case(id="a", query="q", case_type="count", expected={"kind": "scalar", "value": 3})
REFUSED = Case(
    id="r",
    query="q",
    case_type="refusal",
    expected={"kind": "refusal", "why": "no such column"},
    extra={"must_refuse": True},
)


def output(*error_types: str | None, value: Any = 3, sent_back: int = 0, **fields: Any) -> dict[str, Any]:
    """Return the output of a run whose rounds ended so; None is success, and passes the run."""
    strategies = ("generate", "repair", "change_strategy")
    rounds = [
        {"round": n, "strategy": strategy, "error_type": kind}
        for n, (kind, strategy) in enumerate(zip(error_types, strategies, strict=False), 1)
    ]
    passed = bool(rounds) and rounds[-1]["error_type"] is None
    return {
        "status": "pass" if passed else "failed",
        "stop_reason": "passed" if passed else "rounds_used_up",
        "rounds": rounds,
        "executions": len(rounds),
        "precheck_regenerations": sent_back,
        "result": {"kind": "scalar", "value": value} if passed else None,
        **fields,
    }


def scores(case: Case, made: dict[str, Any]) -> dict[str, float | None]:
    return {name: scored.value for name, scored in score_all(MEASURES, case, made).items()}


def test_a_run_that_succeeds_at_once() -> None:
    found = scores(DONE, output(None))
    assert found["first_execution_success"] == found["first_execution_success_unaided"] == 1
    assert found["success_within_rounds"] == found["result_correctness"] == 1
    assert found["success_round_2"] is found["success_round_3"] is found["error_share_e1"] is None
    assert (found["executions"], found["regenerations"], found["alternative_gain"]) == (1, 0, 0)


def test_what_the_precheck_sent_back_counts_against_the_unaided_success_only() -> None:
    found = scores(DONE, output(None, sent_back=2))
    assert (found["first_execution_success"], found["first_execution_success_unaided"]) == (1, 0)
    assert found["regenerations"] == 2


def test_a_run_gained_by_the_alternative() -> None:
    found = scores(DONE, output("E1", "E3", None))
    assert (found["success_round_2"], found["success_round_3"], found["alternative_gain"]) == (0, 1, 1)
    assert (found["self_heal_rate_e1"], found["self_heal_rate_e3"], found["self_heal_rate_e2"]) == (
        1,
        1,
        None,
    )
    assert (found["error_share_e1"], found["error_share_e3"], found["error_share_e2"]) == (0.5, 0.5, 0)


def test_a_run_that_never_succeeds() -> None:
    found = scores(DONE, output("E1", "E1", "E2"))
    assert (found["success_within_rounds"], found["self_heal_rate_e1"], found["result_correctness"]) == (
        0,
        0,
        0,
    )
    assert found["error_share_e1"] == pytest.approx(2 / 3)
    assert found["silent_error"] == 0


def test_a_run_that_a_rule_stopped_was_not_healed() -> None:
    found = scores(DONE, output("E6"))
    assert (found["success_round_2"], found["success_round_3"]) == (0, None)


def test_a_wrong_result_that_passed_is_a_silent_error() -> None:
    found = scores(DONE, output(None, value=4))
    assert (found["silent_error"], found["result_correctness"], found["success_within_rounds"]) == (1, 0, 1)


def test_a_refusal() -> None:
    refusal = output(status="stopped", stop_reason="refused")
    found = scores(DONE, refusal)
    assert (found["refusal_correctness"], found["result_correctness"], found["silent_error"]) == (0, 0, 0)
    assert found["executions"] is found["success_within_rounds"] is found["first_execution_success"] is None
    right = scores(REFUSED, refusal)
    assert (right["refusal_correctness"], right["result_correctness"], right["silent_error"]) == (1, None, 0)


def test_what_should_be_refused_and_passed_is_a_silent_error_and_giving_up_is_no_refusal() -> None:
    passed = scores(REFUSED, output(None))
    assert (passed["refusal_correctness"], passed["silent_error"]) == (0, 1)
    gave_up = scores(REFUSED, output("E1", "E1", "E1"))
    assert (gave_up["refusal_correctness"], gave_up["silent_error"]) == (0, 0)


def test_what_is_not_defined_says_why() -> None:
    told = score_all(MEASURES, DONE, output(status="stopped", stop_reason="refused"))
    assert all(scored.reason for scored in told.values() if scored.value is None)
