"""Context recall: how much of the context that a good answer needs was found, at two stages.

Without groups: recall@k = min(1, |expected_context ∩ first k| / min(k, needed)), where `needed` is how many of the
expected passages a good answer needs (the case's `context_needed`, else all of them). The cap is that of BEIR's
capped recall (Thakur et al., NeurIPS 2021): with more right passages than places, filling the places is 1.

With `context_groups` (a comparison needs something about each side): the share of groups of which at least one
passage is among the first k.

Range [0, 1], higher is better. Undefined where the case expects no context (it must be refused). A refusal or an
empty list where context was expected scores 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value

CANDIDATES, USED = 10, 3


def recall(case: Case, found: Sequence[str], k: int) -> Scored:
    """Return the recall of the first `k` of `found`, passage ids in rank order."""
    if not case.expected_context:
        return undefined("the case expects no context")
    first = set(found[:k])
    if groups := case.extra.get("context_groups"):
        return value(sum(bool(first & set(group)) for group in groups) / len(groups))
    needed = min(k, int(case.extra.get("context_needed", len(case.expected_context))))
    return value(min(1.0, len(first & set(case.expected_context)) / needed))


def _of_candidates(case: Case, output: Output) -> Scored:
    return recall(case, output["candidates"], CANDIDATES)


def _of_passages(case: Case, output: Output) -> Scored:
    return recall(case, [passage["id"] for passage in output["passages"]], USED)


CONTEXT_RECALL_AT_10 = Measure(
    name="context_recall_at_10", version=1, direction="higher", score=_of_candidates
)
CONTEXT_RECALL_AT_3 = Measure(name="context_recall_at_3", version=1, direction="higher", score=_of_passages)
