"""Scoring an output of an experiment by the measures and the bounds of its suite."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.experiments.execution import Judge, Verdict
from mindatlas.evals.measures.registry import measures_of, score_all
from mindatlas.evals.regression.scoring import failures
from mindatlas.evals.suite import Suite
from mindatlas.nodes.errors import UsageError


def judge_by_suite(suite: Suite) -> Judge:
    """Return the judge that follows from what makes a case of `suite` pass.

    A case of which none of those measures is defined cannot be scored: it neither passes nor fails.

    Raises:
        UsageError: the suite names a measure that its graph does not have.
    """
    measures = measures_of(suite.graph)
    if unknown := sorted(set(suite.passes_when) - set(measures)):
        raise UsageError(
            f"The suite {suite.name!r} needs the measure {unknown[0]!r}, which {suite.graph} lacks"
        )

    def judge(case: Case, output: Mapping[str, Any]) -> Verdict:
        scored = score_all(measures, case, output)
        scores = {name: one.value for name, one in scored.items()}
        if all(scores[name] is None for name in suite.passes_when):
            reasons = sorted({scored[name].reason for name in suite.passes_when})
            return Verdict(passed=None, scores=scores, reason="; ".join(reasons))
        failed = failures(suite, scored)
        return Verdict(passed=not failed, scores=scores, reason="; ".join(failed))

    return judge
