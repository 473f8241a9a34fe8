"""Rows, order, bounds, ratios, growth and make-up of a result."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pytest

from mindatlas.nodes.atlassplit.parts.assertions import KINDS, Checked, check, from_dicts
from mindatlas.nodes.atlassplit.parts.assertions.checks import CHECKS
from mindatlas.nodes.atlassplit.parts.execution import Result

INPUT = pd.DataFrame({"店": ["a", "a ", "b", None], "v": [1, 2, 3, 4]})


def run(kind: str, result: Result, *, intact: bool = True, **item: Any) -> Checked:
    (checked,) = check(
        from_dicts([{"kind": kind, **item}], "user"),
        inputs={"df": INPUT},
        active="df",
        result=result,
        input_intact=intact,
    )
    return checked


def table(**columns: list[Any]) -> pd.DataFrame:
    return pd.DataFrame(columns)


def test_every_kind_has_a_check() -> None:
    assert set(CHECKS) == set(KINDS)


@pytest.mark.parametrize(
    ("item", "rows", "difference"),
    [
        ({}, 4, 0),
        ({}, 5, 1),
        ({"expected": 3}, 1, -2),
        ({"expected": {"min": 2}}, 9, 0),
        ({"expected": {"min": 2, "max": 3}}, 5, 2),
        ({"expected": {"min": 2, "max": 3}}, 1, -1),
        ({"by": "店"}, 3, 0),
        ({"by": "店"}, 4, 0),
        ({"by": "店"}, 2, -1),
    ],
)
def test_row_count(item: dict[str, Any], rows: int, difference: int) -> None:
    checked = run("row_count", pd.DataFrame({"店": range(rows)}), **item)
    assert (checked.passed, checked.difference) == (difference == 0, difference)


def test_row_count_adds_up_the_tables_of_a_split() -> None:
    assert run("row_count", {"x": INPUT.iloc[:1], "y": INPUT.iloc[1:]}).passed
    assert run("row_count", {"x": INPUT.iloc[:1], "y": INPUT.iloc[2:]}).difference == -1


def test_unique_key_counts_the_rows_too_many() -> None:
    checked = run("unique_key", table(k=["a", "a", "a", None, None, "A"]), columns=["k"])
    assert (checked.passed, checked.actual, checked.difference) == (False, 3, 3)
    assert "'a'" in checked.reason
    assert run("unique_key", table(k=["a", "a"], m=[1, 2]), columns=["k", "m"]).passed


def test_no_nulls_counts_blank_text_and_names_the_columns() -> None:
    frame = table(a=[None, "x", "  "], b=[1.0, float("nan"), 2], c=[1, 2, 3])
    everywhere = run("no_nulls", frame)
    assert (everywhere.passed, everywhere.actual) == (False, 3)
    assert "'a' 2, 'b' 1" in everywhere.reason
    assert run("no_nulls", frame, column="c").passed
    assert run("no_nulls", frame.iloc[:0]).passed


@pytest.mark.parametrize(
    ("values", "passes", "difference"),
    [
        ([0, 5], True, 0),
        ([3, -2.5], False, -2.5),
        ([-0.005], True, -0.005),
        (["(3)"], False, -3),
        ([], True, None),
    ],
)
def test_non_negative(values: list[Any], passes: bool, difference: float | None) -> None:
    checked = run("non_negative", table(v=values), column="v")
    assert (checked.passed, checked.difference) == (passes, difference)


def test_non_negative_without_columns_looks_at_the_numbers_only() -> None:
    assert run("non_negative", table(name=["a"], v=[1])).passed
    assert not run("non_negative", table(name=["a"], v=[-1])).passed
    assert "say no number" in run("non_negative", table(v=[1, "x"]), column="v").reason


@pytest.mark.parametrize(
    ("expected", "values", "difference"),
    [
        ([0, 1], [0, 1, 0.5, None], 0),
        ([0, 1], [1.5, 0.2], 0.5),
        ({"min": 10}, [1000, 7], -3),
        ({"max": 10}, [-1000, 12], 2),
        ([0, 10], [-3, 11], -3),
        (["2024-01-01", None], [dt.datetime(2023, 12, 30), dt.datetime(2024, 5, 1)], -2),  # noqa: DTZ001 (a cell)
        (["2024-01-01", "2024-12-31"], ["2024-02-01"], 0),
    ],
)
def test_value_in_range(expected: Any, values: list[Any], difference: float) -> None:
    checked = run("value_in_range", table(v=values), column="v", expected=expected)
    assert (checked.passed, checked.difference) == (difference == 0, difference)


def test_bounds_are_one_sided() -> None:
    assert run("min_ratio_satisfied", table(r=[5.0, 0.9]), column="r", expected=0.3).passed
    assert run("value_in_range", table(r=[10**9]), column="r", expected={"min": 0}).passed


@pytest.mark.parametrize(
    ("item", "ratio"),
    [
        ({}, 0.75),
        ({"columns": ["part", "whole"]}, 0.3),
        ({"columns": ["part", "whole"], "by": "g"}, 0.2),
        ({"column": "whole", "by": "g"}, 0.5),
        ({"column": "part"}, 1),
    ],
)
def test_min_ratio(item: dict[str, Any], ratio: float) -> None:
    frame = table(g=["x", "x", "y"], part=[1, 1, 4], whole=[5, 5, 10])
    passed = run("min_ratio_satisfied", frame, expected=ratio, **item)
    failed = run("min_ratio_satisfied", frame, expected=ratio + 0.1, **item)
    assert passed.passed
    assert passed.actual == pytest.approx(ratio)
    assert not failed.passed
    assert failed.difference == pytest.approx(-0.1)


def test_a_ratio_over_zero_cannot_be_checked() -> None:
    checked = run("min_ratio_satisfied", table(a=[1], b=[0]), columns=["a", "b"], expected=0.1)
    assert not checked.passed
    assert "0 below the line" in checked.reason


GROWTH = table(g=["x", "x", "x", "y", "y"], v=[100, 150, 75, 0, 10], r=[None, 0.5, -0.5, None, float("inf")])


def test_growth_is_recomputed_by_group() -> None:
    assert run("growth_rate_check", GROWTH, columns=["v", "r"], by="g").passed
    wrong = GROWTH.assign(r=[0, 0.5, 0.9, 0, 0])
    checked = run("growth_rate_check", wrong, columns=["v", "r"], by="g")
    assert (checked.passed, checked.expected, checked.actual) == (False, -0.5, 0.9)
    assert checked.difference == pytest.approx(1.4)
    assert "row 3 of 'x'" in checked.reason


@pytest.mark.parametrize("rates", [[None, 50, -50, None, None], ["", "50%", "-50.00%", "-", "-"]])
def test_growth_in_percent_and_as_text(rates: list[Any]) -> None:
    assert run("growth_rate_check", GROWTH.assign(r=rates), columns=["v", "r"], by="g").passed


def test_growth_over_a_lag_and_of_the_last_row() -> None:
    frame = table(v=[100, 200, 150, 300], r=[None, None, 0.5, 0.5])
    assert run("growth_rate_check", frame, columns=["v", "r"], lag=2).passed
    assert not run("growth_rate_check", frame, columns=["v", "r"]).passed
    assert run("growth_rate_check", frame, column="v", expected=1.0).passed
    assert run("growth_rate_check", frame, column="v", expected=0.9).difference == pytest.approx(0.1)


def test_a_missing_rate_is_wrong_where_there_is_one_to_state() -> None:
    checked = run("growth_rate_check", table(v=[1, 2], r=[None, None]), columns=["v", "r"])
    assert (checked.passed, checked.actual, checked.difference) == (False, None, None)
    assert run("growth_rate_check", table(v=[1], r=[None]), columns=["v", "r"]).passed


@pytest.mark.parametrize(
    ("values", "expected", "violations"),
    [
        ([1, 1, 2], None, 0),
        ([1, 1, 2], "strictly_increasing", 1),
        ([3, 2, None, 2.5], "decreasing", 1),
        (["1,000", "20"], "decreasing", 0),
        (["2024-01", "2024-02"], "increasing", 0),
        ([0.125, 0.121], "increasing", 1),
    ],
)
def test_monotonic(values: list[Any], expected: str | None, violations: int) -> None:
    checked = run("monotonic", table(v=values), column="v", expected=expected)
    assert (checked.passed, checked.actual) == (violations == 0, violations)


def test_monotonic_within_groups_and_not_over_mixed_types() -> None:
    frame = table(g=["a", "b", "a", "b", "合计"], v=[1, 9, 2, 10, 0])
    assert run("monotonic", frame, column="v", by="g").passed
    assert "several types" in run("monotonic", table(v=["x", dt.date(2024, 1, 1)]), column="v").reason


def test_columns_present_lists_the_real_ones() -> None:
    checked = run("columns_present", pd.DataFrame({"城市": [1], "ＡＢ": [2]}), columns=["城市", "ab", "额"])
    assert (checked.passed, checked.actual, checked.difference) == (False, ["城市", "ab"], None)
    assert "missing: '额'; there are '城市', 'ＡＢ'" in checked.reason
    assert run("columns_present", table(a=[1]), expected=["a"]).passed


def test_sheet_set_from_names_and_from_the_split_column() -> None:
    one = INPUT.iloc[:1]
    assert run("sheet_set", {"B": one, "a": one}, expected=["a", "b"]).passed
    wrong = run("sheet_set", {"a": one, "c": one}, expected=["a", "b"])
    assert "missing: 'b'; not expected: 'c'" in wrong.reason
    assert run("sheet_set", {"a": one, "b": one, "空白": one}, column="店").passed
    assert not run("sheet_set", {"a": one, "b": one, "空白": one, "x": one}, column="店").passed
    assert not run("sheet_set", one, expected=["a"]).passed


def test_input_intact() -> None:
    assert run("input_intact", INPUT).passed
    assert not run("input_intact", INPUT, intact=False).passed


@pytest.mark.parametrize(
    ("result", "changed"),
    [
        (INPUT.copy(), False),
        (INPUT.astype({"v": float}), False),
        (INPUT.iloc[::-1], True),
        (INPUT.assign(v=["1", "2", "3", "4"]), True),
        (INPUT.rename(columns={"v": "w"}), True),
        ({"a": INPUT, "b": INPUT}, False),
        ({"a": INPUT.iloc[:1], "b": INPUT.iloc[1:]}, True),
        (5, True),
    ],
)
def test_changed_something(result: Result, changed: bool) -> None:
    assert run("changed_something", result).passed is changed
    assert run("changed_something", result, expected=False).passed is not changed


def test_changed_columns() -> None:
    assert not run("changed_something", INPUT.assign(v=0), column="店").passed
    assert run("changed_something", INPUT.assign(v=0), column="v").passed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "result",
    [None, 3, "x", {}, pd.DataFrame(), table(k=[[1], {2}], v=[object(), dt.time(1)]), INPUT.iloc[:0]],
    ids=["none", "number", "text", "no tables", "no columns", "odd cells", "no rows"],
)
def test_no_result_crashes_a_check(kind: Any, result: Result) -> None:
    from mindatlas.nodes.atlassplit.parts.assertions import Assertion

    for columns in [(), ("v",), ("k", "v")]:
        for expected in [None, 1, [0, 1], ["2024-01-01", None], {"a": 1}, "increasing"]:
            assertion = Assertion(kind=kind, columns=columns, by=("店",), expected=expected)
            (checked,) = check([assertion], inputs={"df": INPUT}, active="df", result=result)
            assert checked.passed or checked.reason or checked.difference != 0 or checked.actual is False
