"""What the judging commands print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.table import Table

from mindatlas.evals.judging.costs import Cost


def summary_table(summary: Mapping[str, Any]) -> Table:
    """Return one row a metric: means, lift in percentage points, tiers, and what the audit says."""
    heads = (
        "metric",
        "pairs",
        "unscored",
        "baseline",
        "candidate",
        "lift pp",
        "accurate tier",
        "audit disagrees",
    )
    table = Table(*heads, "missed changes", "mean - all-accurate", box=box.SIMPLE)
    for name, found in summary["metrics"].items():
        lift = None if found["lift"] is None else 100 * found["lift"]
        table.add_row(
            name,
            str(found["pairs"]),
            str(found["unscored"]),
            _number(found["baseline"]),
            _number(found["candidate"]),
            _number(lift, "+.1f"),
            str(found["tiers"].get("accurate", 0)),
            told_rate(found["audit"]["disagreement"]),
            told_rate(found["audit"]["missed_changes"]),
            _apart(found["minus_all_accurate"]),
        )
    return table


def summary_lines(summary: Mapping[str, Any]) -> list[str]:
    """Return the costs and the hash of judges and prompts, one a line."""
    costs = summary["costs"]
    told = ", ".join(f"{name.replace('_', '-')} {_cost(costs[name])}" for name in costs)
    return [f"cost: {told}", f"judges and prompts: {summary['protocol']['sha256'][:12]}"]


def estimate_lines(found: Mapping[str, Any]) -> list[str]:
    """Return an estimate as lines."""
    accurate = found["accurate"]
    lines = [f"{found['pairs']} pairs, {found['arms']} arms; nothing was judged"]
    lines.append(f"fast {found['fast']['model']}: {_calls(found['fast'])}")
    if accurate["model"] is not None:
        levels = ", ".join(f"{level} {_calls(accurate[level])}" for level in ("least", "expected", "most"))
        lines.append(f"accurate {accurate['model']}: {levels}")
    assumed = found["assumed"]
    lines.append(
        f"assumed: {assumed['changed']:.0%} of pairs change, {assumed['reply_tokens']} tokens a reply"
    )
    return lines


def agreement_table(report: Mapping[str, Any]) -> Table:
    """Return one row a metric; a kappa is not readable without its base rate, so both are shown."""
    heads = ("metric", "labels", "unscored", "kappa", "base rate", "agreement", "sensitivity", "specificity")
    table = Table(*heads, "pass rate", "corrected", box=box.SIMPLE)
    for name, found in report.items():
        corrected = found.get("corrected_pass_rate")
        table.add_row(
            name,
            str(found["labels"]),
            str(found["unscored"]),
            _number(found["kappa"]),
            _number(found.get("base_rate")),
            told_rate(found["agreement"]),
            told_rate(found.get("sensitivity")),
            told_rate(found.get("specificity")),
            _number(found.get("judged_pass_rate")),
            "-" if corrected is None else f"{corrected['rate']:.3f} {_interval(corrected['interval'])}",
        )
    return table


def told_rate(found: Mapping[str, Any] | None) -> str:
    """Return a rate with its count and interval; a dash where there is nothing to count."""
    if found is None or found["share"] is None:
        return "-"
    return f"{found['share']:.3f} ({found['count']}/{found['n']}) {_interval(found['interval'])}"


def _interval(interval: Any) -> str:
    return f"[{interval[0]:.3f}, {interval[1]:.3f}]"


def _number(value: float | None, form: str = ".3f") -> str:
    return "-" if value is None else format(value, form)


def _apart(found: Mapping[str, Any]) -> str:
    return "-" if found["difference"] is None else f"{found['difference']:+.4f} {found['basis']}"


def _cost(found: Mapping[str, Any] | None) -> str:
    return "not known" if found is None else Cost(**found).told()


def _calls(found: Mapping[str, Any]) -> str:
    cost = "cost unknown" if found["cost"] is None else f"cost {found['cost']:.4f}"
    return f"{found['calls']} calls, {cost}"
