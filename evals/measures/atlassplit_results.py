"""Whether a result is the expected one, whatever its columns are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mindatlas.evals.measures.atlassplit_cells import is_same, same_rows
from mindatlas.evals.measures.atlassplit_tolerances import Tolerance

Result = Mapping[str, Any]
_MOST_WAYS = 1000  # of giving the result's columns to the expected ones


def is_expected(
    result: Result | None, expected: Result, tolerance: Tolerance, *, ordered: bool = False
) -> bool:
    """Return whether `result` holds what is expected.

    A table holds it when there is a way to give each expected column one of the result's, with the same rows: the
    column of the same name, else any whose values fit, for writers choose names of their own. Further columns are
    not judged. A single value may also stand in a table of one cell. Tables must bear the expected names.
    """
    if result is None:
        return False
    if expected["kind"] == "scalar":
        found = _single(result)
        return bool(found) and is_same(found[0], expected["value"], tolerance)
    if expected["kind"] == "tables":
        return _are_expected_tables(result, expected, tolerance)
    return result["kind"] == "table" and _is_expected_table(result, expected, tolerance, ordered=ordered)


def _single(result: Result) -> list[Any]:
    if result["kind"] == "scalar":
        return [result["value"]]
    if result["kind"] == "table" and result["n_rows"] == 1 and len(result["columns"]) == 1:
        return [result["rows"][0][0]]
    return []


def _are_expected_tables(result: Result, expected: Result, tolerance: Tolerance) -> bool:
    if result["kind"] != "tables" or set(result["tables"]) != set(expected["tables"]):
        return False
    return all(
        _is_expected_table(result["tables"][name], part, tolerance, ordered=False)
        for name, part in expected["tables"].items()
    )


def _is_expected_table(found: Result, expected: Result, tolerance: Tolerance, *, ordered: bool) -> bool:
    if found["n_rows"] != len(expected["rows"]):
        return False
    if not expected["rows"]:
        return True
    for tried, ways in enumerate(_ways(found, expected, tolerance)):
        rows = [[row[at] for at in ways] for row in found["rows"]]
        if same_rows(rows, expected["rows"], tolerance, ordered=ordered):
            return True
        if tried >= _MOST_WAYS:
            break
    return False


def _ways(found: Result, expected: Result, tolerance: Tolerance) -> Iterator[list[int]]:
    """Yield ways to give each expected column a column of the result, as positions."""
    choices = [_fitting(found, expected, at, tolerance) for at in range(len(expected["columns"]))]
    yield from _distinct(choices)


def _fitting(found: Result, expected: Result, at: int, tolerance: Tolerance) -> list[int]:
    """Return the positions that may stand for an expected column: that of the same name, else all that fit."""
    name = expected["columns"][at]
    if name in found["columns"]:
        return [found["columns"].index(name)]
    wanted = [[row[at]] for row in expected["rows"]]
    others = [other for other, known in enumerate(found["columns"]) if known not in expected["columns"]]
    return [
        other
        for other in others
        if same_rows([[row[other]] for row in found["rows"]], wanted, tolerance, ordered=False)
    ]


def _distinct(choices: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield one position of each choice, no position twice."""
    if not choices:
        yield []
        return
    for rest in _distinct(choices[1:]):
        yield from ([at, *rest] for at in choices[0] if at not in rest)
