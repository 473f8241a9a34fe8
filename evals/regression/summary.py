"""What a run comes to: passes, and the mean of each measure over the cases it is defined for, overall and by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from mindatlas.evals.regression.scoring import Observation
from mindatlas.evals.suite import Suite


def summarize(observations: Sequence[Observation]) -> dict[str, Any]:
    """Return the counts and means of a run.

    A measure's mean is over the cases it is defined for; `undefined` counts the others by reason. Infrastructure
    errors are counted apart and enter no mean.
    """
    types = sorted({observation["case_type"] for observation in observations})
    return {
        **_part(observations),
        "by_type": {kind: _part([o for o in observations if o["case_type"] == kind]) for kind in types},
    }


def _part(observations: Sequence[Observation]) -> dict[str, Any]:
    scored = [observation for observation in observations if observation["state"] == "scored"]
    passed = sum(bool(observation["passed"]) for observation in scored)
    names = list(dict.fromkeys(name for observation in scored for name in observation["scores"]))
    costs = [observation["cost"] for observation in observations]
    return {
        "total": len(observations),
        "scored": len(scored),
        "passed": passed,
        "failed": len(scored) - passed,
        "infra_errors": len(observations) - len(scored),
        "cost": sum(cost for cost in costs if cost is not None),
        "cost_unknown": sum(cost is None for cost in costs),
        "measures": {name: _mean(name, scored) for name in names},
    }


def _mean(name: str, scored: Iterable[Observation]) -> dict[str, Any]:
    scored = list(scored)
    values = [value for o in scored if (value := o["scores"].get(name)) is not None]
    reasons = Counter(o["undefined"][name] for o in scored if name in o["undefined"])
    return {
        "mean": fmean(values) if values else None,
        "n": len(values),
        "undefined": dict(sorted(reasons.items())),
    }


def thresholds_of(suite: Suite, summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return each threshold of the suite with the value beside it; a measure without a value meets none."""
    checks = [("all", name, threshold) for name, threshold in suite.measures.items()]
    checks += [(kind, name, t) for kind, entry in suite.by_type.items() for name, t in entry.items()]
    return [_checked(kind, name, threshold, summary) for kind, name, threshold in checks]


def _checked(kind: str, name: str, threshold: Any, summary: Mapping[str, Any]) -> dict[str, Any]:
    part = summary if kind == "all" else summary["by_type"].get(kind, {})
    mean = part.get("measures", {}).get(name, {}).get("mean")
    return {
        "type": kind,
        "measure": name,
        "value": mean,
        "threshold": threshold.threshold,
        "direction": threshold.direction,
        "met": mean is not None and threshold.met(mean),
    }
