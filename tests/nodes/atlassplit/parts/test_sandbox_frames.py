"""Frames that cross as Arrow and Parquet: exact, whatever their cells hold."""

from __future__ import annotations

import datetime as dt
import io
import json
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pandas.testing import assert_frame_equal

from mindatlas.nodes.atlassplit.parts.cells import CellError, decode_cell, encode_cell
from mindatlas.nodes.atlassplit.parts.frames import decode, encode, read_frame, to_stream, write_frame

BEIJING = dt.timezone(dt.timedelta(hours=8))
CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(),
    st.decimals(allow_nan=False, allow_infinity=False, places=4),
    st.dates(),
    st.times().map(lambda time: time.replace(fold=0)),
    st.datetimes(timezones=st.none() | st.just(BEIJING)).map(lambda moment: moment.replace(fold=0)),
    st.timedeltas(),
    st.sampled_from([pd.NaT, pd.NA, pd.Timestamp("2024-01-01 00:00:00.000000001"), pd.Timedelta(1, "ns")]),
)


def _same(left: object, right: object) -> bool:
    """Return whether two cells are the same value of the same type; NaN is NaN."""
    return type(left) is type(right) and repr(left) == repr(right)


@given(CELLS)
def test_cell_comes_back_as_it_was(cell: object) -> None:
    assert _same(decode_cell(encode_cell(cell)), cell)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (np.int64(3), 3),
        (np.float64(0.1), 0.1),
        (np.bool_(True), True),
        (np.str_("a"), "a"),
        (np.datetime64("2024-01-01"), pd.Timestamp("2024-01-01")),
        ("\ud800x", "?x"),
    ],
)
def test_numpy_scalars_and_half_surrogates_become_plain(cell: object, expected: object) -> None:
    assert _same(decode_cell(encode_cell(cell)), expected)


@pytest.mark.parametrize("cell", [[1], {"a": 1}, (1,), {1}, object(), print, 1j, b"x", pd.DataFrame()])
def test_other_types_are_refused_by_name(cell: object) -> None:
    with pytest.raises(CellError, match=type(cell).__name__):
        encode_cell(cell)


@pytest.mark.parametrize("text", ["", "x1", "iabc", "f", "d2024", "D1E+999999999", "Dabc", "i" + "9" * 5000])
def test_text_that_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_cell(text)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(CELLS, CELLS), max_size=5), st.lists(st.text(), min_size=2, max_size=2))
def test_mixed_frame_comes_back_as_it_was(rows: list[tuple[object, object]], names: list[str]) -> None:
    frame = pd.DataFrame({at: pd.Series([row[at] for row in rows], dtype=object) for at in range(2)})
    frame.columns = pd.Index(names, dtype=object)
    buffer = io.BytesIO()
    write_frame(frame, buffer)
    for again in (decode(encode(frame)), read_frame(buffer.getvalue())):
        assert list(again.columns) == names
        assert all(
            _same(left, right)
            for at in range(2)
            for left, right in zip(again.iloc[:, at], frame.iloc[:, at], strict=True)
        )


def test_types_of_columns_come_back(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "id": [123456789012345678, 2, 3],
            "small": np.array([1, 2, 3], dtype="uint8"),
            "real": [1.5, np.nan, -np.inf],
            "flag": [True, False, True],
            "text": ["007", None, "NA"],
            "day": pd.to_datetime(["2024-01-01", "NaT", "2024-02-01"]),
            "zoned": pd.to_datetime(["2024-01-01", "NaT", "2024-02-01"]).tz_localize("Asia/Shanghai"),
            "span": pd.to_timedelta([1, None, 3], unit="D"),  # pyright: ignore[reportCallIssue, reportArgumentType]
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "maybe": pd.array([True, None, False], dtype="boolean"),
            "string": pd.array(["a", None, "b"], dtype="string"),
            "mixed": [Decimal("1.10"), dt.date(2024, 1, 2), None],
        }
    )
    write_frame(frame, tmp_path / "frame")
    assert_frame_equal(decode(encode(frame)), frame)
    assert_frame_equal(read_frame(tmp_path / "frame"), frame)


def test_derived_types_become_what_a_sheet_can_show() -> None:
    frame = pd.DataFrame(
        {
            "month": pd.PeriodIndex(["2024-01", None], freq="M"),
            "kind": pd.Categorical(["a", None]),
            "rank": pd.Categorical([1, 2]),
            "band": pd.cut([1, 3], [0, 2, 4]),
            "half": np.array([1, 2], dtype="float16"),
        }
    )
    again = decode(encode(frame))
    assert again.fillna("").to_dict("list") == {
        "month": ["2024-01", ""],
        "kind": ["a", ""],
        "rank": [1, 2],
        "band": ["(0, 2]", "(2, 4]"],
        "half": [1.0, 2.0],
    }
    assert [str(dtype) for dtype in again.dtypes[2:5]] == ["int64", str(pd.Series(["a"]).dtype), "float32"]


def test_names_may_repeat_and_be_anything() -> None:
    frame = pd.DataFrame([[1, 2, 3, 4]])
    frame.columns = pd.Index(["a", "a", 2024, None], dtype=object)
    assert_frame_equal(decode(encode(frame)), frame)


@pytest.mark.parametrize("frame", [pd.DataFrame(), pd.DataFrame(index=range(3)), pd.DataFrame({"a": []})])
def test_empty_frames_keep_their_shape(frame: pd.DataFrame) -> None:
    assert decode(encode(frame)).shape == frame.shape


def test_refusal_names_the_column() -> None:
    with pytest.raises(CellError, match="column '明细': a cell cannot hold a list"):
        encode(pd.DataFrame({"明细": [[1]]}))


def test_parquet_of_other_origin_is_read_as_pandas_does(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    frame.to_parquet(tmp_path / "other.parquet")
    assert_frame_equal(read_frame(tmp_path / "other.parquet"), frame)


@pytest.mark.parametrize(
    "description",
    [
        "{",
        "[]",
        '{"rows": 2}',
        '{"rows": 3, "columns": [{"name": "sa", "coding": "number"}]}',
        '{"rows": 2, "columns": []}',
        '{"rows": 2, "columns": [{"name": "sa", "coding": "cells"}]}',
        '{"rows": 2, "columns": [{"name": "sa", "coding": "pickle"}]}',
        '{"rows": 2, "columns": [{"name": "sa", "coding": ["number"]}]}',
        '{"rows": "x", "columns": [{"name": "sa", "coding": "number"}]}',
        '{"rows": 2, "columns": [{"name": 7, "coding": "number"}]}',
    ],
)
def test_description_that_does_not_fit_is_refused(description: str) -> None:
    table = pa.table({"0": [1, 2]}).replace_schema_metadata({"mindatlas.frame": description})
    with pytest.raises(ValueError, match=r"."):
        decode(table)


def test_stream_is_plain_arrow() -> None:
    table = pa.ipc.open_stream(to_stream(encode(pd.DataFrame({"a": [1]})))).read_all()
    assert table.column(0).to_pylist() == [1]
    assert json.loads(table.schema.metadata[b"mindatlas.frame"])["rows"] == 1
