"""The commands `eval answers`, `eval judge` and `eval agreement`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from mindatlas.evals.files import json_line, write_jsonl
from mindatlas.evals.judging.agreement import agreement_report, read_labels
from mindatlas.evals.judging.answers import answers_of_suite, pairs_of, read_answers, write_answers
from mindatlas.evals.judging.dry_run import estimate
from mindatlas.evals.judging.judge import METRICS, Metric
from mindatlas.evals.judging.opening import open_judge
from mindatlas.evals.judging.summary import summarise
from mindatlas.evals.judging.text_report import agreement_table, estimate_lines, summary_lines, summary_table
from mindatlas.evals.judging.tiers import TieredJudge, TierSettings
from mindatlas.evals.suite import read_suite
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.models import ModelSettings


@dataclass(frozen=True, kw_only=True)
class JudgeOptions:
    """Which judges there are, and how they are reached; `accurate` None is one judge for everything."""

    fast: str = "builtin"
    accurate: str | None = None
    base_url: str | None = None
    record: str | None = None
    replay: str | None = None
    tiers: TierSettings = field(default_factory=TierSettings)

    def settings_of(self, model: str) -> ModelSettings:
        """Return the settings of one of the models; what is for chat models only is left out for rules."""
        if model == "builtin":
            return ModelSettings(model=model)
        return ModelSettings(model=model, base_url=self.base_url, record=self.record, replay=self.replay)

    def open(self) -> TieredJudge:
        """Return the tiers, their judges opened."""
        accurate = None if self.accurate is None else open_judge(self.settings_of(self.accurate))
        return TieredJudge(open_judge(self.settings_of(self.fast)), accurate, self.tiers)


def write_suite_answers(suite: str, out: Path) -> int:
    """Run a suite, write its answers, and return the exit code 0."""
    answers = list(answers_of_suite(read_suite(suite)))
    write_answers(out, answers)
    sys.stderr.write(f"{len(answers)} answers: {out}\n")
    return 0


def judge(
    answers: Path,
    baseline: Path | None,
    metrics: Sequence[str],
    options: JudgeOptions,
    *,
    out: Path | None,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Judge answers, tell the summary, and return the exit code: 1 when a pair could not be scored at all.

    Raises:
        UsageError: a metric is unknown, or a file holds no answers.
        SetupError: a model, its key or its package is missing.
    """
    pairs = pairs_of(
        read_answers(answers), read_answers(baseline) if baseline else [], known_metrics(metrics)
    )
    if dry_run:
        found = estimate(pairs, options.fast, options.accurate, options.tiers)
        _tell(found, estimate_lines(found), as_json=as_json)
        return 0
    tiers = options.open()
    shown = track(tiers.judge_all(pairs), "judging", total=len(pairs), console=Console(stderr=True))
    verdicts = list(shown)
    if out is not None:
        write_jsonl(out, [verdict.to_dict() for verdict in verdicts])
    summary = {"protocol": tiers.identity(), **summarise(verdicts, options.tiers)}
    _tell(summary, [summary_table(summary), *summary_lines(summary)], as_json=as_json)
    return 1 if any(metric["unscored"] == metric["pairs"] for metric in summary["metrics"].values()) else 0


def agreement(labels: Path, options: JudgeOptions, *, as_json: bool) -> int:
    """Compare a judge with people's labels, tell the agreement, and return the exit code 0.

    Raises:
        FileReadError: the file cannot be read, or a line is no label.
        SetupError: a model, its key or its package is missing.
    """
    judge_ = open_judge(options.settings_of(options.fast))
    report = agreement_report(read_labels(labels, judge_))
    _tell({"judge": judge_.identity(), "metrics": report}, [agreement_table(report)], as_json=as_json)
    return 0


def known_metrics(names: Sequence[str]) -> list[Metric]:
    """Return the metrics of these names, all without one.

    Raises:
        UsageError: there is no such metric.
    """
    if unknown := [name for name in names if name not in METRICS]:
        raise UsageError(f"There is no metric {unknown[0]!r}; expected: {', '.join(METRICS)}")
    return [metric for metric in METRICS if not names or metric in names]


def _tell(found: dict[str, Any], shown: Sequence[Any], *, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(json_line(found))
        return
    console = Console(width=None if sys.stdout.isatty() else 160, highlight=False, markup=False, emoji=False)
    for part in shown:
        console.print(part)
