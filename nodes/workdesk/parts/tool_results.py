"""What a tool sent back, as rows: by the overlay's paths where they lead somewhere, else by the look of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp.types import CallToolResult

from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ErrorKind, ToolResult
from mindatlas.nodes.workdesk.parts.overlay_model import Output
from mindatlas.nodes.workdesk.parts.reply_content import block_texts, read_data
from mindatlas.nodes.workdesk.parts.reply_shapes import Read, as_records, error_by_look, read_by_look

MOST_TEXT = 100_000  # characters of a reply that are kept as text
MOST_READ = 20_000_000  # characters of a reply that are read at all
MOST_CELL = 10_000  # characters of one text in a row
MOST_KEPT = 2_000_000  # characters of all kept rows, as JSON


def to_result(
    call: CheckedCall, reply: CallToolResult, output: Output | None, *, max_rows: int
) -> ToolResult:
    """Return the rows in a tool's reply, at most `max_rows` of them; what could not be had is in `error`."""
    texts = block_texts(reply)
    text = "\n".join(texts)
    if len(text) > MOST_READ:
        why = f"The reply has {len(text):,} characters, and more than {MOST_READ:,} are not read"
        return failed_result(call, "oversized", why)
    data = read_data(reply, texts)
    if reply.isError:
        said = _error(data, output) or error_by_look(data) or text.strip()
        return failed_result(call, "tool_error", said or "The tool reports an error and does not say which")
    read = _read(data, output)
    if read.error:
        return failed_result(call, "tool_error", read.error)
    rows = _kept(read.rows[:max_rows])
    cut = len(text) > MOST_TEXT or len(rows) < len(read.rows) or rows != read.rows[: len(rows)]
    return _result(
        call, rows=rows, n_rows=max(read.total, len(read.rows)), content=text[:MOST_TEXT], truncated=cut
    )


def failed_result(call: CheckedCall, kind: ErrorKind, error: str) -> ToolResult:
    """Return the result of a call that brought nothing."""
    return _result(call, error=error[:MOST_TEXT], error_kind=kind)


def _result(
    call: CheckedCall,
    *,
    rows: list[dict[str, Any]] | None = None,
    n_rows: int = 0,
    content: str = "",
    truncated: bool = False,
    error: str = "",
    error_kind: ErrorKind | None = None,
) -> ToolResult:
    return ToolResult(
        id=call["id"],
        tool=call["tool"],
        args=call["args"],
        repairs=call["repairs"],
        clock=call["clock"],
        rows=rows or [],
        n_rows=n_rows,
        content=content,
        truncated=truncated,
        error=error,
        error_kind=error_kind,
    )


def _read(data: Any, output: Output | None) -> Read:
    """Read by the overlay; where its path to the rows leads nowhere, the server has changed, and looks decide."""
    if output is None or not (output.rows or output.error):
        return read_by_look(data)
    if error := _error(data, output):
        return Read(error=error)
    found, there = _at(data, output.rows)
    if not there:
        return read_by_look(data)
    rows = as_records(found)
    total = _count(_at(data, output.total)[0]) if output.total else None
    return Read(rows=rows, total=len(rows) if total is None else total)


def _error(data: Any, output: Output | None) -> str:
    """Return what the reply's code says went wrong, empty when nothing did or there is no such code."""
    if output is None or not output.error:
        return ""
    code, there = _at(data, output.error)
    if not there:
        if output.rows and _at(data, output.rows)[1]:
            return ""
        shown = "plain text" if data is None else json.dumps(data, ensure_ascii=False)[:500]
        return f"The reply has not the form that the overlay says: {shown}"
    if code == output.ok or str(code) == str(output.ok):
        return ""
    message = _at(data, output.message)[0] if output.message else None
    return f"{message or 'The tool reports an error'} (code {code})"


def _count(value: Any) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _at(data: Any, path: str) -> tuple[Any, bool]:
    """Return what lies at a dotted path, and whether the path leads there; None on the way is an empty end."""
    if path and data is None:
        return None, False
    for name in filter(None, path.split(".")):
        if data is None:
            return None, True
        if not isinstance(data, Mapping) or name not in data:
            return None, False
        data = data[name]
    return data, True


def _kept(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows with long texts cut, as many from the first as are small enough together."""
    kept: list[dict[str, Any]] = []
    size = 0
    for row in rows:
        short = {name: _short(value) for name, value in row.items()}
        size += len(json.dumps(short, ensure_ascii=False))
        if size > MOST_KEPT:
            break
        kept.append(short)
    return kept


def _short(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= MOST_CELL else f"{value[:MOST_CELL]}…"
    if isinstance(value, list):
        return [_short(one) for one in value]
    return {name: _short(one) for name, one in value.items()} if isinstance(value, Mapping) else value
