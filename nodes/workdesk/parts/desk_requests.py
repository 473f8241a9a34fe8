"""Reads a question into a `DeskRequest`; a word that is not understood refuses the whole, it is never dropped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from mindatlas.nodes.workdesk.parts.desk_clocks import read_clocks, read_open_states
from mindatlas.nodes.workdesk.parts.desk_exclusions import mark_excluded
from mindatlas.nodes.workdesk.parts.desk_groups import Grouping, read_grouping
from mindatlas.nodes.workdesk.parts.desk_items import Item, ItemReader
from mindatlas.nodes.workdesk.parts.desk_lists import asks_for_page, read_list_words
from mindatlas.nodes.workdesk.parts.desk_request import (
    Condition,
    DeskRequest,
    Job,
    Period,
    UnreadableRequest,
)
from mindatlas.nodes.workdesk.parts.desk_single import IDENTIFIER, nothing_left, read_record
from mindatlas.nodes.workdesk.parts.desk_text import QuestionText, word_pattern
from mindatlas.nodes.workdesk.parts.desk_times import read_periods, shifted
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool, DeskTools
from mindatlas.nodes.workdesk.parts.desk_vocabulary import WORDS, cue, fillers, records


class DeskReader:
    """Reads questions over the given tools.

    Args:
        tools: the tools that were chosen.
        today: the day that 上个月 is counted from.
    """

    def __init__(self, tools: DeskTools, today: date) -> None:
        self._tools = tools
        self._today = today

    def read(self, question: str, *, fragment: bool = False) -> DeskRequest:
        """Return what `question` asks for; a `fragment` need not say what is counted (那上周呢).

        Raises:
            UnreadableRequest: any part of it is not understood.
        """
        text = QuestionText(question)
        if (change := cue("change").search(text.left)) and not cue("count").search(text.left):
            raise UnreadableRequest("change", change[0])
        ids = tuple(text.as_written(*match.span()) for match in text.take_all(IDENTIFIER))
        if ids and cue("remark").search(text.left):
            raise UnreadableRequest("remark_form")  # the full form is read by `read_remark`
        if ids:
            return read_record(text, ids)
        tool = self._tools.main
        if tool is None:
            raise UnreadableRequest("no_tool")
        return self._over_records(text, tool, fragment=fragment)

    def _over_records(self, text: QuestionText, tool: DeskTool, *, fragment: bool) -> DeskRequest:
        """Return the request; each reader takes out what it understands, those of fixed words before names."""
        about_records = bool(records().search(text.folded))
        periods = read_periods(text, self._today)
        alone = not about_records or re.fullmatch(rf"(?:{records().pattern})的?都?有哪些.+", text.folded)
        if not periods and alone and (directory := self._directory(text, tool)):
            return directory
        if (part := cue("part_of").search(text.folded)) and cue("count").search(text.folded[: part.start()]):
            raise UnreadableRequest("two_counts", part[0])
        file_type = _file_type(text)
        export = bool(text.take_all(cue("export"))) or bool(file_type)
        share = bool(text.take_all(cue("share")))
        periods, shift = _shift(text, periods)
        labelled, still_open = ItemReader(tool).labelled_codes(text), read_open_states(text, tool)
        shape = self._shape(text, tool, export=export)
        conditions = _narrowing(text, tool, labelled, still_open)
        request = replace(
            shape,
            periods=periods,
            conditions=conditions,
            share=share,
            file_type=file_type,
            compared=shape.compared or shift,
            notices=tuple("、".join(condition.words) for condition in still_open),
        )
        if not (fragment or about_records or _says_figures(request)):
            raise UnreadableRequest("not_about_records")
        return request

    def _shape(self, text: QuestionText, tool: DeskTool, *, export: bool) -> DeskRequest:
        """Return what is wanted of the records: figures by what, or a list in which order; conditions come later."""
        listing = export or asks_for_page(text)
        listing = listing or bool(cue("list").search(text.left) and not cue("count").search(text.left))
        page, sort, limit = None, "", None
        if listing:
            text.take_all(re.compile("把|将"))
            page, sort, limit = read_list_words(text, self._tools.by_role("list"))
        grouping = read_grouping(text, tool.groups)
        trend = bool(text.take_all(cue("trend")))
        compared = bool(text.take_all(cue("compare")))
        clocks = read_clocks(text, tool, self._today)
        listed = bool(text.take_all(cue("list"))) or page is not None
        counted = bool(text.take_all(cue("count")))
        return DeskRequest(
            job=_job(export=export, listed=listed, counted=counted, grouping=grouping),
            clocks=clocks,
            group=grouping.group,
            compared=compared,
            trend=trend,
            top=grouping.top or limit,
            order=grouping.order,
            page=page,
            sort=sort,
            counted=counted or listed or export,
        )

    def _directory(self, text: QuestionText, tool: DeskTool) -> DeskRequest | None:
        """Return the question for the members of a dimension (有哪些班组, list the teams), None when it is none."""
        words = {
            word: dimension
            for dimension in self._tools.directories
            for word in tool.groups.get(dimension, (dimension,))
        }
        if not words:
            return None
        w = f"(?P<w>{word_pattern(list(words))})"
        for shape in (
            rf"(?:都?有哪些|列出(?:所有|全部)?的?|查看(?:所有|全部)的?|所有的?|全部的?|(?:一?共)?有?多少个?|(?:一?共)?有?几个)(?:不同的?)?{w}(?:列表|名单|清单)?",
            rf"{w}(?:都?有哪些|列表|名单|清单|有几个|有多少个?)",
            rf"\b(?:list|show)(?: me)?(?: all)?(?: of)?(?: the)? {w}",
            rf"\b(?:what|which|how many) {w}(?: are there| do we have| exist)?",
            rf"\ball(?: the)? {w}",
        ):
            if match := text.take_first(re.compile(shape)):
                return self._members(text, words[match["w"]])
        return None

    def _members(self, text: QuestionText, dimension: str) -> DeskRequest:
        tool = self._tools.directories[dimension]
        text.take_all(records())
        items = ItemReader(tool).names(text) if tool.filters else []
        if len(tool.filters) == 1:  # a name of no known kind can be nothing else
            items = [replace(item, parameter=item.parameter or next(iter(tool.filters))) for item in items]
        text.take_all(fillers())
        nothing_left(text)
        return DeskRequest(job="directory", dimension=dimension, conditions=_conditions(items))


def _says_figures(request: DeskRequest) -> bool:
    return bool(
        request.counted
        or request.clocks
        or request.group
        or request.share
        or request.compared
        or request.trend
    )


def _narrowing(
    text: QuestionText, tool: DeskTool, labelled: Sequence[Item], still_open: Sequence[Condition]
) -> tuple[Condition, ...]:
    """Return the conditions, with all that is left of the question taken out.

    Raises:
        UnreadableRequest: something stays that is no condition, or a parameter has two at once.
    """
    opened = [match.span() for match in text.take_all(cue("exclude.before"))]
    closed = [match.span() for match in text.take_all(cue("exclude.after"))]
    if opened or closed:
        text.take_all(cue("rest"))
    text.take_all(records())
    reader = ItemReader(tool)
    items = [*labelled, *reader.names(text), *_unambiguous(reader.codes(text))]
    items = mark_excluded(text, items, opened, closed)
    text.take_all(fillers())
    nothing_left(text)
    conditions = _conditions(items)
    taken = {condition.parameter for condition in conditions}
    if both := [one for one in still_open if one.parameter in taken]:
        raise UnreadableRequest("contradiction", "、".join(both[0].words))
    return (*conditions, *still_open)


def _file_type(text: QuestionText) -> str:
    for name, pattern in WORDS["export"]["files"].items():
        if text.take_all(re.compile(pattern)):
            return str(name)
    return ""


def _unambiguous(items: list[Item]) -> list[Item]:
    """Return the items as they are.

    Raises:
        UnreadableRequest: `ambiguous_word` where a code's word, without its label, means something else as often.
    """
    for item in items:
        if item.word.casefold() in WORDS["ambiguous"]:
            raise UnreadableRequest("ambiguous_word", item.word)
    return items


def _shift(text: QuestionText, periods: tuple[Period, ...]) -> tuple[tuple[Period, ...], bool]:
    """Return the periods, with the one that 环比 or 同比 sets beside a single one."""
    year = bool(text.take_all(cue("year_before")))
    previous = bool(text.take_all(cue("previous")))
    if not (year or previous):
        return periods, False
    if len(periods) != 1 or (year and previous):
        raise UnreadableRequest("shift_needs_one")
    return (periods[0], shifted(periods[0], year=year)), True


def _conditions(items: Sequence[Item]) -> tuple[Condition, ...]:
    """Return one condition for each parameter; its values count together.

    Raises:
        UnreadableRequest: `contradiction` where a parameter has wanted and excluded values.
    """
    found: dict[tuple[str, str], Condition] = {}
    for item in sorted(items, key=lambda one: one.start):
        key = (item.parameter, item.word if not item.parameter else "")
        before = found.get(key)
        if before is None:
            found[key] = Condition(
                parameter=item.parameter,
                values=(item.value,),
                words=(item.word,),
                excluded=item.excluded,
                named=item.named,
            )
        elif before.excluded != item.excluded:
            raise UnreadableRequest("contradiction", item.word)
        elif item.value not in before.values:
            found[key] = replace(
                before, values=(*before.values, item.value), words=(*before.words, item.word)
            )
    return tuple(found.values())


def _job(*, export: bool, listed: bool, counted: bool, grouping: Grouping) -> Job:
    if export:
        return "export"
    return "list" if listed and not counted and not grouping.group else "count"
