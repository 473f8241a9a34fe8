"""Running a plan: one run at a time, in the plan's order, each kept before the next begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.experiments.observations import Observation, ObservationLog, read_rows
from mindatlas.evals.experiments.plan import Arm, Plan
from mindatlas.evals.runners import CaseRunner, RunOutput
from mindatlas.nodes.errors import MindatlasError
from mindatlas.prompts import replaced

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether an output passes; `passed` is None where it could not be scored, and `reason` says why."""

    passed: bool | None
    scores: Mapping[str, float | None]
    reason: str = ""


Judge = Callable[[Case, Mapping[str, Any]], Verdict]


@dataclass(frozen=True, kw_only=True)
class Contestant:
    """A variant that is ready to run: its runner, and the texts it uses instead of the prompts' files."""

    runner: CaseRunner
    prompts: Mapping[str, str] = field(default_factory=dict)

    def run(self, case: Case) -> RunOutput:
        """Return what the variant gives for `case`."""
        with replaced(self.prompts):
            return self.runner.run(case)


def run_plan(
    plan: Plan,
    cases: Sequence[Case],
    contestants: Mapping[str, Contestant],
    judge: Judge,
    log: ObservationLog,
    *,
    retry_errors: bool = False,
    progress: Progress | None = None,
) -> None:
    """Make every run of `plan` that `log` does not hold yet, and append its observation.

    Args:
        plan: which runs, in which order.
        cases: all of the plan's.
        contestants: by variant.
        judge: scores an output.
        log: where observations go; a torn last line is made anew.
        retry_errors: make runs again that ended as infra errors.
        progress: told how many runs of how many are done.
    """
    by_id = {case.id: case for case in cases}
    arms = list(plan.arms())
    with log.open():
        kept = _kept(plan, log)
        for number, arm in enumerate(arms, start=1):
            attempts, failed = kept.get(arm, (0, False))
            if not attempts or (retry_errors and failed):
                log.append(
                    _observe(plan, arm, by_id[arm.case], contestants[arm.variant], judge, attempts + 1)
                )
            if progress is not None:
                progress(number, len(arms))


def _kept(plan: Plan, log: ObservationLog) -> dict[Arm, tuple[int, bool]]:
    """Return the attempts of each run in the log, and whether the last was an infra error."""
    kept: dict[Arm, tuple[int, bool]] = {}
    for row in read_rows(log.path) if log.path.exists() else []:
        data = row.data or {}
        if data.get("protocol") == plan.protocol:
            arm = Arm(data["case"], data["variant"], data["repetition"])
            kept[arm] = (kept.get(arm, (0, False))[0] + 1, data["state"] == "infra-error")
    return kept


def _observe(
    plan: Plan, arm: Arm, case: Case, contestant: Contestant, judge: Judge, attempt: int
) -> Observation:
    """Return the observation of one run. A bug in a graph or a measure is no failure of what is compared."""
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    done = RunOutput(output=None, duration_s=0.0)
    verdict, exceeded = Verdict(passed=None, scores={}), ""
    try:
        done = contestant.run(case)
        if broken := done.error or ("" if done.output is not None else "no output"):
            verdict = replace(verdict, reason=broken)
        else:
            verdict, exceeded = _within(plan.budget or {}, done, judge(case, done.output or {}))
    except MindatlasError:
        raise  # wrong use or missing set-up: every further run would end the same
    except Exception as bug:  # the other runs are worth having, and this one blocks the headline
        broken = f"{type(bug).__name__}: {bug}"
        verdict = replace(verdict, reason=broken)
    return Observation(
        protocol=plan.protocol,
        arm=arm,
        attempt=attempt,
        state="infra-error" if broken else "scored",
        passed=verdict.passed,
        budget_exceeded=None if broken else bool(exceeded),
        duration_s=round(done.duration_s, 6),
        cost=done.cost,
        reason=verdict.reason,
        scores=verdict.scores,
        started=started,
    )


def _within(budget: Mapping[str, float], done: RunOutput, verdict: Verdict) -> tuple[Verdict, str]:
    """Return the verdict under the budget, and what was exceeded: a scored failure, whatever came out."""
    exceeded, unknown = over_budget(budget, done)
    if exceeded:
        return replace(verdict, passed=False, reason=exceeded), exceeded
    return (replace(verdict, passed=None, reason=unknown) if unknown else verdict), ""


def over_budget(budget: Mapping[str, float], done: RunOutput) -> tuple[str, str]:
    """Return which limits a run exceeded, and which cannot be checked; empty where there is none."""
    usage = (done.output or {}).get("usage")
    tokens = usage["input_tokens"] + usage["output_tokens"] if usage else None
    spent: dict[str, float | None] = {"duration_s": done.duration_s, "cost": done.cost, "tokens": tokens}
    over = [
        f"{name} {spent[name]:g} > {limit:g}" for name, limit in budget.items() if (spent[name] or 0) > limit
    ]
    unknown = [name for name in budget if spent[name] is None]
    exceeded = f"budget exceeded: {', '.join(over)}" if over else ""
    return exceeded, f"the budget cannot be checked: {', '.join(unknown)} is not known" if unknown else ""
