"""Result correctness, silent errors and refusal correctness: what the user has in the end.

result_correctness: 1 when the published result is the expected one within the case's named tolerance, else 0; a run
that published none scores 0. Undefined for a task that must be refused. Range {0, 1}, higher is better.

silent_error: 1 when a run says that it passed and the result is not the expected one, or the task must be refused;
else 0. These are the errors that no check noticed. Always defined. Range {0, 1}, lower is better.

refusal_correctness: 1 where a task that must be refused was refused, and where any other was not; else 0. A run that
gave up after failed rounds has not refused. Always defined. Range {0, 1}, higher is better.
"""

from __future__ import annotations

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.atlassplit_results import is_expected
from mindatlas.evals.measures.measure import Measure, Output, Scored, undefined, value


def result_correctness(case: Case, output: Output) -> Scored:
    """Return 1 when the result is the expected one."""
    if must_refuse(case):
        return undefined("the task must be refused")
    return value(output["status"] == "pass" and _right(case, output))


def silent_error(case: Case, output: Output) -> Scored:
    """Return 1 when a wrong result was published as passed."""
    return value(output["status"] == "pass" and (must_refuse(case) or not _right(case, output)))


def refusal_correctness(case: Case, output: Output) -> Scored:
    """Return 1 when refusing, or not refusing, was right."""
    return value((output["stop_reason"] == "refused") == must_refuse(case))


def must_refuse(case: Case) -> bool:
    """Return whether a case's task cannot be done as asked."""
    return bool(case.extra.get("must_refuse", False))


def _right(case: Case, output: Output) -> bool:
    return is_expected(
        output["result"],
        case.expected,
        case.extra.get("tolerance", "exact"),
        ordered=bool(case.extra.get("ordered", False)),
    )


RESULT_CORRECTNESS = Measure(
    name="result_correctness", version=1, direction="higher", score=result_correctness
)
SILENT_ERROR = Measure(name="silent_error", version=1, direction="lower", score=silent_error)
REFUSAL_CORRECTNESS = Measure(
    name="refusal_correctness", version=1, direction="higher", score=refusal_correctness
)
