"""Which judge judges what: the fast one everything, the accurate one where it matters.

A pair is one case and metric with two arms, baseline and candidate. The fast judge sees every arm. The accurate judge
sees both arms where |fast candidate - fast baseline| >= `change`, where there is no baseline, and where the fast judge
failed; so both arms of a pair always count at the same tier. Without the audit a small change would never be
checked: a random share of all pairs, drawn by seed, case and metric, is therefore always judged by both, and what
the accurate judge says there is compared, not counted.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from mindatlas.evals.files import digest
from mindatlas.evals.judging.judge import Answer, Judge, Judged, Metric
from mindatlas.nodes.errors import UsageError

Tier = Literal["fast", "accurate"]
Why = Literal["small_change", "change", "no_baseline", "fast_failed", "only_judge"]
_ROUNDING = 1e-9  # 0.85 - 0.70 is a little less than 0.15


@dataclass(frozen=True, kw_only=True)
class TierSettings:
    """When the accurate judge is asked.

    Attributes:
        change: of the fast value between the arms, in (0, 1], from which on the accurate judge counts.
        audit_share: of pairs that both judges see whatever the rule says, in [0, 1].
        seed: of the audit's draws.
    """

    change: float = 0.15
    audit_share: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.change <= 1:
            raise UsageError(f"The change must lie above 0 and up to 1, not be {self.change!r}")
        if not 0 <= self.audit_share <= 1:
            raise UsageError(f"The audit share must lie between 0 and 1, not be {self.audit_share!r}")

    def audited(self, case: str, metric: Metric) -> bool:
        """Return whether a pair is in the audit; no other pair changes the draw."""
        return random.Random(f"{self.seed}:{metric}:{case}").random() < self.audit_share


@dataclass(frozen=True, kw_only=True)
class Pair:
    """What is to be judged: the candidate's answer and, where there is one, the baseline's."""

    metric: Metric
    candidate: Answer
    baseline: Answer | None = None

    @property
    def arms(self) -> tuple[Answer, ...]:
        """The answers, the baseline first."""
        return (self.candidate,) if self.baseline is None else (self.baseline, self.candidate)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """A judged pair; each list holds the arms in order, the baseline first where there is one.

    Attributes:
        tier: whose values count.
        why: which rule chose it.
        audited: both judges saw the pair, whatever the rule said.
        accurate: empty where the accurate judge was not asked.
    """

    case: str
    metric: Metric
    tier: Tier
    why: Why
    audited: bool
    fast: tuple[Judged, ...]
    accurate: tuple[Judged, ...] = ()

    @property
    def counted(self) -> tuple[Judged, ...]:
        """The values that count, of one tier for both arms."""
        return self.accurate if self.tier == "accurate" else self.fast

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as a line of a file holds it."""
        return asdict(self)


class TieredJudge:
    """Judges pairs by tiers.

    Args:
        fast: sees everything.
        accurate: None where there is only one judge; then nothing is escalated and nothing audited.
        settings: when the accurate judge is asked.
    """

    def __init__(self, fast: Judge, accurate: Judge | None, settings: TierSettings | None = None) -> None:
        self._fast, self._accurate = fast, accurate
        self._settings = settings or TierSettings()

    def judge_all(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield the verdict on each pair, in order."""
        return map(self.judge, pairs)

    def judge(self, pair: Pair) -> Verdict:
        """Return the verdict on one pair."""
        fast = tuple(self._fast.judge(pair.metric, arm) for arm in pair.arms)
        case = pair.candidate.id
        if self._accurate is None:
            return Verdict(
                case=case, metric=pair.metric, tier="fast", why="only_judge", audited=False, fast=fast
            )
        why = reason_for(fast, self._settings.change)
        tier: Tier = "fast" if why == "small_change" else "accurate"
        audited = self._settings.audited(case, pair.metric)
        asked = tier == "accurate" or audited
        accurate = tuple(self._accurate.judge(pair.metric, arm) for arm in pair.arms) if asked else ()
        return Verdict(
            case=case, metric=pair.metric, tier=tier, why=why, audited=audited, fast=fast, accurate=accurate
        )

    def identity(self) -> dict[str, Any]:
        """Return what stands in a protocol: rules, both judges, and one hash over all of it."""
        content: Mapping[str, Any] = {
            "tiers": asdict(self._settings),
            "fast": self._fast.identity(),
            "accurate": None if self._accurate is None else self._accurate.identity(),
        }
        return {**content, "sha256": digest(content)}


def reason_for(fast: tuple[Judged, ...], change: float) -> Why:
    """Return which rule decides about a pair whose fast values these are, the baseline first."""
    values = [judged.value for judged in fast]
    if any(value is None for value in values):
        return "fast_failed"
    if len(values) == 1:
        return "no_baseline"
    before, after = (float(value) for value in values if value is not None)
    return "change" if abs(after - before) >= change - _ROUNDING else "small_change"
