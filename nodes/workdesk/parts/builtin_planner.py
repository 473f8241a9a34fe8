"""Plans the calls of common questions over records, Chinese and English, by rules; refuses the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mindatlas.nodes.text import language_of
from mindatlas.nodes.workdesk.parts.calls import RawCall, ToolResult
from mindatlas.nodes.workdesk.parts.desk_calls import plan_calls, raw_calls
from mindatlas.nodes.workdesk.parts.desk_followups import read_turn
from mindatlas.nodes.workdesk.parts.desk_kinds import KindFinder
from mindatlas.nodes.workdesk.parts.desk_messages import explain_capabilities, refusal, say
from mindatlas.nodes.workdesk.parts.desk_request import DeskRequest, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_requests import DeskReader
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool, DeskTools
from mindatlas.nodes.workdesk.parts.planning import Plan, PlanRequest

__all__ = ["BuiltinPlanner", "explain_capabilities"]

_RECORDS = frozenset({"count", "list", "export"})


class BuiltinPlanner:
    """Understands counts, lists, single orders, remarks and exports; see `explain_capabilities`.

    Every word of a question must be understood: a condition that is not is refused, never dropped. Names go on as
    the user wrote them, and days that the question does not give are left out, for the check of calls to ask.
    """

    def plan(self, request: PlanRequest) -> Plan:
        """Return the next calls; none when all results are there, a refusal when the rules do not reach."""
        language = language_of(request.question)
        tools = DeskTools(tuple(request.tools))
        try:
            wanted = read_turn(DeskReader(tools, request.today), request.question, request.history)
            return self._next(wanted, tools, request, language)
        except UnreadableRequest as error:
            return Plan(refusal=refusal(error, language))

    def _next(self, wanted: DeskRequest, tools: DeskTools, request: PlanRequest, language: str) -> Plan:
        if wanted.job in _RECORDS and tools.main is not None:
            finder = KindFinder(tools, tools.main)
            if lookups := finder.lookups(wanted, request.results):
                plan_calls(_known(wanted), tools)  # refuse now what no name will make possible
                return Plan(calls=lookups, more=True)
            wanted = finder.resolved(wanted, request.results)
        planned = plan_calls(wanted, tools)
        done = [result for result in request.results if result["tool"] == planned[0].tool]
        if not done or (request.must_call and all(result["error"] for result in done)):
            notices = [say("notice_open", language, about) for about in wanted.notices]
            calls = raw_calls(planned, first=len(request.results) + 1)
            return Plan(calls=calls, more=wanted.job == "export", notices=notices)
        exporting = tools.by_role("export") if wanted.job == "export" else None
        if exporting and not done[-1]["error"] and not _made(exporting, request.results):
            return Plan(calls=[_export(exporting, wanted, done[-1])])
        return Plan()


def _known(wanted: DeskRequest) -> DeskRequest:
    """Return the request without the names whose kind is not known yet."""
    known = tuple(one for one in (*wanted.inherited, *wanted.conditions) if one.parameter)
    return replace(wanted, conditions=known, inherited=(), compared=False)


def _made(tool: DeskTool, results: Sequence[ToolResult]) -> bool:
    return any(result["tool"] == tool.name for result in results)


def _export(tool: DeskTool, wanted: DeskRequest, listed: ToolResult) -> RawCall:
    """Return the export of a list: what the tool needs is taken from the list's reply, by its name.

    Raises:
        UnreadableRequest: `no_role` where the reply does not hold it, or the tool writes no such file.
    """
    args: dict[str, Any] = {}
    for name, parameter in tool.parameters.items():
        if found := re.search(rf'"{re.escape(name)}"\s*:\s*"([^"]+)"', listed["content"]):
            args[name] = found[1]
        elif wanted.file_type and wanted.file_type in {
            *parameter.values,
            *map(str, parameter.codes.values()),
        }:
            args[name] = tool.coded(name, wanted.file_type)
        elif (
            wanted.file_type and parameter.types == {"string"} and not parameter.values and not parameter.role
        ):
            args[name] = wanted.file_type
        elif parameter.required and name not in tool.card.overlay.defaults:
            raise UnreadableRequest("no_role", name)
    return RawCall(id=f"{listed['id']}_export", tool=tool.name, args=args)
