"""What the audit says about the fast judge: how often it disagrees, and which changes it misses.

A pair of the audit counts where both judges gave every arm a value. They disagree where, in any arm, their values
lie at least `change` apart. A change is missed where the fast judge saw a small change and the accurate one sees a
change of at least `change`: that is the side which the tiers never check, so its rate is the price of the tiers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mindatlas.evals.judging.judge import Judged
from mindatlas.evals.judging.tiers import TierSettings, Verdict, reason_for
from mindatlas.evals.statistics import bootstrap_interval, wilson


def audit_report(verdicts: Iterable[Verdict], settings: TierSettings) -> dict[str, Any]:
    """Return the audit's findings, JSON-like; each rate with its 95 % Wilson interval, null where n is 0.

    `fast_minus_accurate` is the mean difference over the arms of a pair, with its bootstrap interval over pairs.
    """
    drawn = [verdict for verdict in verdicts if verdict.audited]
    seen = [verdict for verdict in drawn if is_complete(verdict.fast) and is_complete(verdict.accurate)]
    unchanged = [verdict for verdict in seen if verdict.why == "small_change"]
    missed = [verdict for verdict in unchanged if reason_for(verdict.accurate, settings.change) == "change"]
    differences = [mean_difference(verdict) for verdict in seen]
    return {
        "drawn": len(drawn),
        "unscored": len(drawn) - len(seen),
        "disagreement": rate(sum(_disagree(verdict, settings.change) for verdict in seen), len(seen)),
        "missed_changes": rate(len(missed), len(unchanged)),
        "fast_minus_accurate": _mean(differences, settings.seed),
    }


def is_complete(judged: Sequence[Judged]) -> bool:
    """Return whether every arm has a value, and there is one."""
    return bool(judged) and all(one.value is not None for one in judged)


def mean_difference(verdict: Verdict) -> float:
    """Return fast minus accurate, averaged over the arms of a pair that both judged."""
    differences = _differences(verdict)
    return sum(differences) / len(differences)


def rate(count: int, n: int) -> dict[str, Any]:
    """Return a share with its interval; null where there is nothing to count."""
    if not n:
        return {"count": 0, "n": 0, "share": None, "interval": None}
    return {"count": count, "n": n, "share": count / n, "interval": list(wilson(count, n))}


def _disagree(verdict: Verdict, change: float) -> bool:
    return any(abs(difference) >= change - 1e-9 for difference in _differences(verdict))


def _differences(verdict: Verdict) -> list[float]:
    arms = zip(verdict.fast, verdict.accurate, strict=True)
    return [
        fast.value - sure.value for fast, sure in arms if fast.value is not None and sure.value is not None
    ]


def _mean(differences: Sequence[float], seed: int) -> dict[str, Any]:
    if not differences:
        return {"n": 0, "mean": None, "interval": None}
    interval = bootstrap_interval(differences, seed=seed)
    mean = sum(differences) / len(differences)
    return {"n": len(differences), "mean": mean, "interval": None if interval is None else list(interval)}
