"""Reads a question into a `DeskRequest`; a word that is not understood refuses the whole, it is never dropped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.desk_exclusions import mark_excluded
from mindatlas.nodes.workdesk.parts.desk_groups import Grouping, read_grouping, read_number
from mindatlas.nodes.workdesk.parts.desk_items import Item, ItemReader
from mindatlas.nodes.workdesk.parts.desk_request import NEXT_PAGE, Condition, DeskRequest, Job, Period, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_text import QuestionText, one_of, word_pattern
from mindatlas.nodes.workdesk.parts.desk_times import read_periods, shifted
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool, DeskTools, is_time
from mindatlas.nodes.workdesk.parts.desk_vocabulary import WORDS, cue, fillers, joints, records

_ID = re.compile(r"(?<![a-z0-9])[a-z]{1,6}-?\d{6,}(?:-\d+)*(?![a-z0-9])")
_PAGE = re.compile(r"第(?P<n>\d+|[一二三四五六七八九十]+)页|\bpage (?P<m>\d+)\b")
_NEXT_PAGE = re.compile(r"下一页|\bnext page\b")
_LIMIT = re.compile(
    r"(?:前|最近的?|最新的?|头)?(?P<n>\d+|[一二三四五六七八九十]+)(?:条|张|单|个(?=工单))|\b(?:first|latest|last|newest|oldest)?\s*(?P<m>\d+)\s+(?=(?:\w+ )?(?:work )?(?:orders|tickets))"
)


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
        ids = tuple(text.as_written(*match.span()) for match in text.take_all(_ID))
        if ids and cue("remark").search(text.left):
            raise UnreadableRequest("remark_form")  # the full form is read by `read_remark`
        if ids:
            return _record(text, ids)
        tool = self._tools.main
        if tool is None:
            raise UnreadableRequest("no_tool")
        return self._over_records(text, tool, fragment=fragment)

    def _over_records(self, text: QuestionText, tool: DeskTool, *, fragment: bool) -> DeskRequest:
        about_records = bool(records().search(text.folded))
        kinds = re.fullmatch(rf"(?:{records().pattern})的?都?有哪些.+", text.folded)
        periods = read_periods(text, self._today)
        if not periods and (kinds or not about_records) and (directory := self._directory(text, tool)):
            return directory
        file_type = _file_type(text)
        export = bool(text.take_all(cue("export"))) or bool(file_type)
        if export:
            text.take_all(re.compile("把|将"))
        share = bool(text.take_all(cue("share")))
        periods, shift = _shift(text, periods)
        reader = ItemReader(tool)
        items = reader.labelled_codes(text)
        open_items = _open_items(text, tool)
        listing = export or bool(_PAGE.search(text.left) or _NEXT_PAGE.search(text.left))
        listing = listing or bool(cue("list").search(text.left) and not cue("count").search(text.left))
        page, sort, limit = _list_words(text, self._tools.by_role("list")) if listing else (None, "", None)
        grouping = read_grouping(text, tool.groups)
        trend = bool(text.take_all(cue("trend")))
        compared = bool(text.take_all(cue("compare"))) or shift
        clocks = _clocks(text, tool)
        excluding = [match.span() for match in text.take_all(cue("exclude.before"))]
        closing = [match.span() for match in text.take_all(cue("exclude.after"))]
        if excluding or closing:
            text.take_all(cue("rest"))
        listed = bool(text.take_all(cue("list"))) or page is not None
        counted = bool(text.take_all(cue("count")))
        text.take_all(records())
        items += [*reader.names(text), *reader.codes(text)]
        items = mark_excluded(text, items, excluding, closing)
        text.take_all(fillers())
        _nothing_left(text)
        conditions = (*_conditions(items, tool), *open_items)
        job = _job(export=export, listed=listed, counted=counted, grouping=grouping)
        if job == "count" and not (
            about_records or counted or listed or clocks or grouping.group or share or compared or fragment
        ):
            raise UnreadableRequest("not_about_records")
        request = DeskRequest(
            job=job, periods=periods, clocks=clocks, conditions=conditions, group=grouping.group, compared=compared,
            share=share, top=grouping.top or limit, order=grouping.order, page=page, sort=sort, file_type=file_type,
            counted=counted or listed or export,
            notices=tuple(_open_notice(condition) for condition in open_items),
        )  # fmt: skip
        return _with_trend(request, tool) if trend else request

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
            rf"(?:都?有哪些|列出(?:所有|全部)?的?|查看(?:所有|全部)的?|所有的?|全部的?|(?:一?共)?有?多少个?|几个)(?:不同的?)?{w}(?:列表|名单|清单)?",
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
        _nothing_left(text)
        return DeskRequest(job="directory", dimension=dimension, conditions=_conditions(items, tool))


def _record(text: QuestionText, ids: Sequence[str]) -> DeskRequest:
    text.take_all(records())
    text.take_all(cue("record_words"))
    text.take_all(fillers())
    _nothing_left(text)
    return DeskRequest(job="record", ids=tuple(dict.fromkeys(ids)))


def read_remark(question: str) -> DeskRequest | None:
    """Return the request to add a text to one record, None when the question is none.

    Raises:
        UnreadableRequest: `remark_form` where the record or the text is missing.
    """
    folded = fold(question)
    asked = cue("remark").search(folded)
    if asked is None or re.search(r"多少|哪些|how many|which", folded[: asked.start()]):
        return None
    ids = re.findall(_ID.pattern, question, re.IGNORECASE)
    quoted = re.search(r"[“\"「『‘'](.+)[”\"」』’']", question, re.DOTALL)
    plain = re.search(
        r"(?:备注|留言|说明|remark|note|comment)(?:一下)?(?:\s*(?:内容|为|是|说|saying|that))?\s*[:：,，]?\s*(.+)$",
        question, re.IGNORECASE | re.DOTALL,
    )  # fmt: skip
    content = (quoted or plain)[1].strip() if quoted or plain else ""  # type: ignore[index]
    content = re.sub(rf"^(?:to|on|给|到)?\s*(?:工单|order|ticket)?\s*{_ID.pattern}\s*[:：,，]?\s*", "", content, flags=re.I)
    asked_about = not quoted and re.search(r"什么|吗|有没有|[?？]$|\bwhat\b|\bwhich\b|\bany\b", content)
    if len(ids) != 1 or not content or asked_about:
        raise UnreadableRequest("remark_form")
    return DeskRequest(job="remark", ids=(ids[0],), text=content)


def _file_type(text: QuestionText) -> str:
    for name, pattern in WORDS["export"]["files"].items():
        if text.take_all(re.compile(pattern)):
            return str(name)
    return ""


def _shift(text: QuestionText, periods: tuple[Period, ...]) -> tuple[tuple[Period, ...], bool]:
    """Return the periods, with the one that 环比 or 同比 sets beside a single one."""
    year = bool(text.take_all(cue("year_before")))
    previous = bool(text.take_all(cue("previous")))
    if not (year or previous):
        return periods, False
    if len(periods) != 1 or (year and previous):
        raise UnreadableRequest("shift_needs_one")
    return (periods[0], shifted(periods[0], year=year)), True


def _clocks(text: QuestionText, tool: DeskTool) -> tuple[str, ...]:
    """Return the clocks that the question names, in its order; two must stand beside each other.

    Raises:
        UnreadableRequest: `two_clocks` where one narrows the other (上个月创建的里面完成了多少).
    """
    words = clock_words(tool)
    if not words:
        return ()
    pattern = re.compile(rf"(?P<w>{word_pattern(list(words))})(?:了|过|时间|日期|时|于|的?数量?|量|情况)*")
    found = text.take_all(pattern)
    values = list(dict.fromkeys(words[match["w"]] for match in found))
    for one, other in zip(found, found[1:], strict=False):
        joint = text.folded[one.end() : other.start()]
        if len(values) > 1 and not re.fullmatch(r"[\s,，]*(?:的?工单)?(?:和|与|、|及|以及|and|,)?[\s,，]*(?:了)?", joint):
            raise UnreadableRequest("two_clocks", text.as_written(one.start(), other.end()))
    return tuple(values)


def clock_words(tool: DeskTool) -> dict[str, str]:
    """Return the folded words that name a clock of the tool -> its value."""
    dual = tool.card.overlay.dual_time
    words = {fold(word): value for value, clock in dual.clocks.items() for word in clock.words} if dual else {}
    parameter = tool.by_role("clock")
    if parameter is not None:
        for code, said in parameter.values.items():
            for word in said:
                words.setdefault(fold(word), code)
    return words


def _open_items(text: QuestionText, tool: DeskTool) -> list[Condition]:
    """Return the condition that 未完成 stands for: every open status, each by its code."""
    found = text.take_all(one_of(WORDS["open_states"]["words"]))
    if not found:
        return []
    word = text.as_written(*found[0].span())
    for name, parameter in tool.filters.items():
        codes = [
            next((code for code, said in parameter.values.items() if {fold(one) for one in said} & set(state)), None)
            for state in WORDS["open_states"]["states"]
        ]
        if all(codes):
            words = tuple(parameter.values[code][0] for code in codes if code)
            values = tuple(tool.coded(name, code) for code in codes if code)
            return [Condition(parameter=name, values=values, words=words, together=True)]
    raise UnreadableRequest("open_states", word)


def _open_notice(condition: Condition) -> str:
    return "、".join(condition.words)


def _list_words(text: QuestionText, tool: DeskTool | None) -> tuple[int | None, str, int | None]:
    """Return the page, the sort code and how many records are wanted, taken out of `text`."""
    page = text.take_first(_PAGE)
    following = text.take_first(_NEXT_PAGE)
    sort = _sort(text, tool) if tool else ""
    limit = text.take_first(_LIMIT)
    newest = text.take_first(one_of(WORDS["sort"]["newest"])) or (limit and re.search("最新|最近|latest|newest", limit[0]))
    oldest = text.take_first(one_of(WORDS["sort"]["oldest"]))
    if (newest or oldest) and not sort and tool:
        sort = _sort_code(tool, "created", descending=bool(newest))
    return (
        read_number(page["n"] or page["m"]) if page else NEXT_PAGE if following else None,
        sort,
        read_number(limit["n"] or limit["m"]) if limit else None,
    )


def _sort(text: QuestionText, tool: DeskTool) -> str:
    for field, words in WORDS["sort"]["fields"].items():
        down, up = one_of(WORDS["sort"]["descending"]).pattern, one_of(WORDS["sort"]["ascending"]).pattern
        pattern = rf"(?:按照?|依照?|\b(?:sort(?:ed)?|order(?:ed)?) by)\s*(?:the )?{word_pattern(words)}的?\s*(?P<way>{down}|{up})?(?:排序|排列|排)?"
        match = text.take_first(re.compile(pattern))
        if match and ("排" in match[0] or match["way"] or "by" in match[0]):
            descending = bool(match["way"] and re.fullmatch(down, match["way"]))
            return _sort_code(tool, field, descending=descending)
    return ""


def _sort_code(tool: DeskTool, field: str, *, descending: bool) -> str:
    """Return the tool's own code for an order.

    Raises:
        UnreadableRequest: `sort` where the tool has no such order.
    """
    parameter = tool.by_role("sort")
    codes = list(parameter.values) if parameter else []
    words = {fold(word) for word in WORDS["sort"]["fields"][field]} | {field}
    named = [code for code in codes if code.lstrip("-") == field or {fold(w) for w in parameter.values[code]} & words] if parameter else []  # fmt: skip
    plain = next((code for code in named if not code.startswith("-")), None)
    reverse = next((code for code in named if code.startswith("-")), None)
    if descending and reverse is None and plain and parameter and re.search(r"[\"“'‘]?-[\"”'’]?", parameter.text):
        reverse = f"-{plain}"
    code = reverse if descending else plain
    if code is None:
        raise UnreadableRequest("sort", field)
    return code


def _conditions(items: Sequence[Item], tool: DeskTool) -> tuple[Condition, ...]:
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
                parameter=item.parameter, values=(item.value,), words=(item.word,), excluded=item.excluded, named=item.named
            )
        elif before.excluded != item.excluded:
            raise UnreadableRequest("contradiction", item.word)
        elif item.value not in before.values:
            found[key] = replace(before, values=(*before.values, item.value), words=(*before.words, item.word))
    return tuple(found.values())


def _job(*, export: bool, listed: bool, counted: bool, grouping: Grouping) -> Job:
    if export:
        return "export"
    return "list" if listed and not counted and not grouping.group else "count"


def _with_trend(request: DeskRequest, tool: DeskTool) -> DeskRequest:
    if request.group and is_time(request.group):
        return request
    if request.group or not request.periods:
        raise UnreadableRequest("trend")
    days = request.periods[0].days
    wanted = "day" if (days.end - days.start).days < 45 else "month"
    if wanted not in tool.groups:
        raise UnreadableRequest("trend")
    return replace(request, group=wanted)


def _nothing_left(text: QuestionText) -> None:
    for start, end in text.runs():
        if joints().fullmatch(text.left[start:end].strip()):
            continue
        raise UnreadableRequest("unknown_words", text.as_written(start, end))
