"""The measures of AtlasSplit, in the order that reports show them."""

from __future__ import annotations

from mindatlas.evals.measures.atlassplit_correctness import (
    REFUSAL_CORRECTNESS,
    RESULT_CORRECTNESS,
    SILENT_ERROR,
)
from mindatlas.evals.measures.atlassplit_effort import EXECUTIONS, REGENERATIONS
from mindatlas.evals.measures.atlassplit_errors import ERROR_SHARES, SELF_HEAL_RATES
from mindatlas.evals.measures.atlassplit_success import (
    ALTERNATIVE_GAIN,
    FIRST_EXECUTION_SUCCESS,
    FIRST_EXECUTION_SUCCESS_UNAIDED,
    SUCCESS_BY_ROUND,
    SUCCESS_WITHIN_ROUNDS,
)

MEASURES = (
    RESULT_CORRECTNESS,
    SILENT_ERROR,
    REFUSAL_CORRECTNESS,
    FIRST_EXECUTION_SUCCESS,
    FIRST_EXECUTION_SUCCESS_UNAIDED,
    *SUCCESS_BY_ROUND,
    ALTERNATIVE_GAIN,
    SUCCESS_WITHIN_ROUNDS,
    *SELF_HEAL_RATES,
    *ERROR_SHARES,
    EXECUTIONS,
    REGENERATIONS,
)
