from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.evals.measures.atlassplit_cells import is_same
from mindatlas.evals.measures.atlassplit_results import is_expected
from mindatlas.evals.measures.atlassplit_tolerances import Tolerance, is_close


def table(columns: list[str], *rows: list[Any], n_rows: int | None = None) -> dict[str, Any]:
    return {
        "kind": "table",
        "columns": columns,
        "rows": list(rows),
        "n_rows": len(rows) if n_rows is None else n_rows,
    }


EXPECTED = table(["门店", "销售额"], ["甲", 10.5], ["乙", 20])


@pytest.mark.parametrize(
    ("found", "expected", "tolerance", "close"),
    [
        (3, 3.0, "exact", True),
        (3.0000001, 3, "exact", False),
        (0.1 + 0.2, 0.3, "float64", True),
        (10.004, 10.0, "cent", True),
        (10.006, 10.0, "cent", False),
        (0.1234, 0.12344, "basis_point", True),
        (0.1234, 0.1236, "basis_point", False),
        (float("nan"), 1.0, "cent", False),
        (float("inf"), 1.0, "cent", False),
    ],
)
def test_tolerances_by_name(found: float, expected: float, tolerance: Tolerance, close: bool) -> None:
    assert is_close(found, expected, tolerance) is close


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        ("2024-01-05T00:00:00", "2024-01-05", True),
        ("2024-01-05T10:00:00", "2024-01-05", False),
        ("2024年3月", "2024-03", True),
        ("2024-03-01", "2024-03", True),
        ("2024-03-02", "2024-03", False),
        ("2024Q2", "2024-Q2", True),
        ("2024年第2季度", "2024-Q2", True),
        ("2024Q3", "2024-Q2", False),
        ("1,200.00", 1200, False),
        ("001", "001", True),
        (1, "001", False),
        (True, 1, False),
        (None, None, True),
        ("", None, True),
        (0, None, False),
        (None, 0, False),
    ],
)
def test_cells(found: Any, expected: Any, same: bool) -> None:
    assert is_same(found, expected, "cent") is same


@pytest.mark.parametrize(
    ("found", "right"),
    [
        (table(["门店", "销售额"], ["乙", 20], ["甲", 10.5]), True),
        (table(["销售额", "门店"], [20, "乙"], [10.5, "甲"]), True),
        (table(["门店", "合计"], ["甲", 10.5], ["乙", 20]), True),
        (table(["门店", "笔数", "销售额"], ["甲", 1, 10.5], ["乙", 2, 20]), True),
        (table(["门店", "销售额"], ["甲", 20], ["乙", 10.5]), False),
        (table(["门店", "销售额"], ["甲", 10.5]), False),
        (table(["门店", "销售额"], ["甲", 10.5], ["乙", 20], ["丙", 0]), False),
        (table(["门店", "销售额"], ["甲", 10.5], ["乙", 20], n_rows=300), False),
        (table(["门店"], ["甲"], ["乙"]), False),
        ({"kind": "scalar", "value": 30.5}, False),
        (None, False),
    ],
)
def test_a_table_holds_what_is_expected_whatever_its_columns_are_called(found: Any, right: bool) -> None:
    assert is_expected(found, EXPECTED, "cent") is right


def test_a_column_of_the_same_name_is_the_one_that_is_judged() -> None:
    found = table(["门店", "销售额", "另一列"], ["甲", 1, 10.5], ["乙", 2, 20])
    assert not is_expected(found, EXPECTED, "cent")


def test_two_columns_of_the_same_values_are_told_apart_by_their_rows() -> None:
    expected = table(["a", "b"], ["x", 1], ["y", 2])
    assert is_expected(table(["p", "q", "k"], [2, 1, "x"], [1, 2, "y"]), expected, "exact")


def test_the_order_counts_only_where_it_is_asked_for() -> None:
    turned = table(["门店", "销售额"], ["乙", 20], ["甲", 10.5])
    assert is_expected(turned, EXPECTED, "cent")
    assert not is_expected(turned, EXPECTED, "cent", ordered=True)


def test_a_scalar_may_stand_in_a_table_of_one_cell() -> None:
    expected = {"kind": "scalar", "value": 5}
    assert is_expected({"kind": "scalar", "value": 5.0}, expected, "exact")
    assert is_expected(table(["n"], [5]), expected, "exact")
    assert not is_expected(table(["n", "m"], [5, 6]), expected, "exact")
    assert not is_expected({"kind": "scalar", "value": None}, expected, "exact")


def test_an_empty_table_is_expected_only_where_it_is_empty() -> None:
    nothing = table(["id"])
    assert is_expected(table(["id", "x"]), nothing, "exact")
    assert not is_expected(table(["id"], ["a"]), nothing, "exact")


def test_tables_bear_the_expected_names() -> None:
    part = {"columns": ["k"], "rows": [["x"]]}
    expected = {"kind": "tables", "tables": {"甲": part, "乙": part}}
    found = {name: {**part, "n_rows": 1} for name in ("甲", "乙")}
    assert is_expected({"kind": "tables", "tables": found}, expected, "exact")
    assert not is_expected({"kind": "tables", "tables": {"甲": found["甲"]}}, expected, "exact")


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-9, 9)), max_size=6), st.randoms())
def test_rows_and_columns_in_another_order_are_the_same_result(rows: list[tuple[str, int]], rng: Any) -> None:
    expected = table(["k", "n"], *(list(row) for row in rows))
    mixed = [[number, key] for key, number in rows]
    rng.shuffle(mixed)
    assert is_expected(table(["n", "k"], *mixed), expected, "exact")


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(-9, 9)), min_size=1, max_size=6), st.data())
def test_one_changed_number_is_another_result(rows: list[tuple[str, int]], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(rows) - 1))
    changed = [[key, number + (place == at)] for place, (key, number) in enumerate(rows)]
    expected = table(["k", "n"], *(list(row) for row in rows))
    assert not is_expected(table(["k", "n"], *changed), expected, "exact")
