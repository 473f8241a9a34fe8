"""The check that two writers came to the same result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, Final

import pandas as pd

from mindatlas.nodes.atlassplit.parts.assertions.assertion import Assertion, Json, Tolerance
from mindatlas.nodes.atlassplit.parts.assertions.evidence import CannotCheckError, Evidence, Finding
from mindatlas.nodes.atlassplit.parts.assertions.table_comparison import Comparison, compare_tables
from mindatlas.nodes.atlassplit.parts.execution import Result
from mindatlas.nodes.text import fold

_MOST_TOLD: Final = 3


def writers_agree(assertion: Assertion, evidence: Evidence) -> Finding:
    """Return whether the result is what another writer's program gave, which is `expected`.

    `expected` has the form of the command's output: {"kind": "table", "columns", "rows"}, {"kind": "tables",
    "tables": {name: {"columns", "rows"}}} or {"kind": "scalar", "value"}, with all rows. Compared as
    `find_agreement` does.
    """
    if not isinstance(assertion.expected, Mapping):
        raise CannotCheckError("expects the result of another writer")
    try:
        other = _read(assertion.expected)
    except (KeyError, TypeError, ValueError) as error:
        raise CannotCheckError(f"the result of the other writer is malformed: {error}") from error
    return find_agreement(evidence.result, other, assertion.tolerance)


def find_agreement(result: Result, other: Result, tolerance: Tolerance) -> Finding:
    """Return whether two results hold the same values; the difference is the number of rows that differ.

    Numbers are compared within the tolerance, text folded, dates as days; the order of rows and columns is
    not compared. A column of the other result stands under its name, or under any if its values fit; more
    columns are fine. A single value is a table of one cell, and a table alone is also one of a set.
    """
    mine, theirs = _tables(result), _tables(other)
    comparisons = []
    if len(mine) == len(theirs) == 1:
        comparisons.append(compare_tables(next(iter(mine.values())), next(iter(theirs.values())), tolerance))
    else:
        comparisons += [_missing(name, frame) for name, frame in theirs.items() if name not in mine]
        comparisons += [_missing(name, frame) for name, frame in mine.items() if name not in theirs]
        comparisons += [
            _named(name, compare_tables(mine[name], frame, tolerance))
            for name, frame in theirs.items()
            if name in mine
        ]
    told = [text for comparison in comparisons for text in comparison.problems]
    more = [f"and {len(told) - _MOST_TOLD} more"] if len(told) > _MOST_TOLD else []
    return Finding(
        passed=not told,
        expected=_summary(other),
        actual=_summary(result),
        difference=Decimal(sum(comparison.rows for comparison in comparisons)),
        reason="; ".join([*told[:_MOST_TOLD], *more]),
        quoted=tuple(text for comparison in comparisons for text in comparison.quoted),
    )


def _tables(result: Result) -> dict[str, pd.DataFrame]:
    if isinstance(result, dict):
        return {fold(name): frame for name, frame in result.items()}
    if isinstance(result, pd.DataFrame):
        return {"": result}
    if result is None:
        raise CannotCheckError("one of the writers left no result")
    return {"": pd.DataFrame({"value": [result]})}


def _missing(name: str, frame: pd.DataFrame) -> Comparison:
    return Comparison(problems=(f"only one result has a table {name!r}",), rows=len(frame), quoted=(name,))


def _named(name: str, comparison: Comparison) -> Comparison:
    problems = tuple(f"table {name!r}: {text}" for text in comparison.problems)
    return replace(comparison, problems=problems, quoted=(*comparison.quoted, *([name] if problems else [])))


def _summary(result: Result) -> Json:
    """Return what stands for a result in the record: a single value, else the sizes of its tables."""
    if isinstance(result, dict):
        return {name: f"{len(frame)} x {frame.shape[1]}" for name, frame in result.items()}
    if isinstance(result, pd.DataFrame):
        return f"{len(result)} x {result.shape[1]}"
    return result


def _read(told: Mapping[str, Any]) -> Result:
    if told["kind"] == "scalar":
        value = told["value"]
        if not isinstance(value, int | float | str | bool):
            raise TypeError("it is no single value")
        return value
    if told["kind"] == "tables":
        return {name: _frame(table) for name, table in told["tables"].items()}
    return _frame(told)


def _frame(table: Mapping[str, Any]) -> pd.DataFrame:
    columns, rows = list(table["columns"]), list(table["rows"])
    if table.get("n_rows", len(rows)) != len(rows):
        raise ValueError(f"it is cut to {len(rows)} rows")
    cells = zip(*rows, strict=True) if rows else [()] * len(columns)
    frame = pd.DataFrame({at: pd.Series(list(column), dtype=object) for at, column in enumerate(cells)})
    frame.columns = pd.Index(columns, dtype=object)
    return frame
