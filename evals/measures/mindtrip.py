"""The measures of MindTrip, in the order that reports show them."""

from __future__ import annotations

from mindatlas.evals.measures.mindtrip_citations import CITATION_VALIDITY
from mindatlas.evals.measures.mindtrip_context_recall import CONTEXT_RECALL_AT_3, CONTEXT_RECALL_AT_10
from mindatlas.evals.measures.mindtrip_entity_precision import ENTITY_PRECISION
from mindatlas.evals.measures.mindtrip_exclusion import EXCLUSION_VIOLATIONS
from mindatlas.evals.measures.mindtrip_faithfulness import FAITHFULNESS
from mindatlas.evals.measures.mindtrip_refusal import REFUSAL_CORRECTNESS
from mindatlas.evals.measures.mindtrip_unexpected_entities import UNEXPECTED_ENTITY_RATE

MEASURES = (
    CONTEXT_RECALL_AT_10,
    CONTEXT_RECALL_AT_3,
    UNEXPECTED_ENTITY_RATE,
    ENTITY_PRECISION,
    EXCLUSION_VIOLATIONS,
    FAITHFULNESS,
    CITATION_VALIDITY,
    REFUSAL_CORRECTNESS,
)
