"""What a report of a comparison says, in sections of text and tables that every form of it shows alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mindatlas.evals.experiments.arm_summary import ArmSummary, Flaky
from mindatlas.evals.experiments.comparison import Comparison
from mindatlas.evals.experiments.completeness import Defect
from mindatlas.evals.experiments.headline import DOES_NOT_SHOW
from mindatlas.evals.experiments.measure_difference import MeasureDifference
from mindatlas.evals.statistics import Interval

NONE = "–"
LISTED = 50  # items of one list that are written out; the JSON report has all


@dataclass(frozen=True, kw_only=True)
class Section:
    """One part of a report: a table, a list, or both."""

    title: str
    heads: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    items: Sequence[str] = ()


def sections_of(found: Comparison) -> list[Section]:
    """Return the sections of a report, the empty ones left out."""
    sections = [
        Section(title="Defects", items=defect_lines(found.defects)),
        Section(title="Variants", heads=("", *(arm.variant for arm in found.arms)), rows=_variants(found)),
        Section(title="Lift", heads=("", ""), rows=_lift(found)),
        Section(title="Cases", items=_cases(found)),
        Section(
            title="Measures",
            heads=("measure", "defined", "baseline", "candidate", "difference (95 %)", "p (Holm)"),
            rows=_measures(found),
        ),
        Section(title="What differs", items=_switches(found)),
        Section(
            title="Valid results",
            heads=("case", "variant", "repetition", "passed", "seconds", "cost"),
            rows=() if found.complete else _valid(found),
        ),
        Section(title="What this does not show", items=DOES_NOT_SHOW),
    ]
    return [section for section in sections if section.rows or section.items]


def facts_of(found: Comparison) -> str:
    """Return the line under the headline."""
    plan = found.plan
    retried = f" · {found.retried} infra errors run again" if found.retried else ""
    runs = f"{len(plan.cases)} cases × {len(plan.variants)} variants × {plan.repetitions} repetitions"
    return f"{runs} · seed {plan.seed} · protocol {plan.protocol[:12]}{retried}"


def _variants(found: Comparison) -> list[tuple[str, ...]]:
    rows = {
        "valid runs of planned": lambda arm: f"{arm.valid} / {arm.planned}",
        "runs that pass": lambda arm: _share(arm.rate.rate, arm.rate.interval) if arm.rate else NONE,
        "over budget (failed)": lambda arm: NONE if arm.budget_exceeded is None else str(arm.budget_exceeded),
        "flaky cases": lambda arm: _flaky(arm.flaky),
        "pass@k": lambda arm: _by_k(arm.pass_at_k),
        "pass^k": lambda arm: _by_k(arm.pass_hat_k),
        "cost": lambda arm: arm.cost.text,
        "seconds, median / p95": _latency,
    }
    return [(name, *(text(arm) for arm in found.arms)) for name, text in rows.items()]


def _lift(found: Comparison) -> list[tuple[str, str]]:
    lift = found.lift
    if lift is None:
        return []
    test = f"p = {lift.test.p:.4g} ({lift.test.gained} gained, {lift.test.lost} lost)"
    mid = "" if lift.test.mid_p is None else f", mid-p {lift.test.mid_p:.4g}"
    if lift.test.name == "sign-flip" and lift.test.mcnemar_p is not None:
        mid = f"; McNemar exact {lift.test.mcnemar_p:.4g} if no case of a cluster depended on another"
    rows = [
        ("lift, percentage points", f"{lift.points:+.1f}"),
        ("95 % interval, percentage points", _ends(lift.interval, "+.1f")),
        ("standard error (paired), percentage points", NONE if lift.se is None else f"{lift.se:.2f}"),
        (f"no difference, {lift.test.name}", test + mid),
        (
            "smallest difference so many cases show (80 % power), percentage points",
            NONE if lift.detectable is None else f"{lift.detectable:.1f} {lift.detectable_note}".strip(),
        ),
    ]
    if found.order is not None:
        se = NONE if found.order.se is None else f"{found.order.se:.1f}"
        rows.append(("odd minus even repetitions, percentage points", f"{found.order.points:+.1f} ± {se} SE"))
    return rows


def _cases(found: Comparison) -> list[str]:
    if found.changes is None:
        return []
    named = {
        "gained": found.changes.gains,
        "lost": found.changes.losses,
        "changed, but flaky in a variant": found.changes.changed_but_flaky,
    }
    return [f"{name} ({len(cases)}): {', '.join(_listed(cases)) or 'none'}" for name, cases in named.items()]


def _measures(found: Comparison) -> list[tuple[str, ...]]:
    return [
        (
            one.name,
            f"{one.pairs} of {one.pairs + one.undefined}",
            _number(one.baseline),
            _number(one.candidate),
            _difference(one),
            NONE if one.p_holm is None else f"{one.p_holm:.3g}",
        )
        for one in found.measures or ()
    ]


def _difference(one: MeasureDifference) -> str:
    if one.difference is None:
        return NONE
    return f"{one.difference:+.3f}" + ("" if one.interval is None else f" ({_ends(one.interval, '+.3f')})")


def _switches(found: Comparison) -> list[str]:
    switches = found.plan.switches
    if switches is None:
        return ["not recorded"]
    return [f"{one['dimension']} {one['key']}: {_values(one.get('values', {}))}" for one in switches]


def _values(values: dict[str, Any]) -> str:
    told = ((name, str(value)) for name, value in values.items())
    return ", ".join(f"{name} {text[:12] if len(text) == 64 else text}" for name, text in told)


def _valid(found: Comparison) -> list[tuple[str, ...]]:
    return [
        (
            arm.case,
            arm.variant,
            str(arm.repetition),
            str(o.passed).lower(),
            f"{o.duration_s:g}",
            _number(o.cost),
        )
        for arm, o in list(found.valid.items())[:LISTED]
    ]


def defect_lines(defects: Sequence[Defect]) -> list[str]:
    """Return the defects as lines, each naming its run."""
    return _listed([_defect(defect) for defect in defects])


def _defect(defect: Defect) -> str:
    where = f" {defect.case} · {defect.variant} · {defect.repetition}" if defect.case else ""
    return f"{defect.kind}:{where} — {defect.detail}"


def _listed(texts: Sequence[str]) -> list[str]:
    more = len(texts) - LISTED
    return [*texts[:LISTED], *([f"and {more} more (see the JSON report)"] if more > 0 else [])]


def _flaky(flaky: Flaky | None) -> str:
    if flaky is None:
        return NONE
    return (
        flaky.note
        if flaky.cases is None
        else f"{len(flaky.cases)}: {', '.join(_listed(flaky.cases)) or 'none'}"
    )


def _latency(arm: ArmSummary) -> str:
    return NONE if arm.latency is None else f"{arm.latency.median:.3f} / {arm.latency.p95:.3f}"


def _share(rate: float, interval: Interval) -> str:
    return f"{100 * rate:.1f} % ({100 * interval.low:.1f} to {100 * interval.high:.1f})"


def _by_k(values: dict[int, float] | None) -> str:
    return NONE if values is None else ", ".join(f"{k}: {value:.3f}" for k, value in values.items())


def _ends(interval: Interval | None, form: str) -> str:
    return NONE if interval is None else f"{interval.low:{form}} to {interval.high:{form}}"


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.4g}"
