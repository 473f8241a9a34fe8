"""Writes the reply from the rows that came back: the figures are put in by code, none is written by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from mindatlas.nodes.date_ranges import DateRange
from mindatlas.nodes.workdesk.parts.calls import ToolResult
from mindatlas.nodes.workdesk.parts.desk_calls import PlannedCall, plan_calls, with_trend
from mindatlas.nodes.workdesk.parts.desk_followups import read_turn
from mindatlas.nodes.workdesk.parts.desk_kinds import KindFinder
from mindatlas.nodes.workdesk.parts.desk_request import DeskRequest, Period, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_requests import DeskReader
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool, DeskTools, is_time
from mindatlas.nodes.workdesk.parts.planning import ReplyRequest
from mindatlas.nodes.workdesk.parts.reply_columns import Answered, columns_from
from mindatlas.nodes.workdesk.parts.reply_figures import FiguresReply
from mindatlas.nodes.workdesk.parts.reply_records import RecordsReply
from mindatlas.nodes.workdesk.parts.reply_words import ReplyWords

_FAILURES = {"server_gone": "failed_gone", "timeout": "failed_timeout", "declined": "declined"}


class BuiltinReplyWriter:
    """Reads the question as the planner did, and answers it from the results alone."""

    def reply(self, request: ReplyRequest) -> str:
        """Return the reply; a draft only where nothing was called."""
        if not request.results:
            return request.draft or ReplyWords(request.language).say("nothing")
        words = ReplyWords(request.language)
        body = _Reply(request, DeskTools(tuple(request.tools)), words).text()
        stated = [sentence for sentence in dict.fromkeys(request.stated) if not _told(sentence, body)]
        return "\n\n".join([body, *stated])


def _told(sentence: str, body: str) -> bool:
    """Return whether `body` says what `sentence` states: all of it, or what stands behind its colon."""
    core = re.split(r"：|: ", sentence, maxsplit=1)[-1]
    return core.split("（")[0].split(" (")[0] in body


class _Reply:
    """One reply in the making."""

    def __init__(self, request: ReplyRequest, tools: DeskTools, words: ReplyWords) -> None:
        self._request = request
        self._tools = tools
        self._words = words
        self._records = RecordsReply(tools, words)

    def text(self) -> str:
        results = self._request.results
        if all(result["error"] for result in results):
            return self._failure(results[-1])
        try:
            wanted = self._wanted()
            planned = plan_calls(wanted, self._tools)
        except UnreadableRequest:
            return self._plainly(results)
        answered = list(_answered(planned, results))
        failed = [result for result in results if result["error"]]
        if len(answered) < len(planned) or any(one.results[0]["error"] for one in answered):
            good = [result for one in answered for result in one.results if not result["error"]]
            if not good:
                return self._failure(failed[-1]) if failed else self._plainly(results)
            error = failed[-1]["error"] if failed else ""
            return f"{self._words.say('partly', error=error)}\n\n{self._plainly(good)}"
        if missing := _unapplied(wanted, answered):
            return self._words.say("unapplied", about=missing)
        return self._answer(wanted, answered)

    def _wanted(self) -> DeskRequest:
        reader = DeskReader(self._tools, self._request.today)
        wanted = read_turn(reader, self._request.question, self._request.history)
        if self._tools.main is None or wanted.job not in {"count", "list", "export"}:
            return wanted
        return KindFinder(self._tools, self._tools.main).resolved(wanted, self._request.results)

    def _answer(self, wanted: DeskRequest, answered: Sequence[Answered]) -> str:
        first = answered[0].results[0]
        if wanted.job == "count":
            return self._figures(wanted, answered)
        if wanted.job == "record":
            return "\n\n".join(self._records.record(one.results[0]) for one in answered)
        if wanted.job == "remark":
            return self._words.say("remarked", order=wanted.ids[0], text=wanted.text)
        if wanted.job == "export":
            return self._exported(first)
        clocks = list(dict.fromkeys(one.results[0]["clock"] for one in answered if one.results[0]["clock"]))
        note = [self._words.unsaid_clock(clocks)] if clocks and not wanted.clocks else []
        return "\n\n".join([*(self._labelled(one) for one in answered), *note])

    def _figures(self, wanted: DeskRequest, answered: Sequence[Answered]) -> str:
        tool = self._tools.by_name(answered[0].call.tool)
        if tool is None:
            return self._plainly(self._request.results)
        columns = columns_from([_with_days(one, tool) for one in answered])
        if columns is None:
            incomplete = any(
                r["truncated"] or r["n_rows"] > len(r["rows"]) for one in answered for r in one.results
            )
            note = f"{self._words.say('incomplete')}\n\n" if incomplete else ""
            return note + self._plainly([result for one in answered for result in one.results])
        wanted = with_trend(wanted, tool)
        writer = FiguresReply(
            wanted, _dimension(wanted, tool, self._words), timed=is_time(wanted.group), words=self._words
        )
        return writer.text(columns)

    def _labelled(self, one: Answered) -> str:
        label = self._words.column(one.call.period, one.call.chosen, one.results[0]["clock"], "")
        text = self._records.rows(one.results[0])
        return f"{label}\n\n{text}" if label else text

    def _exported(self, listed: ToolResult) -> str:
        export = self._tools.by_role("export")
        made = [result for result in self._request.results if export and result["tool"] == export.name]
        if not made:
            return self._records.rows(listed)
        if made[-1]["error"]:
            return self._failure(made[-1])
        details = self._records.record(made[-1]) if made[-1]["rows"] else made[-1]["content"]
        return f"{self._words.say('exported')}\n\n{details}"

    def _plainly(self, results: Sequence[ToolResult]) -> str:
        """Return the results one after the other, each under its clock, where they are not those of one question."""
        parts = []
        for result in results:
            if result["error"]:
                parts.append(self._failure(result))
                continue
            label = self._words.by_clock(result["clock"]) if result["clock"] else ""
            body = (
                self._records.rows(result) if result["rows"] or not result["content"] else result["content"]
            )
            parts.append(f"{label}\n\n{body}" if label else body)
        return "\n\n".join(parts)

    def _failure(self, result: ToolResult) -> str:
        return self._words.say(_FAILURES.get(result["error_kind"] or "", "failed"), error=result["error"])


def _answered(planned: Sequence[PlannedCall], results: Sequence[ToolResult]) -> Iterator[Answered]:
    """Yield each planned call that was answered, by the id that the planner gave it, and its reruns."""
    tool = planned[0].tool
    position = next((index for index, result in enumerate(results) if result["tool"] == tool), len(results))
    for number, call in enumerate(planned, start=position + 1):
        name = f"call_{number}"
        own = [result for result in results if result["tool"] == tool and result["id"] == name]
        again = [result for result in results if result["id"].startswith(f"{name}-") and not result["error"]]
        if own:
            yield Answered(call=call, results=[own[-1], *again])


def _unapplied(wanted: DeskRequest, answered: Sequence[Answered]) -> str:
    """Return the words of a condition that the check of calls took out, empty when all are there."""
    for one in answered:
        args = one.results[0]["args"]
        for name in one.call.args:
            if name not in args:
                said = [
                    word
                    for condition in wanted.conditions
                    if condition.parameter == name
                    for word in condition.words
                ]
                return "、".join(said) or name
    return ""


def _with_days(one: Answered, tool: DeskTool) -> Answered:
    """Return the answer with the days that were really asked for: the check of calls may have filled them in."""
    start, end = tool.by_role("range_start"), tool.by_role("range_end")
    args = one.results[0]["args"]
    if start is None or end is None or not args.get(start.name) or not args.get(end.name):
        return one
    try:
        first, last = (date.fromisoformat(str(args[each.name])[:10]) for each in (start, end))
        days = DateRange(start=first, end=last, grain="day")
    except ValueError:  # a server with a form of its own: the question's words stand alone
        return one
    before = one.call.period
    if before and (before.days.start, before.days.end) == (first, last):
        return one
    return replace(one, call=replace(one.call, period=Period(text="", days=days)))


def _dimension(wanted: DeskRequest, tool: DeskTool, words: ReplyWords) -> str:
    """Return what the groups are called in the language of the reply."""
    said = tool.groups.get(wanted.group, ())
    fitting = [word for word in said if word.isascii() == (words.language == "en")]
    return next(iter(fitting or said), wanted.group)
