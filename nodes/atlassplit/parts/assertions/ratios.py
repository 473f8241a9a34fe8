"""The check of a smallest allowed ratio."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion
from mindatlas.nodes.atlassplit.parts.assertions.comparison import expected_number, numbers_in
from mindatlas.nodes.atlassplit.parts.assertions.evidence import CannotCheckError, Evidence, Finding
from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import divide, subtract, to_json, total
from mindatlas.nodes.atlassplit.parts.assertions.group_keys import Key, key_text, keys_of
from mindatlas.nodes.atlassplit.parts.assertions.result_rows import data_rows


def min_ratio_satisfied(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether a ratio is at least the expected one: ratio ≥ expected − tolerance; more passes.

    The ratio is
    - without columns: rows of the result / rows of the active input;
    - for (part, whole): Σ part / Σ whole, with `by` the smallest of the groups;
    - for one column with `by`: the smallest share of a group, Σ over the group / Σ over all;
    - for one column alone, which holds ratios: its smallest value.

    Total rows of the result do not count. A ratio over 0 cannot be evaluated.
    """
    expected = expected_number(assertion)
    label, ratio = _smallest_ratio(assertion, evidence)
    difference = subtract(ratio, expected)
    return Finding(
        passed=difference >= 0 or assertion.tolerance.accepts(difference, expected),
        expected=to_json(expected),
        actual=to_json(ratio),
        difference=difference,
        reason=f"the smallest is that of {label!r}" if label else "",
        quoted=(label,) if label else (),
    )


def _smallest_ratio(assertion: Assertion, evidence: Evidence) -> tuple[str, Decimal]:
    tables = evidence.tables(assertion.table).values()
    if not assertion.columns:
        rows = sum(len(frame) for frame in tables)
        return "", _ratio(Decimal(rows), Decimal(len(evidence.inputs[evidence.active])))
    frame = pd.concat([data_rows(frame, evidence, assertion.by)[0] for frame in tables], ignore_index=True)
    if len(assertion.columns) == 1 and not assertion.by:
        present = numbers_in(frame, assertion.columns[0]).present
        if not present:
            raise CannotCheckError(f"column {assertion.columns[0]!r} holds no number")
        return "", min(present)
    if len(assertion.columns) > 2:
        raise CannotCheckError(f"needs at most two columns, not {len(assertion.columns)}")
    sums = [_group_sums(frame, name, assertion.by) for name in assertion.columns]
    return _smallest_share(sums)


def _group_sums(frame: pd.DataFrame, name: str, by: Sequence[str]) -> dict[Key, Decimal]:
    groups: dict[Key, list[Decimal]] = {}
    for key, value in zip(keys_of(frame, by), numbers_in(frame, name).values, strict=True):
        groups.setdefault(key, []).append(value or Decimal(0))
    return {key: total(numbers) for key, numbers in groups.items()}


def _smallest_share(sums: Sequence[dict[Key, Decimal]]) -> tuple[str, Decimal]:
    """Return the group of the smallest share and that share; on a tie the first by name."""
    parts = sums[0]
    wholes = sums[1] if len(sums) == 2 else dict.fromkeys(parts, total(parts.values()))
    shares = [(_ratio(part, wholes[key]), key_text(key)) for key, part in parts.items()]
    if not shares:
        raise CannotCheckError("there is no row to take a ratio of")
    share, label = min(shares)
    return label, share


def _ratio(part: Decimal, whole: Decimal) -> Decimal:
    if not whole:
        raise CannotCheckError("the ratio has 0 below the line")
    return divide(part, whole)
