"""How what a program left becomes one table with one line of names."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.sandbox_handover import (
    HandoverError,
    describe_chart,
    describe_result,
    flat_frame,
    write,
)

SALES = pd.DataFrame({"店": ["a", "b", "a"], "月": [1, 1, 2], "额": [10.0, 20.0, 30.0]})


def _table(result: pd.DataFrame | pd.Series) -> dict[str, list[object]]:
    return {str(name): list(values) for name, values in flat_frame(result).to_dict("list").items()}


def test_named_index_becomes_a_column() -> None:
    assert _table(SALES.groupby("店")["额"].sum()) == {"店": ["a", "b"], "额": [40.0, 20.0]}


def test_named_levels_become_columns_in_order() -> None:
    assert list(flat_frame(SALES.groupby(["店", "月"]).sum())) == ["店", "月", "额"]


def test_row_numbers_are_dropped() -> None:
    assert _table(SALES[SALES["额"] > 15][["额"]]) == {"额": [20.0, 30.0]}


def test_unnamed_text_index_is_kept() -> None:
    assert list(flat_frame(SALES[["额"]].describe())) == ["index", "额"]


def test_unnamed_levels_are_numbered() -> None:
    frame = pd.DataFrame({"x": [1]}, index=pd.MultiIndex.from_tuples([("a", "b")], names=["店", None]))
    assert list(flat_frame(frame)) == ["店", "level_1", "x"]


def test_two_lines_of_names_become_one() -> None:
    wide = SALES.groupby("店").agg({"额": ["sum", "mean"]}).reset_index()
    assert list(flat_frame(wide)) == ["店", "额/sum", "额/mean"]


def test_pivot_by_dates_has_readable_names() -> None:
    frame = pd.DataFrame([[1, 2]], columns=[pd.Timestamp("2024-01-01"), pd.Timestamp("2024-02-01 08:30")])
    assert list(flat_frame(frame)) == ["2024-01-01", "2024-02-01 08:30:00"]


def test_level_that_is_a_column_already_is_not_repeated() -> None:
    assert list(flat_frame(SALES.set_index("店", drop=False))) == ["店", "月", "额"]


def test_level_that_differs_from_the_column_of_its_name_is_kept_apart() -> None:
    frame = SALES.set_index(pd.Index(["x", "y", "z"], name="店"))
    assert _table(frame)["店_index"] == ["x", "y", "z"]
    assert _table(frame)["店"] == ["a", "b", "a"]


def test_series_without_a_name_is_called_value() -> None:
    assert list(flat_frame(pd.Series([1, 2]))) == ["value"]


@given(st.lists(st.integers(), max_size=6), st.sampled_from([None, "名"]))
def test_no_row_is_lost_and_nothing_is_changed(values: list[int], name: str | None) -> None:
    frame = pd.DataFrame(
        {"x": values}, index=pd.Index([str(value) for value in values], name=name, dtype=str)
    )
    before = frame.copy()
    flat = flat_frame(frame)
    assert list(flat["x"]) == values
    assert list(flat[name or "index"]) == list(frame.index)
    assert frame.equals(before)


def test_tables_too_big_together_are_refused() -> None:
    _, streams = describe_result({"a": SALES}, 1 << 20)
    largest = len(streams[0])
    describe_result({"a": SALES}, largest)
    with pytest.raises(HandoverError, match="MiB") as caught:
        describe_result({"a": SALES, "b": SALES}, largest)
    assert caught.value.kind == "result_too_big"


def test_chart_keeps_numbers_and_refuses_nan() -> None:
    assert describe_chart({"max": SALES["额"].max(), "n": SALES["月"].iloc[0]}) == {"max": 30.0, "n": 1}
    assert describe_chart(None) is None
    with pytest.raises(HandoverError, match="plain JSON"):
        describe_chart({"max": float("nan")})
    with pytest.raises(HandoverError, match="a DataFrame"):
        describe_chart({"data": SALES})


def test_result_files_are_new_ones(tmp_path: Path) -> None:
    (tmp_path / "t.arrow").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        write(tmp_path, "t", {}, [b"x"])
    assert not (tmp_path / "elsewhere").exists()
