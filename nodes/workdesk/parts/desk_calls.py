"""From a request to calls, by what the overlay says tools and parameters are for, never by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.calls import RawCall
from mindatlas.nodes.workdesk.parts.desk_arguments import clock_arguments, paging_arguments, times_arguments
from mindatlas.nodes.workdesk.parts.desk_request import (
    Condition,
    DeskRequest,
    Period,
    UnreadableRequest,
)
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool, DeskTools, is_time
from mindatlas.nodes.workdesk.parts.desk_vocabulary import WORDS

MOST_CALLS = 8  # of one question
_TREND_BY_DAY = 45  # days up to which a trend is drawn day by day
_EXPORT_PREVIEW = 5  # records of the listing that an export needs
_DIRECTORY_ROWS = 100  # asked for at once


@dataclass(frozen=True, kw_only=True)
class PlannedCall:
    """One call, and what its figures are for.

    Attributes:
        period: None where the question gives no days; the check of calls then asks.
        clock: empty where the question names none.
        chosen: what the user called the values that this call, of several, narrows to.
        subtracted: its figures are taken from those of the call with the same period and clock.
    """

    tool: str
    args: Mapping[str, Any]
    period: Period | None = None
    clock: str = ""
    chosen: tuple[str, ...] = ()
    subtracted: bool = False


def plan_calls(request: DeskRequest, tools: DeskTools) -> list[PlannedCall]:
    """Return the calls that answer `request`, without an export, which needs the first one's result.

    Raises:
        UnreadableRequest: the tools at hand cannot do it.
    """
    planned = list(_PLANS[request.job](request, tools))
    if len(planned) > MOST_CALLS:
        raise UnreadableRequest("too_many_calls", str(len(planned)))
    return planned


def raw_calls(planned: Sequence[PlannedCall], first: int = 1) -> list[RawCall]:
    """Return the calls as a model would write them, numbered from `first`."""
    return [
        RawCall(id=f"call_{number}", tool=call.tool, args=dict(call.args))
        for number, call in enumerate(planned, start=first)
    ]


def _count(request: DeskRequest, tools: DeskTools) -> Iterator[PlannedCall]:
    tool = _needed(tools, "statistics", request)
    request = with_trend(request, tool)
    _check_count(request)
    wanted, left_out = _conditions(request, tool)
    base: dict[str, Any] = {}
    if grouping := tool.by_role("group_by"):
        code = request.group or tool.total
        base = {grouping.name: code} if code is not None else {}
    for period, clock in product(request.periods or (None,), request.clocks or ("",)):
        common = {**base, **times_arguments(tool, period), **clock_arguments(tool, clock)}
        for choice, said in _choices(wanted):
            args = {**common, **choice}
            yield PlannedCall(tool=tool.name, args=args, period=period, clock=clock, chosen=said)
            for condition in left_out:
                for value in condition.values:
                    yield PlannedCall(
                        tool=tool.name, args={**args, condition.parameter: value}, period=period, clock=clock,
                        chosen=said, subtracted=True,
                    )  # fmt: skip


def with_trend(request: DeskRequest, tool: DeskTool) -> DeskRequest:
    """Return the request with the grouping that a trend means: by day up to six weeks, by month beyond.

    Raises:
        UnreadableRequest: `trend` where there is another grouping, no period, or no such grouping in the tool.
    """
    if not request.trend or (request.group and is_time(request.group)):
        return request
    days = request.periods[0].days if request.periods else None
    wanted = "" if days is None else "day" if (days.end - days.start).days < _TREND_BY_DAY else "month"
    if request.group or wanted not in tool.groups:
        raise UnreadableRequest("trend")
    return replace(request, group=wanted)


def _check_count(request: DeskRequest) -> None:
    several = [
        condition for condition in request.conditions if len(condition.values) > 1 and not condition.excluded
    ]
    if request.compared and len(request.periods) < 2 and not several:
        raise UnreadableRequest("compare_needs_two")
    if (request.order or request.top) and not request.group:
        raise UnreadableRequest("top_needs_group")
    if request.share and not request.group:
        raise UnreadableRequest("share_needs_group")
    if request.page or request.sort:
        raise UnreadableRequest("sort", request.sort or str(request.page))


def _list(request: DeskRequest, tools: DeskTools) -> Iterator[PlannedCall]:
    tool = _needed(tools, "list", request)
    if request.compared or request.share or request.order:
        raise UnreadableRequest("top_needs_group" if request.order else "compare_needs_two")
    wanted, left_out = _conditions(request, tool)
    if left_out:
        raise UnreadableRequest("exclusion_here", "、".join(left_out[0].words))
    for period, clock in product(request.periods or (None,), request.clocks or ("",)):
        common = {
            **times_arguments(tool, period),
            **clock_arguments(tool, clock),
            **paging_arguments(tool, request),
        }
        for choice, said in _choices(wanted):
            args = {**common, **choice}
            yield PlannedCall(tool=tool.name, args=args, period=period, clock=clock, chosen=said)


def _export(request: DeskRequest, tools: DeskTools) -> Iterator[PlannedCall]:
    """Yield the listing that an export goes on from: a short page, because the file holds all records anyway."""
    _needed(tools, "export", request)
    if request.top or request.page:
        raise UnreadableRequest("export_all")
    planned = list(_list(replace(request, top=_EXPORT_PREVIEW), tools))
    if len(planned) != 1:
        raise UnreadableRequest("one_export")
    yield from planned


def _record(request: DeskRequest, tools: DeskTools) -> Iterator[PlannedCall]:
    tool = _needed(tools, "record", request)
    parameter = tool.by_role("id")
    if parameter is None:
        raise UnreadableRequest("no_role", "id")
    for identifier in request.ids:
        yield PlannedCall(tool=tool.name, args={parameter.name: identifier}, chosen=(identifier,))


def _remark(request: DeskRequest, tools: DeskTools) -> Iterator[PlannedCall]:
    words = [fold(word) for word in WORDS["remark"]["words"]]
    for tool in tools.all:
        if tool.card.overlay.role != "action" or not any(word in _text_of(tool) for word in words):
            continue
        record, content = tool.by_role("id"), tool.by_role("text")
        if record and content:
            yield PlannedCall(tool=tool.name, args={record.name: request.ids[0], content.name: request.text})
            return
    raise UnreadableRequest("no_role", request.text)


def _text_of(tool: DeskTool) -> str:
    overlay = tool.card.overlay
    purpose = overlay.registration.purpose if overlay.registration else ""
    return fold(f"{tool.name} {tool.card.tool.description} {overlay.description} {purpose}")


def _directory(request: DeskRequest, tools: DeskTools) -> Iterator[PlannedCall]:
    tool = tools.directories[request.dimension]
    wanted, left_out = _conditions(request, tool)
    if left_out:
        raise UnreadableRequest("exclusion_here", "、".join(left_out[0].words))
    size = tool.by_role("page_size")
    for choice, said in _choices(wanted):
        args = choice if size is None else {**choice, size.name: _DIRECTORY_ROWS}
        yield PlannedCall(tool=tool.name, args=args, chosen=said)


_PLANS = {
    "count": _count, "list": _list, "export": _export, "record": _record, "remark": _remark, "directory": _directory,
}  # fmt: skip


def _needed(tools: DeskTools, role: Any, request: DeskRequest) -> DeskTool:
    tool = tools.by_role(role)
    if tool is None:
        raise UnreadableRequest("no_role", request.job)
    return tool


def _conditions(request: DeskRequest, tool: DeskTool) -> tuple[list[Condition], list[Condition]]:
    """Return what is wanted, and what is counted apart and subtracted.

    A code that is left out becomes all its other codes, which are known; a name that is left out cannot, so its
    figures are subtracted.
    """
    wanted, left_out = [], []
    for condition in request.conditions:
        if condition.parameter not in tool.filters:
            raise UnreadableRequest("no_filter", "、".join(condition.words))
        if not condition.excluded:
            wanted.append(condition)
        elif condition.named:
            left_out.append(condition)
        else:
            wanted.append(_others(condition, tool))
    if len(left_out) > 1:
        raise UnreadableRequest("exclusion_here", "、".join(word for one in left_out for word in one.words))
    return wanted, left_out


def _others(condition: Condition, tool: DeskTool) -> Condition:
    parameter = tool.filters[condition.parameter]
    rest = {
        code: words
        for code, words in parameter.values.items()
        if tool.coded(parameter.name, code) not in condition.values
    }
    if not rest:
        raise UnreadableRequest("exclusion_here", "、".join(condition.words))
    return replace(
        condition,
        values=tuple(tool.coded(parameter.name, code) for code in rest),
        words=tuple(words[0] if words else code for code, words in rest.items()),
        excluded=False,
        together=True,
    )


def _choices(conditions: Sequence[Condition]) -> Iterator[tuple[dict[str, Any], tuple[str, ...]]]:
    """Yield every combination of one value of each condition, and what tells it from the others.

    One combination, empty, when there is no condition.
    """
    pairs = [
        [(one, value, word) for value, word in zip(one.values, one.words, strict=True)] for one in conditions
    ]
    for combination in product(*pairs):
        told = tuple(word for one, _, word in combination if len(one.values) > 1 and not one.together)
        yield {one.parameter: value for one, value, _ in combination}, told
