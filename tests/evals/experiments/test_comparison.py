from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindatlas.evals.experiments.comparison import Comparison, compare
from mindatlas.evals.experiments.plan import Arm, Plan
from mindatlas.evals.statistics import mcnemar_exact, wilson
from tests.evals.experiments.results import full_lines, line_of, plan_of, rows_of


def experiment(cases: int, gained: int, lost: int, **more: Any) -> Comparison:
    """Return the comparison of cases that all passed but for those that only one variant passed."""
    plan = plan_of(cases, **more)
    failed = {Arm(f"c{number}", "baseline", 1): False for number in range(gained)}
    failed |= {Arm(f"c{number}", "candidate", 1): False for number in range(gained, gained + lost)}
    return compare(plan, rows_of(full_lines(plan, failed)))


def test_one_repetition_is_tested_by_mcnemar() -> None:
    found = experiment(100, gained=12, lost=2)
    assert found.lift is not None
    assert found.lift.points == pytest.approx(10.0)
    assert found.lift.test.name == "mcnemar-exact"
    assert found.lift.test.p == pytest.approx(0.012939, abs=5e-7)
    assert found.lift.detectable == pytest.approx(100 * 2.801585 * math.sqrt(0.14 / 100), abs=1e-3)
    assert found.candidate.rate is not None
    assert found.candidate.rate.interval == pytest.approx(wilson(98, 100))
    assert found.changes is not None
    assert found.changes.gains == tuple(f"c{number}" for number in range(12))
    assert found.changes.losses == ("c12", "c13")


def test_the_lift_is_told_in_percentage_points() -> None:
    headline = experiment(100, gained=12, lost=2).headline
    assert headline.startswith("Lift +10.0 percentage points (95 % interval +")
    assert "98.0 % of runs pass, 88.0 % in the baseline" in headline


def test_flaky_cases_are_not_assessable_with_one_repetition() -> None:
    flaky = experiment(4, 0, 0).baseline.flaky
    assert flaky is not None
    assert flaky.cases is None
    assert flaky.interval is None
    assert flaky.note == "not assessable with one repetition"


def test_repetitions_show_flaky_cases_and_are_tested_by_sign_flips() -> None:
    plan = plan_of(20, repetitions=4)
    failed = {Arm("c0", "candidate", 2): False}
    failed |= {Arm(f"c{n}", "baseline", r): False for n in range(1, 9) for r in range(1, 5)}
    found = compare(plan, rows_of(full_lines(plan, failed)))
    assert found.lift is not None
    assert found.lift.test.name == "sign-flip"
    assert found.lift.points == pytest.approx(100 * (8 - 0.25) / 20)
    assert found.candidate.flaky is not None
    assert found.candidate.flaky.cases == ("c0",)
    assert found.changes is not None
    assert found.changes.gains == tuple(f"c{n}" for n in range(1, 9))
    assert found.changes.losses == ()
    assert found.changes.changed_but_flaky == ("c0",)
    assert found.candidate.pass_hat_k == pytest.approx({1: 0.9875, 2: 0.975, 3: 0.9625, 4: 0.95})
    assert found.candidate.pass_at_k == pytest.approx({1: 0.9875, 2: 1.0, 3: 1.0, 4: 1.0})


def test_the_headline_stays_the_rate_of_single_runs() -> None:
    plan = plan_of(2, repetitions=2)
    found = compare(plan, rows_of(full_lines(plan, {Arm("c0", "candidate", 1): False})))
    assert found.to_dict()["pass_rate"]["candidate"] == 0.75


def test_repetitions_do_not_pass_for_more_cases_in_the_interval() -> None:
    plan = plan_of(50, repetitions=4)
    failed = {Arm(f"c{n}", "candidate", r): False for n in range(10) for r in range(1, 5)}
    found = compare(plan, rows_of(full_lines(plan, failed)))
    assert found.candidate.rate is not None
    assert found.candidate.rate.runs == 200
    assert found.candidate.rate.interval == pytest.approx(wilson(40, 50))


def test_an_effect_of_running_second_is_told() -> None:
    plan = plan_of(2, repetitions=2)
    failed = {Arm("c0", "baseline", 1): False, Arm("c1", "baseline", 1): False}
    found = compare(plan, rows_of(full_lines(plan, failed)))
    assert found.order is not None
    assert found.order.points == 100.0
    assert experiment(4, 0, 0).order is None


def test_unknown_costs_make_the_total_a_lower_bound() -> None:
    plan = plan_of(2)
    lines = full_lines(plan)
    for line, cost in zip(lines, [0.25, None, 0.5, 0.1], strict=True):
        line["cost"] = cost
    found = compare(plan, rows_of(lines))
    assert found.baseline.cost.text == "0.75"
    assert found.candidate.cost.text == ">= 0.1, 1 unknown"


def test_no_change_at_all_still_says_what_could_have_been_missed() -> None:
    lift = experiment(100, 0, 0).lift
    assert lift is not None
    assert lift.points == 0.0
    assert lift.test.p == 1.0
    assert lift.detectable is not None
    assert lift.detectable > 4.0
    assert "no case changed" in lift.detectable_note


def test_cases_of_one_cluster_are_resampled_together() -> None:
    clusters = {f"c{number}": f"book{number // 10}" for number in range(40)}
    alone, together = experiment(40, 10, 0), experiment(40, 10, 0, clusters=clusters)
    assert alone.lift is not None
    assert together.lift is not None
    assert alone.lift.se is not None
    assert together.lift.se is not None
    assert together.lift.se > alone.lift.se
    assert together.lift.test.name == "sign-flip"
    assert together.lift.test.p == 1.0  # one changed workbook of four shows nothing
    assert together.lift.test.mcnemar_p == alone.lift.test.p < 0.01


