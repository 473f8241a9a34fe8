"""Exclusion violations: how many of the subjects that the question excludes the answer still uses.

violations = |forbidden_entities ∩ (subjects of the passages used ∪ subjects of the passages cited)| — a count. A
sentence that mentions an excluded place in passing ("北边就是日月湾") recommends nothing and is no violation; a
claim about it, cited from its own passage, is one.

Range 0, 1, 2 …, lower is better. Undefined where the case forbids nothing.
"""

from __future__ import annotations

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value


def exclusion_violations(case: Case, output: Output) -> Scored:
    """Return how many forbidden subjects the answer uses."""
    if not case.forbidden_entities:
        return undefined("the case forbids nothing")
    subjects = {passage["entity"] for passage in output["passages"]}
    titles = {citation["title"] for citation in output["citations"]}
    return value(len(set(case.forbidden_entities) & (subjects | titles)))


EXCLUSION_VIOLATIONS = Measure(
    name="exclusion_violations", version=1, direction="lower", score=exclusion_violations
)
