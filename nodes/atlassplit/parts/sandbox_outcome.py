"""What a run left in its directory, read as what it is: files written by a hostile program.

Opened without following links, taken only as ordinary files of the expected owner and size, and parsed by
code that never runs anything: strict JSON, and Arrow streams of a few plain types, uncompressed.
"""

from __future__ import annotations

import json
import os
import stat
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pyarrow as pa

from mindatlas.nodes.atlassplit.parts.cells import decode_cell
from mindatlas.nodes.atlassplit.parts.execution import ExecutionError, Result
from mindatlas.nodes.atlassplit.parts.frames import decode

_MB: Final = 1024 * 1024
_LARGEST_ENVELOPE: Final = 8 * _MB
# A cell of text takes one bit in the stream and some 60 bytes in a frame; Excel holds 2**20 rows.
_MOST_ROWS: Final = 2**21
_MOST_CELLS: Final = 10_000_000

# Places in Arrow's flatbuffers (format/Message.fbs): Message.header, RecordBatch.compression.
_HEADER_SLOT, _COMPRESSION_SLOT = 2, 3

_LONGEST_TEXT: Final = 8000
# What reading a damaged JSON text, Arrow stream or cell can raise; a time zone's name is a file name too.
_MALFORMED: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    pa.ArrowException,
    struct.error,
)


class BadOutcome(ValueError):
    """What lies in the directory cannot be taken as the outcome of a run."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The program's own statement, checked for form."""

    error: ExecutionError | None = None
    result: Result = None
    chart: dict[str, Any] | None = None
    input_intact: bool = True


@dataclass(frozen=True, kw_only=True)
class OutcomeFiles:
    """Where the outcome lies, and whose it must be.

    Attributes:
        directory: The run's directory.
        token: The stem of both files' names.
        owner: The user id that the program ran under.
        most_bytes: What the tables may have together.
    """

    directory: Path
    token: str
    owner: int
    most_bytes: int

    def read(self) -> Outcome | None:
        """Return the outcome, None when the program ended before it was written.

        No process may be able to change the directory any more.

        Raises:
            BadOutcome: The files are not such as the sandbox writes.
        """
        envelope_bytes = self._content(".json", _LARGEST_ENVELOPE)
        if envelope_bytes is None:
            return None
        tables = self._content(".arrow", self.most_bytes) or b""
        try:
            return _outcome(json.loads(envelope_bytes, parse_constant=_refuse), memoryview(tables))
        except BadOutcome:
            raise
        except _MALFORMED as error:
            raise BadOutcome(f"the outcome is malformed: {type(error).__name__}: {error}"[:500]) from error

    def _content(self, suffix: str, most_bytes: int) -> bytes | None:
        try:
            where = os.open(self.directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            raise BadOutcome(f"the run's directory is gone: {error.strerror}") from error
        try:
            # not blocking: it may be a named pipe
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(self.token + suffix, flags, dir_fd=where)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadOutcome(f"the outcome cannot be opened: {error.strerror}") from error
        finally:
            os.close(where)
        try:
            self._check(os.fstat(descriptor), most_bytes)
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read(most_bytes)
        finally:
            os.close(descriptor)

    def _check(self, found: os.stat_result, most_bytes: int) -> None:
        if not stat.S_ISREG(found.st_mode) or found.st_uid != self.owner or found.st_nlink != 1:
            raise BadOutcome("the outcome is no file of the run's own")
        if found.st_size > most_bytes:
            raise BadOutcome(f"the outcome takes more than {most_bytes / _MB:g} MiB")


@dataclass
class _Room:
    """What may still be decoded; a bound on all tables of one outcome together."""

    cells: int = field(default=_MOST_CELLS)

    def take(self, table: pa.Table) -> None:
        self.cells -= table.num_rows * max(1, table.num_columns)
        if self.cells < 0 or table.num_rows > _MOST_ROWS:
            raise BadOutcome(f"the result has more than {_MOST_ROWS} rows or {_MOST_CELLS} cells")


def _outcome(envelope: dict[str, Any], tables: memoryview) -> Outcome:
    error = envelope["error"]
    chart = envelope.get("chart")
    if not isinstance(envelope["input_intact"], bool) or not isinstance(chart, dict | None):
        raise BadOutcome("the outcome is malformed")
    if error is not None:
        return Outcome(error=_error(error), input_intact=envelope["input_intact"])
    result = _result(envelope["result"], tables)
    return Outcome(result=result, chart=chart, input_intact=envelope["input_intact"])


def _error(said: dict[str, Any]) -> ExecutionError:
    line = said["line"]
    return ExecutionError(
        kind=str(said["kind"])[:100],
        message=str(said["message"])[:_LONGEST_TEXT],
        line=line if isinstance(line, int) else None,
        traceback=str(said["traceback"])[:_LONGEST_TEXT],
    )


def _result(said: dict[str, Any], tables: memoryview) -> Result:
    if said["kind"] == "scalar":
        value = decode_cell(said["value"])
        if not isinstance(value, int | float | str | bool | None):
            raise BadOutcome("the result is no scalar")
        return value
    frames: dict[str, pd.DataFrame] = {}
    room = _Room()
    start = 0
    for table in said["tables"]:
        end = start + int(table["size"])
        if not start <= end <= len(tables):
            raise BadOutcome("the result's tables are cut short")
        frames[str(table["name"])] = _frame(tables[start:end], room)
        start = end
    return frames[""] if said["kind"] == "table" else frames


def _frame(stream: memoryview, room: _Room) -> pd.DataFrame:
    buffer = pa.py_buffer(stream)
    _refuse_compression(buffer)
    with pa.ipc.open_stream(buffer) as reader:
        if any(isinstance(column.type, pa.BaseExtensionType) for column in reader.schema):
            raise BadOutcome("the result has a column of a foreign type")
        table = reader.read_all()
    room.take(table)
    table.validate(full=True)
    frame = decode(table)
    if len(frame) > _MOST_ROWS:  # of no columns
        raise BadOutcome(f"the result has more than {_MOST_ROWS} rows")
    return frame


def _refuse_compression(buffer: pa.Buffer) -> None:
    """Refuse a stream that would unpack to more than its own size, or holds other than plain batches."""
    for message in pa.ipc.MessageReader.open_stream(buffer):
        if message.type not in ("schema", "record batch"):
            raise BadOutcome(f"the result holds a {message.type}")
        if message.type == "record batch" and _is_compressed(message.metadata.to_pybytes()):
            raise BadOutcome("the result is compressed")


def _is_compressed(metadata: bytes) -> bool:
    header = _flatbuffer_field(metadata, struct.unpack_from("<I", metadata)[0], _HEADER_SLOT)
    if header is None:
        raise BadOutcome("the result holds an empty message")
    batch = header + struct.unpack_from("<I", metadata, header)[0]
    return _flatbuffer_field(metadata, batch, _COMPRESSION_SLOT) is not None


def _flatbuffer_field(content: bytes, table: int, slot: int) -> int | None:
    """Return where a field of a flatbuffer table lies, None when it is absent (flatbuffers.dev/internals)."""
    layout = table - struct.unpack_from("<i", content, table)[0]
    layout_size = struct.unpack_from("<H", content, layout)[0]
    at = 4 + 2 * slot
    offset = struct.unpack_from("<H", content, layout + at)[0] if at + 2 <= layout_size else 0
    return table + offset if offset else None


def _refuse(constant: str) -> None:
    raise BadOutcome(f"{constant} is no JSON")
