from __future__ import annotations

import datetime as dt
import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.atlassplit.parts.cell_values import plain_value, typed_column
from mindatlas.nodes.atlassplit.parts.raw_sheets import Cell, Lost

DAY = dt.date(2024, 1, 5)
MIDNIGHT = dt.datetime.combine(DAY, dt.time())
MOMENT = dt.datetime.combine(DAY, dt.time(10, 30))


@pytest.mark.parametrize(
    ("cells", "column_type", "dtype", "values"),
    [
        ([1.0, 2.0], "integer", "int64", [1, 2]),
        ([1.0, ""], "integer", "float64", [1.0, None]),
        ([1.0, 2.5], "number", "float64", [1.0, 2.5]),
        ([2.0**60, 1.0], "integer", "int64", [2**60, 1]),
        ([440101199001011234, 7.0], "integer", "int64", [440101199001011234, 7]),
        ([440101199001011234, ""], "integer", "Int64", [440101199001011234, None]),
        ([12345678901234567890123, ""], "integer", "object", [12345678901234567890123, None]),
        ([1e300, 2.0], "number", "float64", [1e300, 2.0]),
        (["007", "NA", ""], "text", "str", ["007", "NA", None]),
        ([True, False], "boolean", "bool", [True, False]),
        ([True, ""], "boolean", "object", [True, None]),
        ([DAY, ""], "date", "datetime64[us]", [pd.Timestamp(2024, 1, 5), None]),
        ([DAY, MOMENT], "datetime", "datetime64[us]", [pd.Timestamp(DAY), pd.Timestamp(MOMENT)]),
        ([dt.time(8, 30), dt.timedelta(hours=30)], "duration", "timedelta64[us]", None),
        (["", ""], "empty", "float64", [None, None]),
        ([], "empty", "float64", []),
        ([DAY, 45_351.0, "待定"], "mixed", "object", [MIDNIGHT, 45_351, "待定"]),
        ([1.0, 2.5, "x"], "mixed", "object", [1.0, 2.5, "x"]),
        ([True, 1.0], "mixed", "object", [True, 1]),
    ],
)
def test_types(cells: list[Cell], column_type: str, dtype: str, values: list[object] | None) -> None:
    column = typed_column(cells)
    assert (column.type, str(column.values.dtype)) == (column_type, dtype)
    if values is not None:
        read = [None if pd.isna(value) else value for value in column.values.tolist()]
        assert read == values
        assert list(map(type, read)) == list(map(type, values)) or dtype != "object"


def test_hours_add_up() -> None:
    column = typed_column([dt.time(8, 30), dt.timedelta(hours=30), ""])
    assert column.values.sum() == dt.timedelta(hours=38, minutes=30)


def test_errors_and_uncached_formulas_are_missing_and_counted_apart_from_blanks() -> None:
    column = typed_column([1.0, Lost.ERROR, Lost.UNCACHED, "", Lost.ERROR])
    assert (column.errors, column.uncached, column.type) == (2, 1, "integer")
    assert column.values.isna().sum() == 4
    assert column.values.sum() == 1


def test_error_texts_of_untyped_files_count_as_errors() -> None:
    column = typed_column(["1", "#DIV/0!", "3"], text_only=True)
    assert (column.errors, column.type, column.values.sum()) == (1, "integer", 4)
    assert typed_column(["N/A", "NA"]).errors == 0


@pytest.mark.parametrize(
    ("texts", "column_type"),
    [
        (["1", "-2", ""], "integer"),
        (["1.50", " 2 ", "  "], "number"),
        (["007", "12"], "text"),
        (["440101199001011234", "1"], "text"),
        (["1,200", "3"], "text"),
        (["1E5", "2"], "text"),
        (["nan", "inf"], "text"),
        (["TRUE", "false"], "boolean"),
        (["TRUE", "1"], "text"),
        (["2024-01-05"], "text"),
        (["", ""], "empty"),
    ],
)
def test_untyped_columns_convert_only_when_every_cell_is_plain(texts: list[Cell], column_type: str) -> None:
    assert typed_column(texts, text_only=True).type == column_type


@given(st.one_of(st.integers(-(10**14), 10**14), st.floats(allow_nan=False, allow_infinity=False)))
def test_plain_value_never_changes_a_number(number: float) -> None:
    value = plain_value(str(number))
    assert value == number or value == str(number)


@given(st.lists(st.one_of(st.text(min_size=1), st.just("")), max_size=20))
def test_texts_are_never_changed(texts: list[str]) -> None:
    column = typed_column([text for text in texts if not text.startswith("#")])
    kept = [text for text in texts if not text.startswith("#")]
    read = ["" if isinstance(value, float) and math.isnan(value) else value for value in column.values]
    assert read == kept


_NUMBERS = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.integers(-(10**22), 10**22))


@given(st.lists(st.one_of(_NUMBERS, st.just("")), min_size=1, max_size=20))
def test_whole_number_columns_are_exact(cells: list[Cell]) -> None:
    column = typed_column(cells)
    if column.type == "integer":
        read = ["" if pd.isna(value) else int(value) for value in column.values.tolist()]
        assert read == cells
