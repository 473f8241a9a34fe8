"""Frames as Arrow tables and Parquet files, exact where plain Parquet is not, and never pickled.

A column that Arrow holds as it is crosses as it is. An object column of mixed values (text beside numbers,
dates beside notes: common in spreadsheets) crosses as tagged text, one string a cell. Column names may be
anything, repeated too, so they travel in the table's metadata and the Arrow columns are just numbered.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any, Final, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from mindatlas.nodes.atlassplit.parts.cells import CellError, decode_cell, encode_cell

# How a column's values lie in its Arrow array.
Coding = Literal["number", "nullable", "moment", "str", "string", "text", "cells"]

_KEY: Final = b"mindatlas.frame"
_NULLABLE: Final[dict[str, str]] = {
    **{f"{sign}int{bits}": f"{sign.upper()}Int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float": "Float32",
    "double": "Float64",
    "bool": "boolean",
}


def encode(frame: pd.DataFrame) -> pa.Table:
    """Return `frame` without its index as a table of `len(frame)` rows.

    Categories become their values, Period and Interval their text.

    Raises:
        CellError: A cell holds something that no spreadsheet cell can (a list, a frame); the message names
            the column and the type.
    """
    arrays, columns = [], []
    for position, name in enumerate(frame.columns):
        try:
            array, coding = _encode_column(frame.iloc[:, position])
            columns.append({"name": encode_cell(name), "coding": coding})
        except CellError as error:
            raise CellError(f"column {str(name)!r}: {error}") from error
        arrays.append(array)
    described = json.dumps({"rows": len(frame), "columns": columns}).encode()
    table = pa.Table.from_arrays(arrays, names=[str(position) for position in range(len(arrays))])
    return table.replace_schema_metadata({_KEY: described})


def decode(table: pa.Table) -> pd.DataFrame:
    """Return the frame that `encode` was given, rows numbered from 0.

    Raises:
        ValueError: The table does not say how its columns are coded, or says something else than it holds.
    """
    metadata = table.schema.metadata or {}
    if _KEY not in metadata:
        raise ValueError("the table does not describe a frame")
    try:
        described = json.loads(metadata[_KEY])
        names = [decode_cell(column["name"]) for column in described["columns"]]
        codings = [column["coding"] for column in described["columns"]]
        rows = int(described["rows"])
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("the table's description is malformed") from error
    if len(codings) != table.num_columns or (codings and rows != table.num_rows):
        raise ValueError("the table's description does not fit the table")
    columns = dict(enumerate(map(_decode_column, table.columns, codings)))
    frame = pd.DataFrame(columns, index=pd.RangeIndex(rows))
    frame.columns = pd.Index(names, dtype=None if names else object)
    return frame


def write_frame(frame: pd.DataFrame, path: Path | IO[bytes]) -> None:
    """Write `frame` without its index to a Parquet file that `read_frame` restores exactly.

    Only the unit of datetime64[s] changes, to [ms], because Parquet knows no seconds.

    Raises:
        CellError: As for `encode`.
    """
    pq.write_table(encode(frame), path, compression="lz4")


def read_frame(source: Path | bytes) -> pd.DataFrame:
    """Return the frame of a Parquet file, or of its bytes; a file of other origin is read as pandas does.

    Raises:
        ValueError: It is no Parquet file.
    """
    with pq.ParquetFile(pa.BufferReader(source) if isinstance(source, bytes) else source) as stored:
        table = stored.read(use_threads=False)
    return decode(table) if _KEY in (table.schema.metadata or {}) else table.to_pandas(use_threads=False)


def to_stream(table: pa.Table) -> pa.Buffer:
    """Return `table` as an Arrow IPC stream, uncompressed."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _encode_column(column: pd.Series) -> tuple[pa.Array | pa.ChunkedArray, Coding]:
    dtype = column.dtype
    if isinstance(dtype, np.dtype) and dtype.kind in "iufb":
        return pa.array(_portable(column.to_numpy())), "number"
    if isinstance(dtype, pd.DatetimeTZDtype) or (isinstance(dtype, np.dtype) and dtype.kind in "mM"):
        return pa.array(column), "moment"
    if isinstance(dtype, pd.StringDtype):
        return pa.array(column), "string" if dtype.na_value is pd.NA else "str"
    if isinstance(dtype, pd.CategoricalDtype):
        return _encode_column(_values_of(column))
    if isinstance(dtype, (pd.PeriodDtype, pd.IntervalDtype)):
        return pa.array([None if missing else str(value) for value, missing in _with_missing(column)]), "str"
    if str(dtype) in _NULLABLE.values():
        return pa.array(column), "nullable"
    return _encode_objects(column.to_numpy(dtype=object))


def _encode_objects(values: np.ndarray[Any, Any]) -> tuple[pa.Array, Coding]:
    if len(values) and pd.api.types.infer_dtype(values, skipna=False) == "string":
        try:
            return pa.array(values, pa.string()), "text"
        except UnicodeEncodeError:
            pass  # half a surrogate pair: the cell coding replaces it
    return pa.array([encode_cell(value) for value in values], pa.string()), "cells"


def _portable(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the same numbers in native byte order and of a width that Arrow has."""
    if values.dtype.kind == "f" and values.dtype.itemsize not in (4, 8):
        return values.astype(np.float32 if values.dtype.itemsize < 4 else np.float64)
    return values.astype(values.dtype.newbyteorder("="), copy=False)


def _values_of(column: pd.Series) -> pd.Series:
    values = column.cat.categories.dtype
    if isinstance(values, np.dtype) and values.kind in "iub" and column.hasnans:
        return column.astype(object)
    return column.astype(values)


def _with_missing(column: pd.Series) -> list[tuple[object, bool]]:
    return list(zip(column, column.isna(), strict=True))


def _decode_column(array: pa.ChunkedArray, coding: Coding) -> pd.Series:
    kind = array.type
    name = str(kind)
    values: Any = None
    if coding == "number" and name in _NULLABLE and array.null_count == 0:
        values = array.to_numpy()
    elif coding == "nullable" and name in _NULLABLE:
        values = _extension(_NULLABLE[name], array)
    elif coding == "moment" and (pa.types.is_timestamp(kind) or pa.types.is_duration(kind)):
        values = array.to_pandas()
    elif name in ("string", "large_string"):
        values = _decode_text(array, coding)
    if values is None:
        raise ValueError(f"a column of Arrow type {name} is no {str(coding)!r} column")
    return pd.Series(values)


def _decode_text(array: pa.ChunkedArray, coding: Coding) -> Any:
    if coding == "str":
        return array.to_pandas()
    if coding == "string":
        return _extension("string", array)
    if coding == "text":
        return pd.Series(array.to_numpy(), dtype=object)
    if coding == "cells":
        return pd.Series([decode_cell(text) for text in array.to_pylist()], dtype=object)
    return None


def _extension(name: str, array: pa.ChunkedArray) -> Any:
    dtype: Any = pd.api.types.pandas_dtype(name)
    return dtype.__from_arrow__(array)
