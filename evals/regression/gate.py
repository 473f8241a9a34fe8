"""The gate: pass, regression, undecided, or incomplete, with every reason named.

A deterministic suite is gated on exact differences: one case that passed before and fails now is a regression, and so
is a mean that fell by more than the suite's `max_drop`. A suite with a model is gated on a non-inferiority margin
with a one-sided 95 % interval of the paired difference; what the data cannot decide is said with the smallest loss
they would have shown. Missing results are neither zeros nor dropped: they make the run incomplete.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from mindatlas.evals.regression.baseline import Baseline
from mindatlas.evals.regression.comparison import Comparison, compare
from mindatlas.evals.regression.run import SuiteRun
from mindatlas.evals.suite import Suite

Verdict = Literal["pass", "regression", "undecided", "incomplete"]
EXIT_CODES: dict[Verdict, int] = {"pass": 0, "regression": 1, "incomplete": 1, "undecided": 4}
_SEVERITY: tuple[Verdict, ...] = ("incomplete", "regression", "undecided", "pass")


@dataclass(frozen=True, kw_only=True)
class Gated:
    """A verdict on a run.

    Attributes:
        reasons: what stands against a pass, one sentence each; empty for a pass.
        against: the comparison with each baseline, by name (`baseline`, `release`).
    """

    verdict: Verdict
    reasons: tuple[str, ...]
    against: dict[str, Comparison]

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return EXIT_CODES[self.verdict]

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON-like data."""
        return {
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "against": {name: asdict(comparison) for name, comparison in self.against.items()},
        }


def gate(suite: Suite, run: SuiteRun, baselines: Mapping[str, Baseline]) -> Gated:
    """Return the verdict on `run`: the worst of its own thresholds and of each baseline's comparison."""
    against = {name: compare(baseline, run) for name, baseline in baselines.items()}
    found = [*_incomplete(run), *_missed(run)]
    for name, comparison in against.items():
        found += _judged(suite, run, name, baselines[name], comparison)
    kinds: set[Verdict] = {kind for kind, _ in found}
    worst: list[Verdict] = [kind for kind in _SEVERITY if kind in kinds]
    return Gated(
        verdict=worst[0] if worst else "pass", reasons=tuple(reason for _, reason in found), against=against
    )


Finding = tuple[Verdict, str]


def _incomplete(run: SuiteRun) -> list[Finding]:
    broken = [o for o in run.observations if o["state"] == "infra-error"]
    return [("incomplete", f"{o['case']} could not be scored: {o['reason']}") for o in broken]


def _missed(run: SuiteRun) -> list[Finding]:
    missed = [check for check in run.head["thresholds"] if not check["met"]]
    sign = {"higher": ">=", "lower": "<="}
    return [
        (
            "regression",
            f"{check['measure']} ({check['type']}) is {_shown(check['value'])}, "
            f"asked {sign[check['direction']]} {check['threshold']:g}",
        )
        for check in missed
    ]


def _judged(
    suite: Suite, run: SuiteRun, name: str, baseline: Baseline, comparison: Comparison
) -> list[Finding]:
    if not comparison.comparable:
        old = baseline["protocol"]["protocol_version"]
        return [
            ("undecided", f"the {name} is of protocol version {old}, the suite of {suite.protocol_version}")
        ]
    found: list[Finding] = [
        ("incomplete", f"{case} stands in the {name} and was not run; raise protocol_version to drop it")
        for case in comparison.unmatched["missing"]
    ]
    if not comparison.matched:
        return [*found, ("undecided", f"no case of the run stands in the {name} with the same content")]
    if suite.deterministic:
        return [*found, *_exact(suite, name, comparison)]
    return [*found, *_margin(suite, run, name, baseline)]


def _exact(suite: Suite, name: str, comparison: Comparison) -> list[Finding]:
    failed: list[Finding] = [
        ("regression", f"{change.case} passed in the {name} and fails: {change.reason} ({change.cause})")
        for change in comparison.new_failures
    ]
    fallen: list[Finding] = [
        (
            "regression",
            f"{m.measure} went from {_shown(m.before)} to {_shown(m.after)} since the {name} ({m.n} cases)",
        )
        for m in comparison.means
        if m.case_type == "all" and m.worse and abs(m.after - m.before) > suite.max_drop
    ]
    return [*failed, *fallen]


def _margin(suite: Suite, run: SuiteRun, name: str, baseline: Baseline) -> list[Finding]:
    from mindatlas.evals.statistics.non_inferiority import judge_non_inferiority
    from mindatlas.evals.statistics.paired import paired_difference

    differences = primary_differences(suite, run, baseline)
    if not differences:
        return [("undecided", f"{suite.primary} is defined for no case of the run and the {name}")]
    result = judge_non_inferiority(paired_difference(differences), suite.margin)
    if result.verdict == "pass":
        return []
    bounds = (
        ""
        if result.bounds is None
        else f", one-sided 95 % from {result.bounds.low:+.3f} to {result.bounds.high:+.3f}"
    )
    mde = (
        ""
        if result.detectable is None
        else f"; the smallest loss these data would show is {result.detectable:.3f}"
    )
    mean = sum(differences) / len(differences)
    text = f"{suite.primary} changed by {mean:+.3f} since the {name}{bounds}, margin {suite.margin:g}{mde}"
    return [(result.verdict, text)]


def primary_differences(suite: Suite, run: SuiteRun, baseline: Baseline) -> list[float]:
    """Return candidate minus baseline of the primary measure for each case that both define, better is above 0."""
    sign = 1.0 if suite.primary == "passed" else _sign(suite)
    found = []
    for observation in run.observations:
        old = baseline["cases"].get(observation["case"])
        if old is None or old["content_hash"] != observation["content_hash"]:
            continue
        before, after = _primary(suite, old), _primary(suite, observation)
        if before is not None and after is not None:
            found.append(sign * (after - before))
    return found


def _primary(suite: Suite, result: Mapping[str, Any]) -> float | None:
    if suite.primary == "passed":
        return None if result["passed"] is None else float(result["passed"])
    value: float | None = result["scores"].get(suite.primary)
    return value


def _sign(suite: Suite) -> float:
    from mindatlas.evals.measures.registry import measures_of

    return 1.0 if measures_of(suite.graph)[suite.primary].direction == "higher" else -1.0


def _shown(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.3f}"
