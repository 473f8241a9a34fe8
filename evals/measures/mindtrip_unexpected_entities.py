"""Unexpected entity rate: of the subjects of the passages used, the share that no good answer uses.

rate = |subjects of the passages used − expected_entities| / |subjects of the passages used|, subjects counted once.

Range [0, 1], lower is better. Undefined where no passage was used (a refusal uses none). A case that must be
refused expects no entity, so every subject that an answer to it uses is unexpected.
"""

from __future__ import annotations

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value


def unexpected_entity_rate(case: Case, output: Output) -> Scored:
    """Return the share of unexpected subjects among those of the passages used."""
    subjects = {passage["entity"] for passage in output["passages"]}
    if not subjects:
        return undefined("no passage was used")
    return value(len(subjects - set(case.expected_entities)) / len(subjects))


UNEXPECTED_ENTITY_RATE = Measure(
    name="unexpected_entity_rate", version=1, direction="lower", score=unexpected_entity_rate
)
