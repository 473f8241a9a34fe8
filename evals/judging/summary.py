"""What a tiered judgement came to: means by metric, tiers, audit, costs, and how far it lies from all-accurate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from mindatlas.evals.judging.audit import audit_report, is_complete
from mindatlas.evals.judging.costs import accurate_cost, fast_cost, tiered_cost
from mindatlas.evals.judging.judge import METRICS, Judged
from mindatlas.evals.judging.tiers import TierSettings, Verdict

Arms = Callable[[Verdict], Sequence[Judged]]


def summarise(verdicts: Sequence[Verdict], settings: TierSettings) -> dict[str, Any]:
    """Return the summary of all verdicts, JSON-like."""
    dearest = accurate_cost(verdicts)
    return {
        "pairs": len(verdicts),
        "metrics": {
            metric: _of_metric([verdict for verdict in verdicts if verdict.metric == metric], settings)
            for metric in METRICS
            if any(verdict.metric == metric for verdict in verdicts)
        },
        "costs": {
            "all_fast": asdict(fast_cost(verdicts)),
            "tiered": asdict(tiered_cost(verdicts)),
            "all_accurate": None if dearest is None else asdict(dearest),
        },
    }


def _of_metric(verdicts: Sequence[Verdict], settings: TierSettings) -> dict[str, Any]:
    scored = [verdict for verdict in verdicts if is_complete(verdict.counted)]
    paired = [verdict for verdict in scored if len(verdict.counted) == 2]
    return {
        "pairs": len(verdicts),
        "unscored": len(verdicts) - len(scored),
        "candidate": _mean([_value(verdict.counted, -1) for verdict in scored]),
        "baseline": _mean([_value(verdict.counted, 0) for verdict in paired]),
        "lift": _mean([_value(verdict.counted, -1) - _value(verdict.counted, 0) for verdict in paired]),
        "tiers": dict(Counter(verdict.tier for verdict in verdicts)),
        "why": dict(Counter(verdict.why for verdict in verdicts)),
        "audit": audit_report(verdicts, settings),
        "minus_all_accurate": minus_all_accurate(verdicts),
    }


def minus_all_accurate(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Return how far the candidate's mean lies from the one by the accurate judge alone.

    Pairs that count at the accurate tier differ by 0. The others are known where both judges saw them: all of them,
    and the difference is `exact`; a random part (the audit), and their mean stands for the rest, `estimated`; none,
    and it is null: nothing says what the accurate judge would have found.
    """
    scored = [verdict for verdict in verdicts if is_complete(verdict.counted)]
    cheap = [verdict for verdict in scored if verdict.tier == "fast"]
    seen = [verdict for verdict in cheap if is_complete(verdict.accurate)]
    if not scored or (cheap and not seen):
        return {"difference": None, "basis": "nothing judged by both", "judged_by_both": len(seen)}
    differences = [_value(verdict.fast, -1) - _value(verdict.accurate, -1) for verdict in seen]
    of_cheap = sum(differences) / len(differences) if differences else 0.0
    basis = "exact" if len(seen) == len(cheap) else "estimated"
    return {"difference": of_cheap * len(cheap) / len(scored), "basis": basis, "judged_by_both": len(seen)}


def _value(judged: Sequence[Judged], at: int) -> float:
    value = judged[at].value
    assert value is not None  # only verdicts that are complete come here
    return value


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
