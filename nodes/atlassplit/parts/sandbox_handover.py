"""Inside the sandbox: turning what the code left behind into files of plain data."""

from __future__ import annotations

import datetime as dt
import json
import math
import os
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from mindatlas.nodes.atlassplit.parts.cells import CellError, encode_cell
from mindatlas.nodes.atlassplit.parts.frames import encode, to_stream

_MB: Final = 1024 * 1024
_LARGEST_CHART: Final = 256 * 1024
_LONGEST_TEXT: Final = 1_000_000


class HandoverError(Exception):
    """The result cannot be handed over; `kind` is that of the ExecutionError."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def describe_result(result: object, largest: int) -> tuple[dict[str, Any], list[bytes]]:
    """Return the JSON description of `result` and the Arrow streams of its tables, in order.

    A Series counts as a frame, a key of a dict as its text. Scalars are JSON values: NumPy ones as the
    Python value, dates, Period and Timedelta as ISO 8601 text, missing as null, a Decimal as a number when
    that is exact and as text otherwise.

    Args:
        result: What the code left in `result`.
        largest: Bytes that the streams may have together.

    Raises:
        HandoverError: `bad_result` for any other type, `result_too_big`.
    """
    if isinstance(result, (pd.DataFrame, pd.Series)):
        tables = {"": result}
        kind = "table"
    elif isinstance(result, Mapping):
        tables = _named_tables(result)
        kind = "tables"
    else:
        return {"kind": "scalar", "value": encode_cell(_scalar(result))}, []
    streams: list[bytes] = []
    for name, table in tables.items():
        streams.append(_stream(table, f"result[{name!r}]" if name else "result"))
        if sum(map(len, streams)) > largest:
            raise HandoverError("result_too_big", f"the result takes more than {largest / _MB:g} MiB")
    sizes = [{"name": name, "size": len(stream)} for name, stream in zip(tables, streams, strict=True)]
    return {"kind": kind, "tables": sizes}, streams


def describe_chart(chart: object) -> dict[str, Any] | None:
    """Return `chart` as JSON data, None for None.

    Raises:
        HandoverError: It is no dict of plain, finite values, or larger than 256 KiB.
    """
    if chart is None:
        return None
    if not isinstance(chart, dict):
        raise HandoverError("bad_result", f"chart is a {type(chart).__name__}; leave a dict")
    try:
        text = json.dumps(chart, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise HandoverError("bad_result", f"chart is no plain JSON: {error}") from error
    if len(text) > _LARGEST_CHART:
        raise HandoverError("bad_result", f"chart takes more than {_LARGEST_CHART // 1024} KiB")
    plain: dict[str, Any] = json.loads(text)
    return plain


def write(directory: Path, token: str, envelope: dict[str, Any], streams: list[bytes]) -> None:
    """Write the streams, one after the other, and then the envelope to new files named after `token`."""
    _write_new(directory / f"{token}.arrow", b"".join(streams))
    _write_new(directory / f"{token}.json", json.dumps(envelope).encode())


def flat_frame(table: pd.DataFrame | pd.Series) -> pd.DataFrame:
    """Return `table` with what its index says as columns, and one line of column names.

    A named level becomes a column, unless that very column is there already; beside a different column of
    its name it is called `name_index`. An index without a name is a numbering of rows, and dropped, when it
    holds integers, and a column `index` otherwise. Levels of column names are joined by `/`, empty ones
    left out.
    """
    frame = table.to_frame() if isinstance(table, pd.Series) else table.copy(deep=False)
    if isinstance(table, pd.Series) and table.name is None:
        frame.columns = pd.Index(["value"])
    frame.columns = pd.Index([_column_name(name) for name in frame.columns], dtype=object)
    levels = [
        (name, frame.index.get_level_values(position))
        for position, name in enumerate(_level_names(frame.index))
        if name is not None
    ]
    frame = frame.reset_index(drop=True)
    for position, (name, values) in enumerate(level for level in levels if not _is_there(frame, *level)):
        free_name = f"{name}_index" if name in frame.columns else name
        frame.insert(position, free_name, pd.Series(values).reset_index(drop=True), allow_duplicates=True)
    return frame


def _level_names(index: pd.Index) -> list[str | None]:
    if isinstance(index, pd.MultiIndex):
        return [f"level_{at}" if name is None else _column_name(name) for at, name in enumerate(index.names)]
    if index.name is not None:
        return [_column_name(index.name)]
    return [None if pd.api.types.is_integer_dtype(index.dtype) else "index"]


def _is_there(frame: pd.DataFrame, name: str, values: pd.Index) -> bool:
    same_name = [at for at, column in enumerate(frame.columns) if column == name]
    return any(pd.Index(frame.iloc[:, at]).equals(values) for at in same_name)


def _column_name(name: object) -> str:
    if isinstance(name, tuple):
        return "/".join(part for part in map(_column_name, name) if part)
    if name is None or name is pd.NaT or name is pd.NA or name != name:
        return ""
    if isinstance(name, dt.datetime):
        return name.date().isoformat() if name.time() == dt.time() else name.isoformat(" ")
    return str(name)


def _named_tables(result: Mapping[object, object]) -> dict[str, pd.DataFrame | pd.Series]:
    tables: dict[str, pd.DataFrame | pd.Series] = {}
    for key, table in result.items():
        name = _column_name(key)
        if not isinstance(table, (pd.DataFrame, pd.Series)):
            raise HandoverError(
                "bad_result", f"result[{name!r}] is a {type(table).__name__}; a dict may hold frames only"
            )
        if name in tables:
            raise HandoverError("bad_result", f"result has two tables named {name!r}")
        tables[name] = table
    return tables


def _stream(table: pd.DataFrame | pd.Series, where: str) -> bytes:
    try:
        return bytes(to_stream(encode(flat_frame(table))))
    except CellError as error:
        raise HandoverError("bad_result", f"{where}: {error}") from error


def _scalar(value: object) -> int | float | str | bool | None:
    try:
        plain = _plain(value)
    except CellError as error:
        raise HandoverError(
            "bad_result",
            f"result is {error}; leave a DataFrame, a dict of name and DataFrame, a number, a text, a date, "
            "true or false",
        ) from error
    if isinstance(plain, str) and len(plain) > _LONGEST_TEXT:
        raise HandoverError("result_too_big", f"the result is a text of more than {_LONGEST_TEXT} characters")
    return plain


def _plain(value: object) -> int | float | str | bool | None:
    if isinstance(value, np.generic) and not isinstance(value, (np.datetime64, np.timedelta64)):
        value = value.item()
    if value is None or value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, str)):
        return int(value) if isinstance(value, int) else str(value)
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    if isinstance(value, Decimal):
        return _number(value)
    if isinstance(value, (np.datetime64, dt.date, dt.time)):
        return (pd.Timestamp(value) if isinstance(value, np.datetime64) else value).isoformat()
    if isinstance(value, (np.timedelta64, dt.timedelta)):
        return pd.Timedelta(value).isoformat()
    if isinstance(value, pd.Period):
        return str(value)
    raise CellError(f"a {type(value).__name__}")


def _number(value: Decimal) -> int | float | str | None:
    if value.is_nan():
        return None
    if value.is_finite() and value == value.to_integral_value() and value.adjusted() < 300:
        return int(value)
    return float(value) if Decimal(repr(float(value))) == value else str(value)


def _write_new(path: Path, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
