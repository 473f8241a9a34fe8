"""Which time of a record a question counts by, and the statuses that 未完成 stands for."""

from __future__ import annotations

import re
from datetime import date
from itertools import pairwise

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.desk_request import Condition, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_text import QuestionText, one_of, word_pattern
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool
from mindatlas.nodes.workdesk.parts.desk_vocabulary import WORDS
from mindatlas.nodes.workdesk.parts.named_clocks import spans_after_time


def read_clocks(text: QuestionText, tool: DeskTool, today: date) -> tuple[str, ...]:
    """Return the clocks that the question names, in its order; two must stand beside each other.

    Raises:
        UnreadableRequest: `two_clocks` where one narrows the other (上个月创建的里面完成了多少).
    """
    words = clock_words(tool)
    if not words:
        return ()
    after_time = _after_time(text, tool, today)
    pattern = re.compile(rf"(?P<w>{word_pattern(list(words))})(?:了|过|时间|日期|时|于|的?数量?|量|情况)*")
    found = text.take_all(pattern)
    values = list(dict.fromkeys([*after_time, *(words[match["w"]] for match in found)]))
    if after_time and len(values) > 1:
        raise UnreadableRequest("two_clocks", text.written)
    for one, other in pairwise(found):
        joint = text.folded[one.end() : other.start()]
        if len(values) > 1 and not re.fullmatch(
            r"[\s,，]*(?:的?工单)?(?:和|与|、|及|以及|and|,)?[\s,，]*(?:了)?", joint
        ):
            raise UnreadableRequest("two_clocks", text.as_written(one.start(), other.end()))
    return tuple(values)


def _after_time(text: QuestionText, tool: DeskTool, today: date) -> list[str]:
    """Return the clocks that a word right behind a time names (昨天新建的), with the words taken out of `text`."""
    dual = tool.card.overlay.dual_time
    named = []
    for value, clock in (dual.clocks if dual else {}).items():
        for span in spans_after_time(text.written, clock, today):
            text.take(*text.folded_span(*span))
            named.append(value)
    return named


def clock_words(tool: DeskTool) -> dict[str, str]:
    """Return the folded words that name a clock of the tool -> its value."""
    dual = tool.card.overlay.dual_time
    words = (
        {fold(word): value for value, clock in dual.clocks.items() for word in clock.words} if dual else {}
    )
    parameter = tool.by_role("clock")
    if parameter is not None:
        for code, said in parameter.values.items():
            for word in said:
                words.setdefault(fold(word), code)
    return words


def read_open_states(text: QuestionText, tool: DeskTool) -> list[Condition]:
    """Return the condition that 未完成 stands for: every open status, each by its code."""
    found = text.take_all(one_of(WORDS["open_states"]["words"]))
    if not found:
        return []
    word = text.as_written(*found[0].span())
    for name, parameter in tool.filters.items():
        codes = [
            next(
                (code for code, said in parameter.values.items() if {fold(one) for one in said} & set(state)),
                None,
            )
            for state in WORDS["open_states"]["states"]
        ]
        if all(codes):
            words = tuple(parameter.values[code][0] for code in codes if code)
            values = tuple(tool.coded(name, code) for code in codes if code)
            return [Condition(parameter=name, values=values, words=words, together=True)]
    raise UnreadableRequest("open_states", word)
