"""Which observations count, and everything that is wrong with the rest: each defect is named, none is passed over."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mindatlas.evals.experiments.observations import Row
from mindatlas.evals.experiments.plan import Arm, Plan

DefectKind = Literal[
    "empty-plan",
    "missing",
    "duplicate",
    "unscored",
    "infra-error",
    "invalid-metric",
    "unplanned",
    "other-protocol",
    "unreadable",
]


@dataclass(frozen=True, kw_only=True, order=True)
class Defect:
    """One reason why there is no headline.

    Attributes:
        case: empty where the defect concerns no single run.
        detail: what was found, and where.
    """

    kind: DefectKind
    case: str = ""
    variant: str = ""
    repetition: int = 0
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A valid result of one run."""

    passed: bool
    budget_exceeded: bool
    duration_s: float
    cost: float | None
    scores: Mapping[str, float | None]


@dataclass(frozen=True, kw_only=True)
class Checked:
    """The valid results by run, and the defects in a fixed order, whatever the order of the lines.

    Attributes:
        retried: attempts that ended as infra errors and were made again.
    """

    valid: dict[Arm, Outcome]
    defects: tuple[Defect, ...]
    retried: int = 0

    @property
    def complete(self) -> bool:
        """Whether every planned run has exactly one valid result, and there is nothing else."""
        return not self.defects


def check(plan: Plan, rows: Iterable[Row]) -> Checked:
    """Return the valid results of `plan` among `rows`, and all defects."""
    planned = dict.fromkeys(plan.arms())
    defects: list[Defect] = [] if planned else [Defect(kind="empty-plan", detail="the plan holds no case")]
    found: dict[Arm, list[Row]] = defaultdict(list)
    for row in rows:
        arm, defect = _place(plan, planned, row)
        if arm is None:
            defects += [defect] if defect else []
        else:
            found[arm].append(row)
    valid: dict[Arm, Outcome] = {}
    retried = 0
    for arm in planned:
        outcome, faults = _settle(plan, arm, found.get(arm, []))
        defects += faults
        if outcome is not None:
            valid[arm] = outcome
            retried += len(found[arm]) - 1
    return Checked(valid=valid, defects=tuple(sorted(defects)), retried=retried)


def _place(plan: Plan, planned: Mapping[Arm, None], row: Row) -> tuple[Arm | None, Defect | None]:
    """Return the planned run that a line belongs to, or why it belongs to none."""
    data = row.data
    if data is None:
        return None, Defect(kind="unreadable", detail=f"line {row.line}: {row.fault}")
    case, variant, repetition = (data.get(name) for name in Arm._fields)
    if not (isinstance(case, str) and isinstance(variant, str) and type(repetition) is int):
        detail = f"line {row.line} needs a case, a variant and a whole repetition"
        return None, Defect(kind="unreadable", detail=detail)
    arm = Arm(case, variant, repetition)
    if data.get("protocol") != plan.protocol:
        return None, _defect("other-protocol", arm, f"line {row.line} has {data.get('protocol')!r}")
    if arm not in planned:
        return None, _defect("unplanned", arm, f"line {row.line}")
    return arm, None


def _settle(plan: Plan, arm: Arm, rows: Sequence[Row]) -> tuple[Outcome | None, list[Defect]]:
    """Return the one valid result of a run, or its defects.

    Several lines are one result only as numbered attempts, of which all but the last are infra errors.
    """
    if not rows:
        return None, [_defect("missing", arm, "no result")]
    attempts = sorted((_attempt(row), row.line, row) for row in rows)
    numbers = [number for number, _, _ in attempts]
    given_up = all(_data(row).get("state") == "infra-error" for _, _, row in attempts[:-1])
    if len(rows) > 1 and (len(set(numbers)) < len(numbers) or not given_up):
        lines = ", ".join(str(row.line) for row in rows)
        return None, [_defect("duplicate", arm, f"{len(rows)} results, lines {lines}")]
    data = _data(attempts[-1][2])
    if data.get("state") == "infra-error":
        return None, [_defect("infra-error", arm, str(data.get("reason") or "no reason given"))]
    faults = list(_faults(plan, arm, data))
    return (None, faults) if faults else (_outcome(data), [])


def _attempt(row: Row) -> int:
    attempt = _data(row).get("attempt", 1)
    return attempt if type(attempt) is int else 1


def _data(row: Row) -> Mapping[str, Any]:
    return row.data or {}


def _faults(plan: Plan, arm: Arm, data: Mapping[str, Any]) -> Iterator[Defect]:
    if data.get("state") != "scored":
        yield _defect("unscored", arm, f"the state is {data.get('state')!r}")
        return
    passed, exceeded = data.get("passed"), data.get("budget_exceeded")
    if passed is None:
        yield _defect("unscored", arm, str(data.get("reason") or "no reason given"))
    elif not isinstance(passed, bool):
        yield _defect("invalid-metric", arm, f"passed is {passed!r}, no boolean")
    if not isinstance(exceeded, bool):
        yield _defect("invalid-metric", arm, f"budget_exceeded is {exceeded!r}, no boolean")
    elif exceeded and passed is True:
        yield _defect("invalid-metric", arm, "passed although the budget was exceeded")
    elif exceeded and not plan.budget:
        yield _defect("invalid-metric", arm, "budget_exceeded, but the protocol holds no budget")
    if not _is_amount(data.get("duration_s")):
        yield _defect("invalid-metric", arm, f"duration_s is {data.get('duration_s')!r}, no number from 0 on")
    yield from _value_faults(arm, data)


def _value_faults(arm: Arm, data: Mapping[str, Any]) -> Iterator[Defect]:
    """Yield what is wrong with the values that may be null: the cost and the scores."""
    scores = data.get("scores", {})
    if not isinstance(scores, Mapping):
        yield _defect("invalid-metric", arm, f"scores is {scores!r}, no object")
        scores = {}
    values = {
        "cost": data.get("cost"),
        **{f"score {name!r}": value for name, value in sorted(scores.items())},
    }
    for name, value in values.items():
        if value is not None and not _is_amount(value):
            yield _defect("invalid-metric", arm, f"{name} is {value!r}, neither null nor a number from 0 on")


def _is_amount(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return math.isfinite(value) and value >= 0


def _outcome(data: Mapping[str, Any]) -> Outcome:
    return Outcome(
        passed=data["passed"],
        budget_exceeded=data["budget_exceeded"],
        duration_s=float(data["duration_s"]),
        cost=None if data.get("cost") is None else float(data["cost"]),
        scores=dict(data.get("scores", {})),
    )


def _defect(kind: DefectKind, arm: Arm, detail: str) -> Defect:
    return Defect(kind=kind, case=arm.case, variant=arm.variant, repetition=arm.repetition, detail=detail)
