"""What judging cost, and what it would have cost by one judge alone. An unknown cost is never counted as 0."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mindatlas.evals.judging.judge import Judged
from mindatlas.evals.judging.tiers import Verdict


@dataclass(frozen=True, kw_only=True)
class Cost:
    """A sum of costs.

    Attributes:
        known: the sum of those that are known, in the currency of prices.yaml.
        unknown: how many are not; the whole is then at least `known`.
        estimated: some judgements were never made, and count with the mean of those of their metric.
    """

    known: float
    unknown: int = 0
    estimated: bool = False

    def told(self) -> str:
        """Return the cost as reports show it."""
        mark = "~ " if self.estimated else ""
        amount = f"{mark}{self.known:.4f}"
        return f">= {amount} ({self.unknown} unknown)" if self.unknown else amount


def tiered_cost(verdicts: Iterable[Verdict]) -> Cost:
    """Return what was spent: both judges, audit included."""
    return _sum([judged for verdict in verdicts for judged in (*verdict.fast, *verdict.accurate)])


def fast_cost(verdicts: Iterable[Verdict]) -> Cost:
    """Return what the fast judge alone cost."""
    return _sum([judged for verdict in verdicts for judged in verdict.fast])


def accurate_cost(verdicts: Sequence[Verdict]) -> Cost | None:
    """Return what the accurate judge would cost on everything.

    What it did not judge counts with the mean known cost of the same metric. None where a metric has no such cost:
    there is nothing to estimate from.
    """
    parts = [
        _accurate_cost_of_metric(verdicts, metric) for metric in {verdict.metric for verdict in verdicts}
    ]
    known = [part for part in parts if part is not None]
    if not parts or len(known) < len(parts):
        return None
    return Cost(
        known=sum(part.known for part in known),
        unknown=sum(part.unknown for part in known),
        estimated=any(part.estimated for part in known),
    )


def _accurate_cost_of_metric(verdicts: Sequence[Verdict], metric: str) -> Cost | None:
    own = [verdict for verdict in verdicts if verdict.metric == metric]
    made = [judged for verdict in own for judged in verdict.accurate]
    missing = sum(len(verdict.fast) for verdict in own) - len(made)
    spent = _sum(made)
    if not missing:
        return spent
    with_cost = len(made) - spent.unknown
    if not with_cost:
        return None
    return Cost(known=spent.known * (1 + missing / with_cost), unknown=spent.unknown, estimated=True)


def _sum(judged: Sequence[Judged]) -> Cost:
    known = [one.cost for one in judged if one.cost is not None]
    return Cost(known=sum(known), unknown=len(judged) - len(known))
