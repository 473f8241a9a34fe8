from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from mindatlas import prompts
from mindatlas.evals.cases import Case
from mindatlas.evals.experiments.completeness import check
from mindatlas.evals.experiments.execution import Contestant, Verdict, run_plan
from mindatlas.evals.experiments.observations import ObservationLog, read_rows
from mindatlas.evals.experiments.plan import Plan
from mindatlas.evals.runners import RunOutput
from mindatlas.nodes.errors import SetupError, UsageError
from tests.evals.experiments.results import plan_of

CASES = [Case(id=f"c{number}", query="?", case_type="any") for number in range(2)]


@dataclass
class Scripted:
    """A runner that gives what it is told to, and keeps the order in which it was asked."""

    give: Callable[[Case], RunOutput]
    asked: list[str] = field(default_factory=list)

    def run(self, case: Case) -> RunOutput:
        self.asked.append(case.id)
        return self.give(case)

    def identity(self) -> dict[str, Any]:
        return {}


def good(case: Case) -> RunOutput:
    return RunOutput(output={"answer": case.id}, duration_s=0.5, cost=0.1)


def passes(case: Case, output: Mapping[str, Any]) -> Verdict:
    return Verdict(passed=True, scores={"recall": 1.0})


def run(
    folder: Path,
    plan: Plan,
    give: Callable[[Case], RunOutput] = good,
    *,
    retry: bool = False,
    judge: Any = passes,
) -> list[dict[str, Any]]:
    """Run a plan whose candidate is `give`, and return all lines."""
    contestants = {
        "baseline": Contestant(runner=Scripted(good)),
        "candidate": Contestant(runner=Scripted(give)),
    }
    log = ObservationLog(folder / "observations.jsonl")
    run_plan(plan, CASES, contestants, judge, log, retry_errors=retry)
    return [dict(row.data or {}) for row in read_rows(log.path)]


def test_runs_are_kept_in_the_order_of_the_plan(tmp_path: Path) -> None:
    plan = plan_of(2, repetitions=2)
    lines = run(tmp_path, plan)
    assert [(line["case"], line["variant"], line["repetition"]) for line in lines] == [*plan.arms()]
    assert check(plan, read_rows(tmp_path / "observations.jsonl")).complete


def test_an_error_of_the_infrastructure_is_no_failure(tmp_path: Path) -> None:
    lines = run(tmp_path, plan_of(2), lambda case: RunOutput(output=None, duration_s=0.1, error="timeout"))
    candidate = [line for line in lines if line["variant"] == "candidate"]
    assert {(line["state"], line["passed"], line["reason"]) for line in candidate} == {
        ("infra-error", None, "timeout")
    }


def test_a_bug_in_one_run_leaves_the_others(tmp_path: Path) -> None:
    def breaks(case: Case) -> RunOutput:
        if case.id == "c0":
            raise ZeroDivisionError("division by zero")
        return good(case)

    lines = run(tmp_path, plan_of(2), breaks)
    assert [line["state"] for line in lines] == ["scored", "infra-error", "scored", "scored"]
    assert lines[1]["reason"] == "ZeroDivisionError: division by zero"


def test_missing_set_up_ends_the_run_at_once(tmp_path: Path) -> None:
    def unset(case: Case) -> RunOutput:
        raise SetupError("no key")

    with pytest.raises(SetupError):
        run(tmp_path, plan_of(2), unset)


def test_only_runs_that_broke_off_are_made_again(tmp_path: Path) -> None:
    plan = plan_of(2)
    first = run(tmp_path, plan, lambda case: RunOutput(output=None, duration_s=0.1, error="timeout"))
    assert run(tmp_path, plan) == first
    lines = run(tmp_path, plan, retry=True)
    assert [line["attempt"] for line in lines] == [1, 1, 1, 1, 2, 2]
    found = check(plan, read_rows(tmp_path / "observations.jsonl"))
    assert found.complete
    assert found.retried == 2


@pytest.mark.parametrize(
    ("budget", "reason"),
    [
        ({"duration_s": 0.4}, "duration_s 0.5 > 0.4"),
        ({"cost": 0.05}, "cost 0.1 > 0.05"),
        ({"tokens": 9}, "tokens 10 > 9"),
    ],
)
def test_more_than_the_budget_is_a_scored_failure(
    tmp_path: Path, budget: dict[str, float], reason: str
) -> None:
    usage = {"input_tokens": 6, "output_tokens": 4, "cost": 0.1}
    lines = run(
        tmp_path,
        plan_of(2, budget=budget),
        lambda case: RunOutput(output={"usage": usage}, duration_s=0.5, cost=0.1),
    )
    line = next(line for line in lines if line["variant"] == "candidate")
    assert (line["state"], line["passed"], line["budget_exceeded"]) == ("scored", False, True)
    assert reason in line["reason"]


def test_what_cannot_be_checked_against_the_budget_is_not_scored(tmp_path: Path) -> None:
    plan = plan_of(2, budget={"cost": 1.0})
    lines = run(tmp_path, plan, lambda case: RunOutput(output={}, duration_s=0.1, cost=None))
    line = next(line for line in lines if line["variant"] == "candidate")
    assert (line["passed"], line["budget_exceeded"]) == (None, False)
    assert "cost is not known" in line["reason"]


def test_what_no_measure_says_anything_about_is_not_scored(tmp_path: Path) -> None:
    lines = run(
        tmp_path, plan_of(2), judge=lambda case, output: Verdict(passed=None, scores={}, reason="nothing")
    )
    assert {line["passed"] for line in lines} == {None}
    assert {row.kind for row in check(plan_of(2), read_rows(tmp_path / "observations.jsonl")).defects} == {
        "unscored"
    }


def test_a_second_writer_is_kept_out(tmp_path: Path) -> None:
    with FileLock(tmp_path / "observations.jsonl.lock"), pytest.raises(UsageError, match="another run"):
        run(tmp_path, plan_of(2))


def test_lines_of_another_protocol_are_neither_counted_nor_lost(tmp_path: Path) -> None:
    run(tmp_path, Plan(protocol="old", cases=("c0", "c1"), repetitions=1))
    assert len(run(tmp_path, plan_of(2))) == 8


def test_a_variant_reads_its_own_prompts_and_leaves_the_files_alone() -> None:
    seen = []

    def look(case: Case) -> RunOutput:
        seen.append(prompts.source("mindtrip/answer"))
        return good(case)

    text = "Answer $question in $language."
    Contestant(runner=Scripted(look), prompts={"mindtrip/answer": text}).run(CASES[0])
    Contestant(runner=Scripted(look)).run(CASES[0])
    assert seen[0] == text
    assert seen[1] == prompts.source("mindtrip/answer") != text


def test_a_text_with_a_variable_that_is_not_given_is_refused() -> None:
    contestant = Contestant(runner=Scripted(good), prompts={"mindtrip/answer": "$colour"})
    with pytest.raises(UsageError, match="colour"):
        contestant.run(CASES[0])
