"""Checking a result against its assertions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.agreement import find_agreement, writers_agree
from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion, AssertionKind, Checked
from mindatlas.nodes.atlassplit.parts.assertions.changes import changed_something, input_intact
from mindatlas.nodes.atlassplit.parts.assertions.evidence import CannotCheckError, Evidence, Finding
from mindatlas.nodes.atlassplit.parts.assertions.group_sums import group_sums_match_total
from mindatlas.nodes.atlassplit.parts.assertions.growth import growth_rate_check
from mindatlas.nodes.atlassplit.parts.assertions.order import monotonic
from mindatlas.nodes.atlassplit.parts.assertions.ratios import min_ratio_satisfied
from mindatlas.nodes.atlassplit.parts.assertions.rows import no_nulls, row_count, unique_key
from mindatlas.nodes.atlassplit.parts.assertions.tables import columns_present, sheet_set
from mindatlas.nodes.atlassplit.parts.assertions.total_sum import total_sum_match
from mindatlas.nodes.atlassplit.parts.assertions.value_range import non_negative, value_in_range
from mindatlas.nodes.atlassplit.parts.execution import Result

CHECKS: Final[Mapping[AssertionKind, Callable[[Assertion, Evidence], Finding]]] = {
    "total_sum_match": total_sum_match,
    "group_sums_match_total": group_sums_match_total,
    "min_ratio_satisfied": min_ratio_satisfied,
    "growth_rate_check": growth_rate_check,
    "row_count": row_count,
    "unique_key": unique_key,
    "no_nulls": no_nulls,
    "non_negative": non_negative,
    "columns_present": columns_present,
    "sheet_set": sheet_set,
    "value_in_range": value_in_range,
    "monotonic": monotonic,
    "input_intact": input_intact,
    "changed_something": changed_something,
    "writers_agree": writers_agree,
}
# What odd cells can do to a check: types that do not compare or hash, dates and numbers out of range.
_ODD_CELLS: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def check(
    assertions: Iterable[Assertion],
    *,
    inputs: Mapping[str, pd.DataFrame],
    active: str,
    result: Result,
    input_intact: bool = True,
) -> list[Checked]:
    """Return what came of each assertion, in order; one that cannot be evaluated fails and says why.

    Args:
        assertions: From all sources.
        inputs: The tables that the code saw, by key, as they were before it ran.
        active: The key of the table that the code saw as `df`.
        result: What the code left.
        input_intact: Whether the sandbox found the tables unchanged afterwards.
    """
    evidence = Evidence(inputs=inputs, active=active, result=result, input_intact=input_intact)
    return [_checked(assertion, _find(assertion, evidence)) for assertion in assertions]


def check_agreement(assertion: Assertion, *, result: Result, other: Result) -> Checked:
    """Return whether two writers' results agree, both at hand in full; see `writers_agree`."""
    try:
        finding = find_agreement(result, other, assertion.tolerance)
    except CannotCheckError as error:
        finding = Finding(passed=False, reason=str(error))
    return _checked(assertion, finding)


def _find(assertion: Assertion, evidence: Evidence) -> Finding:
    try:
        return CHECKS[assertion.kind](assertion, evidence)
    except CannotCheckError as error:
        return Finding(passed=False, expected=assertion.expected, reason=str(error))
    except _ODD_CELLS as error:
        told = f"cannot be evaluated: {type(error).__name__}: {error}"
        return Finding(passed=False, expected=assertion.expected, reason=told, quoted=(str(error),))


def _checked(assertion: Assertion, finding: Finding) -> Checked:
    return Checked(
        kind=assertion.kind,
        source=assertion.source,
        description=assertion.description,
        expected=finding.expected,
        actual=finding.actual,
        difference=None if finding.difference is None else float(finding.difference),
        tolerance=assertion.tolerance,
        passed=finding.passed,
        reason=finding.reason,
        quoted=finding.quoted,
    )
