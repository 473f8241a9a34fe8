from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mindatlas.evals.experiments.plan import Arm, Plan, read_plan
from mindatlas.nodes.errors import FileReadError, UsageError
from tests.evals.experiments.results import PROTOCOL, plan_of


def test_odd_repetitions_run_the_baseline_first_and_even_ones_the_candidate() -> None:
    arms = list(plan_of(["a", "b"], repetitions=2).arms())
    assert arms == [
        Arm("a", "baseline", 1),
        Arm("a", "candidate", 1),
        Arm("b", "baseline", 1),
        Arm("b", "candidate", 1),
        Arm("a", "candidate", 2),
        Arm("a", "baseline", 2),
        Arm("b", "candidate", 2),
        Arm("b", "baseline", 2),
    ]


@pytest.mark.parametrize("repetitions", [0, 11, -1, 2.0, 1.5, True, "2", None])
def test_repetitions_are_a_whole_number_from_1_to_10(repetitions: Any) -> None:
    with pytest.raises(UsageError, match="1 to 10"):
        plan_of(repetitions=repetitions)


@pytest.mark.parametrize("cases", [("a", "a"), ("a", ""), ("a", "  "), ("a", 7)])
def test_case_ids_are_unique_and_not_empty(cases: Any) -> None:
    with pytest.raises(UsageError, match="case id"):
        Plan(protocol=PROTOCOL, cases=cases, repetitions=1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"protocol": " "},
        {"variants": ("one",)},
        {"variants": ("one", "one")},
        {"seed": -1},
        {"seed": True},
        {"clusters": {"c0": "x"}},
    ],
)
def test_any_other_impossible_plan_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Plan(**{"protocol": PROTOCOL, "cases": ("c0", "c1"), "repetitions": 1, **wrong})


@pytest.mark.parametrize("suffix", [".json", ".yaml"])
def test_a_plan_comes_back_from_its_file(tmp_path: Path, suffix: str) -> None:
    plan = plan_of(repetitions=3, budget={"cost": 0.5}, switches=({"dimension": "prompt", "key": "k"},))
    path = tmp_path / f"plan{suffix}"
    path.write_text(json.dumps(plan.to_dict()), encoding="utf-8")
    assert read_plan(path) == plan


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"repetitions": 2.0}, "repetitions|Repetitions"),
        ({"cases": ["a", "a"]}, "'a'"),
        ({"cases": [7]}, "cases"),
        ({"budget": {"cost": 0}}, "budget"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_bad_plan_file_is_a_usage_error(tmp_path: Path, wrong: dict[str, Any], named: str) -> None:
    path = tmp_path / "plan.json"
    path.write_text(
        json.dumps({"protocol": PROTOCOL, "cases": ["a"], "repetitions": 1, **wrong}), encoding="utf-8"
    )
    with pytest.raises(UsageError, match=named):
        read_plan(path)


def test_a_missing_plan_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileReadError, match="nowhere"):
        read_plan(tmp_path / "nowhere.json")
