"""Two writers' results: the same whatever the order of rows and the names of columns, and not otherwise."""

from __future__ import annotations

import random
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.assertions import Assertion, check, check_agreement
from mindatlas.nodes.atlassplit.parts.execution import Result

AGREE = Assertion(kind="writers_agree", source="writer", description="both writers agree")
MINE = pd.DataFrame(
    {"店": ["a", "b", float("nan")], "日": pd.to_datetime(["2024-01-01"] * 3), "额": [1.0, 2.5, 3.004]}
)


@pytest.mark.parametrize(
    "other",
    [
        MINE,
        MINE.iloc[::-1],
        MINE[["额", "店", "日"]],
        MINE.rename(columns={"额": "总额"}),
        MINE.drop(columns="日"),
        MINE.assign(额=[1, 2.5, 3]),
        MINE.assign(店=["Ａ ", "b", float("nan")]),
        {"": MINE},
    ],
    ids=["same", "order", "columns", "renamed", "fewer", "rounded", "folded", "alone"],
)
def test_the_same_values_agree(other: Result) -> None:
    assert check_agreement(AGREE, result=MINE, other=other).passed


@pytest.mark.parametrize(
    ("other", "rows", "reason"),
    [
        (MINE.assign(额=[1, 2.5, 9]), 1, "1 of 3 rows differ, such as '额': 3.004, and 9 from the other"),
        (MINE.iloc[:2], 1, "3 rows, and 2 from the other writer"),
        (MINE.assign(x=[7, 8, 9]), 3, "no column holds 'x'"),
        ({"p": MINE, "q": MINE.iloc[:1]}, 7, "only one result has a table 'p'"),
        (None, None, "left no result"),
    ],
)
def test_other_values_differ(other: Result, rows: int | None, reason: str) -> None:
    checked = check_agreement(AGREE, result=MINE, other=other)
    assert not checked.passed
    assert reason in checked.reason
    assert checked.difference == rows


@pytest.mark.parametrize(
    ("column", "mine", "theirs"),
    [
        ("年份", ["2022", "2023"], pd.array([2022, 2023], dtype="Int64")),
        ("年份", [2022, 2023], ["2022", "2023"]),
        ("月份", pd.to_datetime(["2024-01-31", "2024-02-29"]), ["2024-01", "2024-02"]),
        ("季度", pd.to_datetime(["2024-01-01", "2024-04-01"]), ["2024Q1", "2024Q2"]),
        ("占比", [25.0, -75.0], [0.25, -0.75]),
        ("growth over previous", [None, 12.5], [None, 0.125]),
    ],
)
def test_the_same_in_another_notation_agrees(column: str, mine: Any, theirs: Any) -> None:
    result = pd.DataFrame({column: mine, "额": [1, 2]})
    other = pd.DataFrame({column: theirs, "额": [1, 2]})
    assert check_agreement(AGREE, result=result, other=other).passed


@pytest.mark.parametrize(
    ("column", "mine", "theirs"),
    [
        ("额", [25.0, 75.0], [0.25, 0.75]),
        ("占比", [25.0, 0.75], [0.25, 0.75]),
        ("占比", [2.5, 7.5], [0.25, 0.75]),
        ("月份", pd.to_datetime(["2024-01-31", "2024-03-01"]), ["2024-01", "2024-02"]),
        ("年份", ["2022", "2024"], [2022, 2023]),
    ],
)
def test_another_notation_hides_no_other_value(column: str, mine: Any, theirs: Any) -> None:
    result = pd.DataFrame({column: mine, "店": ["a", "b"]})
    other = pd.DataFrame({column: theirs, "店": ["a", "b"]})
    assert not check_agreement(AGREE, result=result, other=other).passed


def test_a_single_value_is_a_table_of_one_cell() -> None:
    assert check_agreement(AGREE, result=5.0, other=pd.DataFrame({"n": [5]})).passed
    assert not check_agreement(AGREE, result=5.0, other=6).passed


@pytest.mark.parametrize(
    ("expected", "passes"),
    [
        ({"kind": "table", "columns": ["店", "日", "额"], "rows": MINE_ROWS, "n_rows": 3}, True)
        for MINE_ROWS in [
            [["b", "2024-01-01", 2.5], ["a", "2024-01-01T00:00:00", 1], [None, "2024-01-01", 3]]
        ]
    ]
    + [
        ({"kind": "table", "columns": ["店"], "rows": [["a"]], "n_rows": 900}, False),
        ({"kind": "scalar", "value": 3}, False),
        ({"kind": "tables", "tables": {}}, False),
        ({}, False),
    ],
)
def test_the_other_result_as_json(expected: Any, passes: bool) -> None:
    assertion = Assertion(kind="writers_agree", expected=expected)
    (checked,) = check([assertion], inputs={"df": MINE}, active="df", result=MINE)
    assert checked.passed is passes


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(-5, 5)), min_size=1, max_size=12), st.randoms())
def test_shuffling_never_makes_a_difference_and_one_more_always_does(
    rows: list[tuple[str, int]], shuffle: random.Random
) -> None:
    frame = pd.DataFrame(rows, columns=["k", "v"])
    shuffled = rows.copy()
    shuffle.shuffle(shuffled)
    other = pd.DataFrame(shuffled, columns=["k", "v"])
    assert check_agreement(AGREE, result=frame, other=other).passed
    more = pd.DataFrame([(shuffled[0][0], shuffled[0][1] + 100), *shuffled[1:]], columns=["k", "v"])
    assert not check_agreement(AGREE, result=frame, other=more).passed
