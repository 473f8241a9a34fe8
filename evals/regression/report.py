"""What every form of the report says, made once: the opening figures, the rows of the tables, the lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mindatlas.evals.regression.comparison import CaseChange, MeanChange
from mindatlas.evals.regression.gate import Gated
from mindatlas.evals.regression.run import SuiteRun

WARNING = "⚠️"
LISTED = 30  # cases of one list that a report for people shows; the JSON has all


@dataclass(frozen=True, kw_only=True)
class MeasureRow:
    """One line of the table of measures; None where there is nothing to show."""

    case_type: str
    measure: str
    value: float | None
    n: int
    before: float | None
    worse: bool
    threshold: str


@dataclass(frozen=True, kw_only=True)
class Report:
    """The content of a report."""

    title: str
    opening: tuple[tuple[str, str], ...]
    rows: tuple[MeasureRow, ...]
    new_failures: tuple[CaseChange, ...]
    recovered: tuple[CaseChange, ...]
    failed: tuple[tuple[str, str], ...]
    reasons: tuple[str, ...]
    notes: tuple[str, ...]


def make_report(run: SuiteRun, gated: Gated | None) -> Report:
    """Return the report on a run, with its verdict where it was gated."""
    comparison = gated.against.get("baseline") if gated else None
    summary, head = run.head["summary"], run.head
    changes = comparison.means if comparison else ()
    opening = [
        ("date", head["date"]),
        ("elapsed", f"{head['elapsed_s']:.1f} s ({head['ran']} run, {head['kept']} kept)"),
        ("total", str(summary["total"])),
        ("pass", str(summary["passed"])),
        ("fail", str(summary["failed"])),
        ("not scored", str(summary["infra_errors"])),
        ("new failures", str(len(comparison.new_failures)) if comparison else "no baseline"),
        ("recovered", str(len(comparison.recovered)) if comparison else "no baseline"),
        ("cost", _cost(summary)),
    ]
    if gated:
        opening.insert(0, ("verdict", gated.verdict))
    return Report(
        title=f"Suite {head['protocol']['suite']}",
        opening=tuple(opening),
        rows=tuple(_rows(summary, head["thresholds"], changes)),
        new_failures=comparison.new_failures if comparison else (),
        recovered=comparison.recovered if comparison else (),
        failed=tuple((o["case"], o["reason"]) for o in run.observations if o["passed"] is not True),
        reasons=gated.reasons if gated else (),
        notes=tuple(_notes(run, gated)),
    )


def _rows(
    summary: dict[str, Any], thresholds: Sequence[dict[str, Any]], changes: Sequence[MeanChange]
) -> list[MeasureRow]:
    asked = {(check["type"], check["measure"]): check for check in thresholds}
    before = {(change.case_type, change.measure): change for change in changes}
    parts = [("all", summary), *summary["by_type"].items()]
    return [
        MeasureRow(
            case_type=kind,
            measure=name,
            value=mean["mean"],
            n=mean["n"],
            before=before[kind, name].before if (kind, name) in before else None,
            worse=(kind, name) in before and before[kind, name].worse,
            threshold=_threshold(asked.get((kind, name))),
        )
        for kind, part in parts
        for name, mean in part["measures"].items()
        if mean["n"]
    ]


def _threshold(check: dict[str, Any] | None) -> str:
    if check is None:
        return ""
    sign = ">=" if check["direction"] == "higher" else "<="
    return f"{sign} {check['threshold']:g}{'' if check['met'] else ' missed'}"


def _cost(summary: dict[str, Any]) -> str:
    unknown = summary["cost_unknown"]
    return f">= {summary['cost']:g}, {unknown} unknown" if unknown else f"{summary['cost']:g}"


def _notes(run: SuiteRun, gated: Gated | None) -> list[str]:
    notes = [f"protocol {run.head['protocol_hash'][:12]}"]
    for name, comparison in (gated.against if gated else {}).items():
        for why, cases in comparison.unmatched.items():
            if cases:
                notes.append(f"{len(cases)} cases are not compared with the {name}: {why}")
        if comparison.measures_left_out:
            notes.append(
                f"not compared with the {name}, other formula: {', '.join(comparison.measures_left_out)}"
            )
    return notes


def shown(value: float | None) -> str:
    """Return a measure's value for people."""
    return "" if value is None else f"{value:.3f}"


def change_of(row: MeasureRow) -> str:
    """Return the change of a row since the baseline, marked where it is worse."""
    if row.before is None or row.value is None:
        return ""
    return f"{row.value - row.before:+.3f}{' ' + WARNING if row.worse else ''}"
