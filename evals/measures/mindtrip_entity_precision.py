"""Entity precision: of the subjects that the answer names, the share that a good answer may use.

precision = |named ∩ (expected_entities ∪ named in the question)| / |named|, where `named` are the distinct known
names in the claims of the answer, towns left out: "万宁的石梅湾" names a place and says where it lies.

Range [0, 1], higher is better. Undefined for a refusal, and where the answer names none. A sentence quoted as written
may mention a neighbour in passing; that lowers this measure and not the unexpected entity rate, so the two are
read together.
"""

from __future__ import annotations

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value


def entity_precision(case: Case, output: Output) -> Scored:
    """Return the share of the named subjects that are expected."""
    named = set(output.get("answer_entities", ()))
    if not named:
        return undefined("the answer names no subject")
    asked = {name for name in named if name in case.query}
    return value(len(named & (set(case.expected_entities) | asked)) / len(named))


ENTITY_PRECISION = Measure(name="entity_precision", version=1, direction="higher", score=entity_precision)
