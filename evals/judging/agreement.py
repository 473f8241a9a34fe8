"""How far a judge agrees with people: kappa with base rates, its errors, and the pass rate corrected for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mindatlas.evals.files import read_jsonl
from mindatlas.evals.judging.answers import answer_from
from mindatlas.evals.judging.audit import rate
from mindatlas.evals.judging.judge import METRICS, Judge, Metric
from mindatlas.evals.statistics import cohen_kappa, rogan_gladen
from mindatlas.nodes.errors import UsageError

CUT = 0.5  # a judged value from here on is a pass


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """What a person and a judge said of one answer; `judged` is None where the judge gave no value."""

    metric: Metric
    human: bool
    judged: float | None


def read_labels(path: Path, judge: Judge | None) -> list[Labelled]:
    """Return the labels of a JSONL file; a line with `judged` keeps what is recorded, others are judged now.

    Raises:
        FileReadError: the file cannot be read, or a line is no label.
        UsageError: there is no label, or a line must be judged and there is no judge.
    """
    lines = read_jsonl(path, "label")
    if not lines:
        raise UsageError(f"There is no label in {str(path)!r}")
    return [
        Labelled(metric=line["metric"], human=line["human"], judged=_judged(line, judge)) for line in lines
    ]


def _judged(line: dict[str, Any], judge: Judge | None) -> float | None:
    if "judged" in line:
        recorded: float | None = line["judged"]
        return recorded
    if judge is None:
        raise UsageError(f"The label {line['id']!r} has no judged value: name a judge")
    return judge.judge(line["metric"], answer_from(line)).value


def agreement_report(labels: Iterable[Labelled], cut: float = CUT) -> dict[str, Any]:
    """Return the agreement by metric, JSON-like; metrics without a label are left out."""
    labels = list(labels)
    parts = {metric: [label for label in labels if label.metric == metric] for metric in METRICS}
    return {metric: _of_metric(part, cut) for metric, part in parts.items() if part}


def _of_metric(labels: Sequence[Labelled], cut: float) -> dict[str, Any]:
    scored = [(label.human, label.judged >= cut) for label in labels if label.judged is not None]
    found: dict[str, Any] = {"labels": len(labels), "unscored": len(labels) - len(scored), "cut": cut}
    if not scored:
        return {**found, "kappa": None, "agreement": None}
    kappa = cohen_kappa([human for human, _ in scored], [judged for _, judged in scored])
    good = [judged for human, judged in scored if human]
    bad = [not judged for human, judged in scored if not human]
    return {
        **found,
        "kappa": kappa.kappa,
        "agreement": rate(sum(human == judged for human, judged in scored), len(scored)),
        "base_rate": len(good) / len(scored),
        "sensitivity": rate(sum(good), len(good)),
        "specificity": rate(sum(bad), len(bad)),
        "judged_pass_rate": sum(judged for _, judged in scored) / len(scored),
        "corrected_pass_rate": _corrected(scored, good, bad),
    }


def _corrected(
    scored: Sequence[tuple[bool, bool]], good: Sequence[bool], bad: Sequence[bool]
) -> dict[str, Any] | None:
    """Return the judge's pass rate corrected for its errors; None where it cannot be (one kind, or chance)."""
    if not good or not bad:
        return None
    passed = (sum(judged for _, judged in scored), len(scored))
    found = rogan_gladen(passed, (sum(good), len(good)), (sum(bad), len(bad)))
    return None if found is None else {"rate": found[0], "interval": list(found[1])}