def test_a_single_case_gets_no_interval_and_no_error() -> None:
    lift = experiment(1, 1, 0).lift
    assert lift is not None
    assert lift.points == 100.0
    assert lift.interval is None
    assert lift.se is None


def test_measures_are_compared_over_the_cases_that_have_both_values() -> None:
    plan = plan_of(4)
    lines = full_lines(plan)
    for line in lines:
        number = int(line["case"][1:])
        value: float | None = number / 4 + (0.1 if line["variant"] == "candidate" else 0.0) * (number + 1)
        line["scores"] = {
            "recall": None if line["case"] == "c3" and line["variant"] == "candidate" else value
        }
    found = compare(plan, rows_of(lines))
    assert found.measures is not None
    (recall,) = found.measures
    assert (recall.pairs, recall.undefined) == (3, 1)
    assert recall.baseline == pytest.approx(0.25)
    assert recall.difference == pytest.approx(0.2)
    assert recall.p is not None
    assert recall.p_holm == recall.p


@pytest.mark.parametrize(
    ("switches", "said"),
    [
        (None, "not recorded"),
        ((), "Nothing differs"),
        (({"dimension": "prompt", "key": "mindtrip/answer"},), "One thing differs: prompt 'mindtrip/answer'"),
        (
            ({"dimension": "tool", "key": "a"}, {"dimension": "tool", "key": "b"}),
            "2 inputs of one dimension differ, and the lift is that of all together: tool 'a', tool 'b'",
        ),
        (
            ({"dimension": "prompt", "key": "a"}, {"dimension": "model", "key": "name"}),
            "2 inputs of 2 dimensions differ, and the lift is that of all together: prompt 'a', model 'name'",
        ),
    ],
)
def test_the_headline_says_what_was_switched(switches: Any, said: str) -> None:
    assert said in experiment(4, 1, 0, switches=switches).headline


def test_the_report_says_what_it_does_not_show() -> None:
    said = " ".join(experiment(4, 1, 0).to_dict()["does_not_show"])
    for words in ("digest", "not randomising", "lead"):
        assert words in said


RESULTS = st.integers(1, 3).flatmap(
    lambda repetitions: st.tuples(
        st.just(repetitions),
        st.lists(
            st.lists(st.booleans(), min_size=2 * repetitions, max_size=2 * repetitions),
            min_size=1,
            max_size=8,
        ),
    )
)


def built(repetitions: int, passed: list[list[bool]]) -> tuple[Plan, list[dict[str, Any]]]:
    """Return a plan and its lines from one row of outcomes for each case, baseline first."""
    plan = plan_of(len(passed), repetitions)
    outcome = {
        Arm(f"c{number}", variant, r): row[side * repetitions + r - 1]
        for number, row in enumerate(passed)
        for side, variant in enumerate(plan.variants)
        for r in range(1, repetitions + 1)
    }
    return plan, full_lines(plan, outcome)


@settings(max_examples=30, deadline=None)
@given(RESULTS, st.randoms(use_true_random=False))
def test_the_order_of_lines_is_irrelevant(results: tuple[int, list[list[bool]]], chance: Any) -> None:
    plan, lines = built(*results)
    shuffled = list(lines)
    chance.shuffle(shuffled)
    assert compare(plan, rows_of(shuffled)).to_dict() == compare(plan, rows_of(lines)).to_dict()


@settings(max_examples=30, deadline=None)
@given(RESULTS)
def test_swapping_the_variants_flips_the_sign(results: tuple[int, list[list[bool]]]) -> None:
    plan, lines = built(*results)
    other = {"baseline": "candidate", "candidate": "baseline"}
    there = compare(plan, rows_of(lines))
    back = compare(plan, rows_of([{**line, "variant": other[line["variant"]]} for line in lines]))
    assert there.lift is not None
    assert back.lift is not None
    assert back.lift.points == pytest.approx(-there.lift.points)
    assert back.lift.test.p == pytest.approx(there.lift.test.p)
    if there.lift.interval is not None and back.lift.interval is not None:
        assert back.lift.interval == pytest.approx((-there.lift.interval.high, -there.lift.interval.low))
    assert there.changes is not None
    assert back.changes is not None
    assert back.changes.gains == there.changes.losses


@settings(max_examples=40, deadline=None)
@given(RESULTS, st.data())
def test_an_incomplete_arm_never_yields_a_headline(results: tuple[int, list[list[bool]]], data: Any) -> None:
    plan, lines = built(*results)
    spoilt = data.draw(st.integers(0, len(lines) - 1))
    change = data.draw(
        st.sampled_from(
            [None, {"passed": None}, {"state": "infra-error"}, {"duration_s": math.nan}, {"protocol": "x"}]
        )
    )
    kept = [line for number, line in enumerate(lines) if number != spoilt]
    if change is not None:
        kept.append({**lines[spoilt], **change})
    found = compare(plan, rows_of(kept)).to_dict()
    assert found["lift_points"] is None
    assert set(found["pass_rate"].values()) == {None}
    assert found["defects"]


def test_the_two_way_table_of_the_test_is_the_one_of_the_cases() -> None:
    lift = experiment(30, gained=5, lost=3).lift
    assert lift is not None
    assert (lift.test.gained, lift.test.lost) == (5, 3)
    assert lift.test.p == mcnemar_exact(5, 3)


def test_a_line_of_another_variant_changes_nothing_but_blocks() -> None:
    plan = plan_of(2)
    found = compare(plan, rows_of([*full_lines(plan), line_of(Arm("c0", "third", 1))]))
    assert not found.complete
