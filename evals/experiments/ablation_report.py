"""What a report of an ablation says: one table, one plot."""

from __future__ import annotations

from mindatlas.evals.experiments.ablation import Ablation, AblationRow
from mindatlas.evals.experiments.headline import DOES_NOT_SHOW
from mindatlas.evals.experiments.plots import lifts_svg
from mindatlas.evals.experiments.report import NONE, Section, defect_lines
from mindatlas.evals.statistics import Interval

_HEADS = (
    "switched off",
    "runs that pass",
    "lift, points",
    "95 % interval, points",
    "gained / lost",
    "p (Holm)",
)


def ablation_headline(found: Ablation) -> str:
    """Return how many repairs matter on these cases, or why there is no table of figures."""
    if not found.complete:
        return f"No headline: {len(found.defects)} defects"
    singles = [row for row in found.rows if len(row.off) == 1]
    felt = [
        row.off[0] for row in singles if row.p_holm is not None and row.p_holm < 0.05 and _points(row) < 0
    ]
    named = f": {', '.join(felt)}" if felt else ""
    return (
        f"Of {len(singles)} repairs, {len(felt)} are missed on these {len(found.plan.cases)} cases when switched "
        f"off{named} (Holm, 5 %)"
    )


def ablation_sections(found: Ablation) -> list[Section]:
    """Return the sections of the report."""
    rows = [_baseline(found.rows[0])] if found.rows else []
    return [
        *([Section(title="Defects", items=defect_lines(found.defects))] if found.defects else []),
        Section(title="Against all on", heads=_HEADS, rows=[*rows, *(_row(row) for row in found.rows)]),
        *_measures(found),
        Section(title="What this does not show", items=DOES_NOT_SHOW),
    ]


def ablation_plot(found: Ablation) -> str:
    """Return the lifts of all rows with their intervals; nothing while the experiment is incomplete."""
    lifts: list[tuple[str, float, Interval | None]] = [
        (row.name, row.comparison.lift.points, row.comparison.lift.interval)
        for row in found.rows
        if row.comparison.lift is not None
    ]
    return lifts_svg(lifts)


def _measures(found: Ablation) -> list[Section]:
    """Return the change of each measure's mean that anything switched off moved; no section while incomplete."""
    told = {
        row.name: {one.name: one.difference for one in row.comparison.measures or ()} for row in found.rows
    }
    names = dict.fromkeys(name for held in told.values() for name, change in held.items() if change)
    rows = [
        (row, *(NONE if held.get(name) is None else f"{held[name]:+.3f}" for name in names))
        for row, held in told.items()
    ]
    heads = ("switched off", *names)
    return [Section(title="Change of the measures' means", heads=heads, rows=rows)] if names else []


def _baseline(row: AblationRow) -> tuple[str, ...]:
    rate = row.comparison.baseline.rate
    share = NONE if rate is None else f"{100 * rate.rate:.1f} %"
    return ("nothing (all on)", share, NONE, NONE, NONE, NONE)


def _row(row: AblationRow) -> tuple[str, ...]:
    lift, rate = row.comparison.lift, row.comparison.candidate.rate
    if lift is None or rate is None:
        return (row.name, *[NONE] * 5)
    ends = NONE if lift.interval is None else f"{lift.interval.low:+.1f} to {lift.interval.high:+.1f}"
    p = NONE if row.p_holm is None else f"{row.p_holm:.3g}"
    changed = f"{lift.test.gained} / {lift.test.lost}"
    return (row.name, f"{100 * rate.rate:.1f} %", f"{lift.points:+.1f}", ends, changed, p)


def _points(row: AblationRow) -> float:
    return 0.0 if row.comparison.lift is None else row.comparison.lift.points
