"""What a tool result brought: rows, a zero count, nothing, an error, or a mere acknowledgement."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mindatlas.nodes.workdesk.parts.check_patterns import any_of

DataKind = Literal["rows", "zero", "empty", "error", "acknowledged"]

_ENVELOPE = (
    "data",
    "result",
    "results",
    "structuredContent",
    "response",
    "payload",
    "body",
    "content",
    "output",
)
_LISTS = ("list", "rows", "items", "records", "hits", "values", "documents", "orders", "tickets", "entries")
_OK_CODES = frozenset({"0", "200", "201", "ok", "success", "succeeded", "true", "none", "", "0000", "00000"})
_CODE_KEYS = ("code", "errcode", "err_code", "error_code", "errno", "status_code", "statusCode")
_BAD_STATES = frozenset({"error", "failed", "failure", "fail", "exception", "timeout"})
_MESSAGE_KEYS = ("msg", "message", "errmsg", "error", "err_msg", "detail", "reason")
META_KEYS = frozenset(
    {
        *_CODE_KEYS, *_MESSAGE_KEYS, "success", "ok", "isError", "is_error", "page", "page_no", "page_size", "pageNo", "pageSize",
        "limit", "offset", "has_more", "hasMore", "query_id", "request_id", "trace_id", "took", "elapsed_ms", "cursor", "next",
    }
)  # fmt: skip
_COUNT_KEY = re.compile(
    r"cnt|count|total|num|sum|amount|qty|quantity|value|size|数|量|合计|总", re.IGNORECASE
)
_CODE_LIKE = re.compile(
    r"id$|code|status|state|type|priority|level|page|flag|key|year|month|day|_no$|编号|编码|状态|类型",
    re.IGNORECASE,
)
_NONE_TEXT = re.compile(rf"(?:\W*(?:{any_of('no_data_text').pattern})\W*)+", re.IGNORECASE)
_ERROR_TEXT = any_of("error_text", re.IGNORECASE | re.DOTALL)
_ACK_TEXT = re.compile(
    r"\W*(?:ok|okay|success(?:ful(?:ly)?)?|done|true|accepted|received|completed|saved|成功|操作成功|完成|已完成|已提交|已保存|提交成功|添加成功)\W*",
    re.IGNORECASE,
)
_NOTHING: tuple[Any, ...] = (None, "", [], {})
_FIGURE = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, kw_only=True)
class ResultData:
    """What a result brought.

    Attributes:
        rows: the records; a plain text is one row of one cell `text`.
        total: how many records there are in all, where the result says so.
        content: the result as text.
        group: what sets it apart from other results, such as the clock it counts by; figures of one group add up.
    """

    kind: DataKind
    rows: Sequence[Any] = field(default_factory=tuple)
    total: float | None = None
    content: str = ""
    group: str = ""


def read_result(content: Any) -> ResultData:
    """Return what `content` brought: JSON text, plain text, or a value that was JSON."""
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, default=str)
    value = _parsed(content) if isinstance(content, str) else content
    if isinstance(value, str):
        return _of_text(value, text)
    return _of_value(value, text)


def rows_data(rows: Sequence[Mapping[str, Any]], total: float | None, content: str) -> ResultData:
    """Return what rows that were read before brought; without rows, what `content` says."""
    if not rows:
        return read_result(content) if content else ResultData(kind="empty")
    return _of_rows(list(rows), total, content)


def _parsed(text: str, depth: int = 2) -> Any:
    """Return the value of JSON text, of JSON within JSON too; other text as it is."""
    stripped = text.strip()
    if not stripped or stripped[0] not in '{["-0123456789tfn':
        return text
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return text
    return _parsed(value, depth - 1) if isinstance(value, str) and depth else value


def _of_value(value: Any, text: str) -> ResultData:
    if value is None:
        return ResultData(kind="empty", content=text)
    if isinstance(value, bool):
        return ResultData(kind="acknowledged", content=text)
    if isinstance(value, int | float):
        return ResultData(kind="rows" if value else "zero", rows=[value], content=text)
    if isinstance(value, list):
        inner = _message_text(value)
        return read_result(inner) if inner is not None else _of_rows(value, None, text)
    return _of_object(value, text) if isinstance(value, Mapping) else _of_text(str(value), text)


def _message_text(parts: list[Any]) -> str | None:
    """Return the text of MCP content blocks (`[{"type": "text", "text": …}]`), None when they are none."""
    if parts and all(
        isinstance(part, Mapping) and part.get("type") == "text" and "text" in part for part in parts
    ):
        return "\n".join(str(part["text"]) for part in parts)
    return None


def _of_object(value: Mapping[str, Any], text: str) -> ResultData:
    total = next(
        (value[key] for key in ("total", "count", "total_count") if _is_number(value.get(key))), None
    )
    rows = _list_of(value)
    if rows:
        inner = _message_text(rows)
        return read_result(inner) if inner is not None else _of_rows(rows, total, text)
    if _is_error(value):
        return ResultData(kind="error", content=text)
    if rows is not None:
        return ResultData(kind="empty", total=total, content=text)
    for key in _ENVELOPE:
        if key in value and (isinstance(value[key], Mapping | list | str) or value[key] is None):
            return _enveloped(value[key], text)
    fields = {key: item for key, item in value.items() if key not in META_KEYS}
    if not fields:
        return ResultData(kind="acknowledged" if value else "empty", content=text)
    return _of_rows([fields], total, text)


def _enveloped(inner: Any, text: str) -> ResultData:
    found = read_result(inner) if isinstance(inner, str) else _of_value(inner or None, text)
    return ResultData(kind=found.kind, rows=found.rows, total=found.total, content=text)


def _list_of(value: Mapping[str, Any]) -> list[Any] | None:
    """Return the list of records that an object wraps; None when it wraps none.

    An object with an id or a name of its own is a record, whatever lists stand in it.
    """
    for key in (*_LISTS, *_ENVELOPE):
        if isinstance(value.get(key), list):
            return list(value[key])
    if any(
        key.lower() in ("id", "name", "title") or key.lower().endswith(("_id", "_name"))
        for key in value
        if key not in META_KEYS
    ):
        return None
    lists = [item for key, item in value.items() if isinstance(item, list) and key not in META_KEYS]
    return max(lists, key=len) if lists else None


def _is_error(value: Mapping[str, Any]) -> bool:
    code = next((value[key] for key in _CODE_KEYS if key in value), None)
    has_message = any(key in value for key in _MESSAGE_KEYS)
    return (
        (code is not None and has_message and str(code).lower() not in _OK_CODES)
        or bool(value.get("isError") or value.get("is_error"))
        or value.get("success") is False
        or value.get("ok") is False
        or (bool(value.get("error")) and value.get("error") not in ("none", "null"))
        or (str(value.get("status", "")).lower() in _BAD_STATES and has_message)
    )  # fmt: skip


def _of_rows(rows: list[Any], total: float | None, text: str) -> ResultData:
    filled = [row for row in rows if _has_value(row)]
    if not filled:
        return ResultData(kind="empty", total=total, content=text)
    kind: DataKind = "zero" if all(map(_is_zero, filled)) else "rows"
    return ResultData(kind=kind, rows=filled, total=total, content=text)


def _has_value(row: Any) -> bool:
    if type(row) is dict:
        return any(row.values()) or any(item not in _NOTHING for item in row.values())
    return row not in _NOTHING


def _is_zero(row: Any) -> bool:
    """Return whether a row counts nothing: its figures are all 0, codes and identifiers left aside."""
    if _is_number(row):
        return not row
    if not isinstance(row, Mapping):
        return False
    figures = {key: item for key, item in row.items() if _is_number(item)}
    counts = [item for key, item in figures.items() if _COUNT_KEY.search(key)]
    counts = counts or [item for key, item in figures.items() if not _CODE_LIKE.search(key)]
    return bool(counts) and not any(counts)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _of_text(value: str, text: str) -> ResultData:
    stripped = value.strip()
    if not stripped or _NONE_TEXT.fullmatch(stripped):
        return ResultData(kind="empty", content=text)
    if _ERROR_TEXT.match(stripped):
        return ResultData(kind="error", content=text)
    if _ACK_TEXT.fullmatch(stripped):
        return ResultData(kind="acknowledged", content=text)
    figures = _FIGURE.findall(stripped)
    lines = [line for line in stripped.splitlines() if line.strip(" |-+\t")]
    if figures and len(lines) == 1 and not any(float(figure) for figure in figures):
        return ResultData(kind="zero", content=text)
    if len(lines) == 1 and not figures and re.search(r"[,|\t]", stripped):
        return ResultData(kind="empty", content=text)  # the head of a table without rows
    return ResultData(kind="rows", rows=[{"text": line} for line in lines], content=text)
