"""What a tool sent back, as rows: by the overlay's paths where there are some, else by the look of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from mcp.types import CallToolResult, EmbeddedResource, TextContent, TextResourceContents

from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ErrorKind, ToolResult
from mindatlas.nodes.workdesk.parts.overlay_model import Output

MOST_TEXT = 100_000  # characters of a reply that are kept as text
MOST_READ = 20_000_000  # characters of a reply that are read at all
_SAYS_WHY = ("msg", "message", "error", "detail")


@dataclass(frozen=True, kw_only=True)
class _Read:
    """A reply as it was read: its rows and how many there are, or why there are none."""

    rows: list[dict[str, Any]]
    total: int
    error: str = ""


def to_result(
    call: CheckedCall, reply: CallToolResult, output: Output | None, *, max_rows: int
) -> ToolResult:
    """Return the rows in a tool's reply, at most `max_rows` of them; what could not be had is in `error`."""
    text = "\n".join(_texts(reply))
    if len(text) > MOST_READ:
        return failed_result(
            call,
            "oversized",
            f"The reply has {len(text):,} characters, and more than {MOST_READ:,} are not read",
        )
    if reply.isError:
        return failed_result(
            call, "tool_error", text.strip() or "The tool reports an error and does not say which"
        )
    read = _read(_data(reply, text), output)
    if read.error:
        return failed_result(call, "tool_error", read.error)
    return _result(
        call,
        rows=read.rows[:max_rows],
        n_rows=max(read.total, len(read.rows)),
        content=text[:MOST_TEXT],
        truncated=len(text) > MOST_TEXT or len(read.rows) > max_rows,
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


def _texts(reply: CallToolResult) -> Iterable[str]:
    for block in reply.content:
        if isinstance(block, TextContent):
            yield block.text
        elif isinstance(block, EmbeddedResource) and isinstance(block.resource, TextResourceContents):
            yield block.resource.text
        else:
            yield f"[{block.type}]"


def _data(reply: CallToolResult, text: str) -> Any:
    """Return the reply's data: structured where the server sends it so, else the text read as JSON, else None."""
    if reply.structuredContent is not None:
        content = reply.structuredContent
        return content["result"] if set(content) == {"result"} else content
    try:
        return json.loads(text)
    except ValueError:
        pass
    blocks = [_json(one) for one in _texts(reply)]  # several blocks, each a record of its own
    return blocks if blocks and all(isinstance(one, dict) for one in blocks) else None


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _read(data: Any, output: Output | None) -> _Read:
    if output is None or not (output.rows or output.error):
        return _read_by_look(data)
    if output.error and _at(data, output.error) != output.ok:
        return _Read(rows=[], total=0, error=_why(data, output))
    found = _at(data, output.rows)
    rows = _records(found if found is not None or output.rows else data)
    total = _at(data, output.total) if output.total else None
    return _Read(
        rows=rows, total=total if isinstance(total, int) and not isinstance(total, bool) else len(rows)
    )


def _why(data: Any, output: Output) -> str:
    message = _at(data, output.message) if output.message else None
    code = _at(data, output.error)
    if code is None:
        return (
            f"The reply has not the form that the overlay says: {json.dumps(data, ensure_ascii=False)[:500]}"
        )
    return f"{message or 'The tool reports an error'} (code {code})"


def _at(data: Any, path: str) -> Any:
    """Return what lies at a dotted path, None where nothing does."""
    for name in filter(None, path.split(".")):
        data = data.get(name) if isinstance(data, Mapping) else None
    return data


def _records(found: Any) -> list[dict[str, Any]]:
    if isinstance(found, list):
        return [dict(one) if isinstance(one, Mapping) else {"value": one} for one in found]
    return [dict(found)] if isinstance(found, Mapping) and found else []


def _read_by_look(data: Any) -> _Read:
    """Read a reply that no overlay describes: its longest list of records, or the record that it is."""
    if isinstance(data, Mapping) and (data.get("success") is False or data.get("error")):
        return _Read(
            rows=[], total=0, error=next((str(data[name]) for name in _SAYS_WHY if data.get(name)), "failed")
        )
    lists = sorted(_lists(data), key=len, reverse=True)
    rows = _records(lists[0]) if lists else _records(data)
    totals = [_at(data, path) for path in ("total", "data.total", "count", "total_count")]
    known = [one for one in totals if isinstance(one, int) and not isinstance(one, bool) and one >= len(rows)]
    return _Read(rows=rows, total=known[0] if known and lists else len(rows))


def _lists(data: Any, depth: int = 0) -> Iterable[list[Any]]:
    """Yield the lists in `data`, outer ones first, down to the third level."""
    if isinstance(data, list):
        yield data
    elif isinstance(data, Mapping) and depth < 3:
        for value in data.values():
            yield from _lists(value, depth + 1)
