"""What changed between a baseline and a run, case by case and measure by measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from mindatlas.evals.measures.registry import measures_of
from mindatlas.evals.regression.baseline import Baseline
from mindatlas.evals.regression.run import SuiteRun
from mindatlas.evals.regression.scoring import Observation
from mindatlas.evals.regression.stages import cause_of


@dataclass(frozen=True, kw_only=True)
class CaseChange:
    """A case whose result changed: the measures that keep it from passing, or kept it, and the likely cause."""

    case: str
    case_type: str
    reason: str
    cause: str


@dataclass(frozen=True, kw_only=True)
class ScoreChange:
    """One measure of one case with another value than before; None where it was, or is, not defined."""

    case: str
    measure: str
    before: float | None
    after: float | None
    worse: bool


@dataclass(frozen=True, kw_only=True)
class MeanChange:
    """The mean of one measure over the cases that both runs define it for, overall (`all`) or for one case type."""

    case_type: str
    measure: str
    before: float
    after: float
    n: int
    worse: bool


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A run beside a baseline.

    Attributes:
        comparable: whether the two have the same protocol version.
        matched: cases that stand in both with the same content and were scored.
        new_failures, recovered: cases whose result changed.
        unmatched: ids by why they are not compared: `added`, `changed`, `missing`.
        measures_left_out: measures whose formula has another version than the baseline's.
    """

    comparable: bool
    matched: int
    new_failures: tuple[CaseChange, ...]
    recovered: tuple[CaseChange, ...]
    scores: tuple[ScoreChange, ...]
    means: tuple[MeanChange, ...]
    unmatched: dict[str, tuple[str, ...]]
    measures_left_out: tuple[str, ...]


Pair = tuple[Mapping[str, Any], Observation]


def compare(baseline: Baseline, run: SuiteRun) -> Comparison:
    """Return what changed from `baseline` to `run`; nothing is compared across protocol versions."""
    protocol, graph = run.head["protocol"], run.head["protocol"]["graph"]
    comparable = baseline["protocol"]["protocol_version"] == protocol["protocol_version"]
    known = baseline["cases"] if comparable else {}
    now = {observation["case"]: observation for observation in run.observations}
    pairs = [
        (known[name], o)
        for name, o in now.items()
        if name in known and o["state"] == "scored" and o["content_hash"] == known[name]["content_hash"]
    ]
    versions = baseline["protocol"]["measures"]
    same = [name for name, version in protocol["measures"].items() if versions.get(name) == version]
    return Comparison(
        comparable=comparable,
        matched=len(pairs),
        new_failures=_changes(pairs, graph, passed=False),
        recovered=_changes(pairs, graph, passed=True),
        scores=_score_changes(pairs, same, graph),
        means=_mean_changes(pairs, same, graph),
        unmatched=_unmatched(known, now) if comparable else {},
        measures_left_out=tuple(name for name in protocol["measures"] if name not in same),
    )


def _changes(pairs: Sequence[Pair], graph: str, *, passed: bool) -> tuple[CaseChange, ...]:
    changed = [(old, o) for old, o in pairs if bool(o["passed"]) is passed and old["passed"] is not passed]
    return tuple(
        CaseChange(
            case=o["case"],
            case_type=o["case_type"],
            reason=o["reason"],
            cause=cause_of(graph, old["trace"], o["trace"]),
        )
        for old, o in changed
    )


def _score_changes(pairs: Sequence[Pair], measures: Sequence[str], graph: str) -> tuple[ScoreChange, ...]:
    return tuple(
        ScoreChange(
            case=o["case"], measure=name, before=before, after=after, worse=_worse(graph, name, before, after)
        )
        for old, o in pairs
        for name in measures
        for before, after in ((old["scores"].get(name), o["scores"].get(name)),)
        if before != after
    )


def _mean_changes(pairs: Sequence[Pair], measures: Sequence[str], graph: str) -> tuple[MeanChange, ...]:
    types = sorted({o["case_type"] for _, o in pairs})
    return tuple(
        change
        for kind in ("all", *types)
        for name in measures
        if (
            change := _mean_change(
                [p for p in pairs if kind in {"all", p[1]["case_type"]}], kind, name, graph
            )
        )
    )


def _mean_change(pairs: Sequence[Pair], kind: str, name: str, graph: str) -> MeanChange | None:
    """Return the change over the pairs for which both values are defined; None without any."""
    both = [(old["scores"].get(name), o["scores"].get(name)) for old, o in pairs]
    defined = [(before, after) for before, after in both if before is not None and after is not None]
    if not defined:
        return None
    before, after = (fmean(values) for values in zip(*defined, strict=True))
    worse = _worse(graph, name, before, after)
    return MeanChange(case_type=kind, measure=name, before=before, after=after, n=len(defined), worse=worse)


def _worse(graph: str, name: str, before: float | None, after: float | None) -> bool:
    if before is None or after is None:
        return False
    higher = measures_of(graph)[name].direction == "higher"
    return after < before if higher else after > before


def _unmatched(known: Mapping[str, Any], now: Mapping[str, Observation]) -> dict[str, tuple[str, ...]]:
    shared = [name for name in now if name in known]
    changed = (name for name in shared if now[name]["content_hash"] != known[name]["content_hash"])
    return {
        "added": tuple(name for name in now if name not in known),
        "changed": tuple(changed),
        "missing": tuple(name for name in known if name not in now),
    }
