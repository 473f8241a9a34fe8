"""A directory tool's reply put together from its pages."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from mindatlas.nodes.workdesk.parts.calls import ToolResult
from mindatlas.nodes.workdesk.parts.overlay_model import ParameterRole
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard

MOST_NAMES = 10_000
_MOST_PAGES = 100


def read_pages(
    card: ToolCard, args: Mapping[str, Any], ask: Callable[[dict[str, Any]], ToolResult], *, within_s: float
) -> ToolResult:
    """Return all rows of a directory as one result: at most 10,000, from at most 100 pages.

    Pages are turned as the overlay's roles say; a tool without a page parameter is asked once. What could not be
    read any more, by bound or by time, shows as `truncated` and in `n_rows`, which is more than the rows then.

    Args:
        card: the directory tool.
        args: what the directory is narrowed by; the overlay's defaults stand beside it.
        ask: makes one call.
        within_s: seconds after which no further page is asked for.
    """
    page, size = _parameter(card, "page"), _parameter(card, "page_size")
    given = {**card.overlay.defaults, **args}
    if page is None:
        return {**ask(given), "args": dict(args)}
    start, full = given.get(page, 1), given.get(size) if size else None
    result = last = ask({**given, page: start})
    rows, end = list(result["rows"]), time.monotonic() + within_s
    pages = 1
    while more := not last["error"] and _is_more(last, len(rows), full):
        if pages >= _MOST_PAGES or len(rows) >= MOST_NAMES or time.monotonic() > end:
            break
        turned = ask({**given, page: start + pages})
        if not turned["error"] and turned["rows"] in ([], last["rows"]):
            more = False  # the server has no more, or does not know pages
            break
        rows, last, pages = rows + turned["rows"], turned, pages + 1
    if last["error"]:
        return {**last, "args": dict(args)}
    total = max(last["n_rows"], len(rows) + more)
    return {
        **result,
        "args": dict(args),
        "rows": rows,
        "n_rows": total,
        "truncated": result["truncated"] or len(rows) < total,
    }


def _is_more(last: ToolResult, read: int, size: Any) -> bool:
    """Return whether the server has more: by the total that it tells, else because the last page was full."""
    if not _total_unknown(last):
        return read < last["n_rows"]
    return isinstance(size, int) and len(last["rows"]) >= size


def _total_unknown(result: ToolResult) -> bool:
    return result["n_rows"] == len(result["rows"])


def _parameter(card: ToolCard, role: ParameterRole) -> str | None:
    return next((name for name, one in card.overlay.parameters.items() if one.role == role), None)
