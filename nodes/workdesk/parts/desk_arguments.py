"""The arguments for days, clock, page and order, by the roles of a tool's parameters."""

from __future__ import annotations

from typing import Any

from mindatlas.nodes.workdesk.parts.desk_request import NEXT_PAGE, DeskRequest, Period, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool


def times_arguments(tool: DeskTool, period: Period | None) -> dict[str, Any]:
    """Return both ends of the days, as dates where the schema says so; none where the question gives none."""
    start, end = tool.by_role("range_start"), tool.by_role("range_end")
    if period is None:
        return {}
    if start is None or end is None:
        raise UnreadableRequest("no_filter", period.text)
    plain = start.schema.get("format") == "date"
    first, last = period.days.start.isoformat(), period.days.end.isoformat()
    return {
        start.name: first if plain else f"{first} 00:00:00",
        end.name: last if plain else f"{last} 23:59:59",
    }


def clock_arguments(tool: DeskTool, clock: str) -> dict[str, Any]:
    """Return the argument for the clock that the question names, none where it names none."""
    if not clock:
        return {}
    dual = tool.card.overlay.dual_time
    name = dual.parameter if dual else getattr(tool.by_role("clock"), "name", None)
    if name is None or name not in tool.parameters:
        raise UnreadableRequest("no_filter", clock)
    return {name: tool.coded(name, clock)}


def paging_arguments(tool: DeskTool, request: DeskRequest) -> dict[str, Any]:
    """Return page, page size and order of a list, as far as the question says them."""
    args: dict[str, Any] = {}
    for role, value in (("page", request.page), ("page_size", request.top), ("sort", request.sort)):
        if not value:
            continue
        if value == NEXT_PAGE:
            raise UnreadableRequest("not_readable_follow")
        parameter = tool.by_role(role)  # type: ignore[arg-type]
        if parameter is None:
            raise UnreadableRequest("no_filter", str(value))
        most = parameter.schema.get("maximum")
        if role == "page_size" and most is not None and request.top and request.top > most:
            raise UnreadableRequest("page_size", str(most))
        args[parameter.name] = value
    return args
