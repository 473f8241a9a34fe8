"""Where the records lie in a reply that no overlay describes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

_ENVELOPES = ("data", "result", "results", "response", "body", "payload", "content", "page")
_LISTS = (
    "list",
    "items",
    "records",
    "rows",
    "data",
    "results",
    "result",
    "values",
    "entries",
    "hits",
    "content",
)
_TOTALS = ("total", "total_count", "totalcount", "total_rows", "totalelements", "total_records", "count")
_PAGERS = ("pagination", "paging", "page_info", "pageinfo", "meta")
_SAYS_WHY = ("msg", "message", "error", "error_message", "errmsg", "detail", "reason")
_CODES = ("code", "errcode", "status_code", "retcode")
_FINE = frozenset({"0", "200", "00000", "ok", "success", "none", ""})
_ABOUT = frozenset(
    {"success", "ok", "status", "page_no", "page_num", "page_size", "pagesize", "size", "limit", "offset", "pages",
     "has_more", "hasmore", "next", "cursor", "next_cursor", "query_id", "request_id", "trace_id", "requestid",
     "traceid", "timestamp", "took", "columns", *_PAGERS, *_SAYS_WHY, *_CODES, *_TOTALS, *_ENVELOPES, *_LISTS}
)  # fmt: skip
_DEEPEST = 4


@dataclass(frozen=True, kw_only=True)
class Read:
    """A reply as it was read: its rows and how many there are, or why there are none."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    total: int = 0
    error: str = ""


def read_by_look(data: Any) -> Read:
    """Return the records of a reply: its list of records, or the record that it is itself.

    A mapping with an identifier is a record, whatever lists it holds. Else the list under a usual name counts, then
    the longest list of records, then the mapping itself where it has fields that do not only speak of the reply.
    """
    if error := error_by_look(data):
        return Read(error=error)
    found, around = _found(data)
    rows = as_records(found)
    pagers = [one for mapping in around for one in _named(mapping, _PAGERS) if isinstance(one, Mapping)]
    totals = [_whole(one) for mapping in (*pagers, *around) for one in _named(mapping, _TOTALS)]
    known = [total for total in totals if total is not None and total >= len(rows)]
    return Read(rows=rows, total=known[-1] if known and isinstance(found, list) else len(rows))


def error_by_look(data: Any) -> str:
    """Return what went wrong where a reply looks like an error, empty otherwise."""
    if not isinstance(data, Mapping):
        return ""
    why = next((str(one) for one in _named(data, _SAYS_WHY) if isinstance(one, str | Mapping) and one), "")
    codes = [str(one).lower() for one in _named(data, _CODES) if isinstance(one, int | str)]
    failed = (
        data.get("success") is False or data.get("ok") is False or data.get("status") in ("error", "failed")
    )
    if failed or data.get("error"):
        return why or "The tool reports an error and does not say which"
    turned_down = why and any(code not in _FINE for code in codes) and set(map(str.lower, data)) <= _ABOUT
    if turned_down and not any(_lists(data)):
        return f"{why} (code {codes[0]})"
    return ""


def as_records(found: Any) -> list[dict[str, Any]]:
    """Return a list's records; a bare value becomes a record with the column `value`."""
    if isinstance(found, list):
        return [dict(one) if isinstance(one, Mapping) else {"value": one} for one in found]
    if isinstance(found, Mapping):
        return _table(found) or ([dict(found)] if found else [])
    return [] if found is None or isinstance(found, str) else [{"value": found}]


def _found(data: Any) -> tuple[Any, list[Mapping[str, Any]]]:
    """Return the list or the record in `data`, and the mappings around it from the outermost."""
    around: list[Mapping[str, Any]] = []
    while isinstance(data, Mapping) and len(around) < _DEEPEST:
        around.append(data)
        inside = data if _table(data) else _inside(data)
        if inside is None or inside is data:
            return inside, around
        data = inside
    return data, around


def _inside(data: Mapping[str, Any]) -> Any:
    """Return where to look on, or `data` itself where it is a record."""
    own = [name.lower() for name in data if name.lower() not in _ABOUT]
    if any(name == "id" or name.endswith(("_id", "_no", "编号")) for name in own):
        return data
    usual = [value for value in _named(data, _LISTS) if isinstance(value, list)]
    envelopes = [value for value in _named(data, _ENVELOPES) if isinstance(value, Mapping)]
    if usual or envelopes:
        return (usual or envelopes)[0]
    lists = sorted(_lists(data), key=lambda one: (not _holds_records(one), -len(one)))
    if lists and _holds_records(lists[0]):
        return lists[0]
    if any(not isinstance(value, Mapping | list) and name.lower() in own for name, value in data.items()):
        return data
    deeper = [value for value in data.values() if isinstance(value, Mapping)]
    return next(iter(lists or deeper), None) or _bare(data)


def _bare(data: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the record of a reply that is one value in an envelope, or figures and nothing else."""
    for value in _named(data, _ENVELOPES):
        if value is not None and not isinstance(value, Mapping):
            return {"value": value}
    return data if list(_named(data, _TOTALS)) else None


def _table(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the records of a table that comes as column names and rows of values, none where it is no such."""
    columns, rows = data.get("columns"), data.get("rows", data.get("data"))
    if not (isinstance(columns, list) and isinstance(rows, list) and columns and rows):
        return []
    named = [one.get("name") if isinstance(one, Mapping) else one for one in columns]
    names = [name for name in named if isinstance(name, str)]
    if len(names) < len(named) or not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return []
    return [dict(zip(names, row, strict=True)) for row in rows]


def _lists(data: Any, depth: int = 0) -> Iterator[list[Any]]:
    """Yield the lists in `data`, outer ones first, down to the fourth level."""
    if isinstance(data, list):
        yield data
    elif isinstance(data, Mapping) and depth < _DEEPEST:
        for value in data.values():
            yield from _lists(value, depth + 1)


def _holds_records(values: list[Any]) -> bool:
    return bool(values) and all(isinstance(one, Mapping) for one in values)


def _named(data: Mapping[str, Any], names: Sequence[str]) -> Iterator[Any]:
    lowered = {str(name).lower(): value for name, value in data.items()}
    return (lowered[name] for name in names if name in lowered)


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
