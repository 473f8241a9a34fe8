"""What a run took: executions, and programs that the precheck sent back.

executions: how many programs ran. regenerations: how many programs the precheck sent back before they ran.
Both are counts from 0, lower is better, undefined where no program was executed (a refusal takes none).
"""

from __future__ import annotations

from mindatlas.evals.measures.atlassplit_success import where_ran
from mindatlas.evals.measures.measure import Measure, Output, Scored, value


def _executions(output: Output) -> Scored:
    return value(output["executions"])


def _regenerations(output: Output) -> Scored:
    return value(output["precheck_regenerations"])


EXECUTIONS = Measure(name="executions", version=1, direction="lower", score=where_ran(_executions))
REGENERATIONS = Measure(name="regenerations", version=1, direction="lower", score=where_ran(_regenerations))
