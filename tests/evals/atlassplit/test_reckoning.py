from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Any

import pytest

from mindatlas.evals.atlassplit.reckoning import (
    crossed,
    different,
    first,
    grouped,
    growth,
    joined,
    mean,
    median,
    month,
    quarter,
    shares,
    top_groups,
    total,
    without_repeats,
)

ROWS: list[dict[str, Any]] = [
    {"k": "b", "t": "x", "n": 4, "d": dt.date(2024, 3, 31)},
    {"k": "a", "t": "x", "n": 1, "d": dt.date(2024, 4, 1)},
    {"k": "a", "t": "y", "n": None, "d": dt.date(2024, 4, 2)},
    {"k": "a", "t": "y", "n": 2, "d": dt.date(2024, 12, 1)},
]


def test_figures_of_groups_leave_blanks_out() -> None:
    found = grouped(
        ROWS, {"k": "k"}, sum=total("n"), mean=mean("n"), median=median("n"), rows=len, t=different("t")
    )
    assert found["rows"] == [["a", 3, 1.5, 1.5, 3, 2], ["b", 4, 4, 4, 1, 1]]
    assert found["columns"] == ["k", "sum", "mean", "median", "rows", "t"]


def test_periods() -> None:
    assert [month("d")(row) for row in ROWS] == ["2024-03", "2024-04", "2024-04", "2024-12"]
    assert [quarter("d")(row) for row in ROWS] == ["2024-Q1", "2024-Q2", "2024-Q2", "2024-Q4"]


def test_growth_has_no_value_without_an_earlier_period() -> None:
    figures = [("1", Fraction(10)), ("2", Fraction(15)), ("3", Fraction(12))]
    assert [line[2] for line in growth(figures)] == [None, Fraction(1, 2), Fraction(-1, 5)]
    assert [line[2] for line in growth(figures, 2)] == [None, None, Fraction(1, 5)]


def test_shares_add_up_to_one() -> None:
    assert shares(ROWS, "k", "n") == [["a", 3, Fraction(3, 7)], ["b", 4, Fraction(4, 7)]]


def test_a_shared_last_place_has_no_answer() -> None:
    rows: list[dict[str, Any]] = [{"n": 3}, {"n": 2}, {"n": 2}]
    assert first(rows, 1, lambda row: row["n"]) == [{"n": 3}]
    with pytest.raises(ValueError, match="place 2 is shared"):
        first(rows, 2, lambda row: row["n"])
    assert top_groups(ROWS, "k", total("n"), 1) == [["b", 4]]


def test_a_cross_table_without_one_of_its_pairs_has_no_answer() -> None:
    full = [*ROWS, {"k": "b", "t": "y", "n": 7}]
    assert crossed(full, "k", "t", total("n"))["rows"] == [["a", 1, 2], ["b", 4, 7]]
    with pytest.raises(ValueError, match="no row for each"):
        crossed(ROWS, "k", "t", total("n"))


def test_a_lookup_leaves_what_is_not_found_blank() -> None:
    found = joined([{"id": 1}, {"id": 2}], [{"id": 1, "name": "one"}], "id")
    assert found == [{"id": 1, "name": "one"}, {"id": 2, "name": None}]


def test_of_repeated_rows_the_first_stays() -> None:
    assert without_repeats([{"a": 1}, {"a": 1}, {"a": 2}]) == [{"a": 1}, {"a": 2}]
