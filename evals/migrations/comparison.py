"""Two sets of logs: whether repairs bring new failures less often in one, by an exact test for each path."""

from __future__ import annotations

import math
from typing import Any

from scipy.stats import fisher_exact

from mindatlas.evals.migrations.summary import rate
from mindatlas.evals.migrations.tally import TYPES, Tally
from mindatlas.evals.statistics import holm, wilson


def compare_tallies(now: Tally, against: Tally) -> dict[str, Any]:
    """Return the introduced-error rates of both sets, and each path that either has, with exact p-values.

    A path's denominator is the repairs of its first type, so that more failures of a kind are not taken for
    worse repairs of it. Fisher's two-sided test; over the paths adjusted by Holm. Repairs of one run are not
    independent, so p-values are somewhat too small where runs have many rounds.
    """
    overall = _compared((now.introduced, now.repairs), (against.introduced, against.repairs), "repairs")
    paths = [(a, b) for a in TYPES for b in TYPES if a != b and now.paths[a, b] + against.paths[a, b]]
    rows = {f"{before}->{after}": _path(now, against, before, after) for before, after in paths}
    adjusted = holm({name: row["p"] for name, row in rows.items() if row["p"] is not None})
    listed = [{"path": name, **row, "p_holm": adjusted.get(name)} for name, row in rows.items()]
    return {"overall": overall, "paths": sorted(listed, key=_by_p)}


def _path(now: Tally, against: Tally, before: str, after: str) -> dict[str, Any]:
    ours, theirs = ((tally.paths[before, after], tally.from_type(before)) for tally in (now, against))
    return _compared(ours, theirs, f"repairs of {before}")


def _compared(now: tuple[int, int], against: tuple[int, int], what: str) -> dict[str, Any]:
    """Return both rates, their difference in percentage points with its interval, p and what follows."""
    sides = {"now": rate(*now, what), "against": rate(*against, what)}
    if not (now[1] and against[1]):
        side = "now" if not now[1] else "against"
        verdict = f"cannot be compared: no {what} in {side!r}"
        return {
            **sides,
            "difference_pp": None,
            "low_pp": None,
            "high_pp": None,
            "p": None,
            "verdict": verdict,
        }
    table = [[now[0], now[1] - now[0]], [against[0], against[1] - against[0]]]
    exact: Any = fisher_exact(table)  # its fields are unknown to the types of scipy
    p = min(1.0, float(exact.pvalue))
    difference, low, high = _newcombe(now, against)
    points = {"difference_pp": 100 * difference, "low_pp": 100 * low, "high_pp": 100 * high}
    return {**sides, **points, "p": p, "verdict": _verdict(difference, p)}


def _newcombe(now: tuple[int, int], against: tuple[int, int]) -> tuple[float, float, float]:
    """Return the difference of two rates with its 95 % interval.

    Source: Newcombe, Statistics in Medicine 17 (1998), method 10: from the Wilson limits of both.
    """
    first, second = now[0] / now[1], against[0] / against[1]
    (low1, high1), (low2, high2) = wilson(*now), wilson(*against)
    difference = first - second
    low = difference - math.hypot(first - low1, high2 - second)
    return difference, low, difference + math.hypot(high1 - first, second - low2)


def _verdict(difference: float, p: float) -> str:
    if p >= 0.05:
        return "no difference shown"
    return "lower" if difference < 0 else "higher"


def _by_p(row: dict[str, Any]) -> tuple[float, str]:
    return (2.0 if row["p"] is None else row["p"], row["path"])
