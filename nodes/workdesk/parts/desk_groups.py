"""What a question wants its figures by, and how many groups of which end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from mindatlas.nodes.numbers import NUMBER, parse_number
from mindatlas.nodes.workdesk.parts.desk_request import Order, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_text import QuestionText, one_of, word_pattern
from mindatlas.nodes.workdesk.parts.desk_vocabulary import WORDS, cue

_N = rf"(?P<n>{NUMBER}|one|two|three|four|five|six|seven|eight|nine|ten)"
_ENGLISH = {
    word: value
    for value, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], start=1
    )
}
_MEASURE = "(?:个|名|位|种|类|条|张|单|大)?"
_PERIODIC = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "每天": "day",
    "每日": "day",
    "逐日": "day",
}


@dataclass(frozen=True, kw_only=True)
class Grouping:
    """The dimension of the figures, and which groups are wanted; `top` without `group` counts records."""

    group: str = ""
    top: int | None = None
    order: Order | None = None


def read_grouping(text: QuestionText, groups: Mapping[str, tuple[str, ...]]) -> Grouping:
    """Return what figures are given by, taken out of `text`.

    Args:
        text: the question.
        groups: code of each dimension -> the words for it.

    Raises:
        UnreadableRequest: `two_groups` where figures by two dimensions at once are asked for.
    """
    by_word = {word: code for code, words in groups.items() for word in words}
    found: list[str] = []
    top, order = _ends(text, by_word, found)
    for pattern in _patterns(by_word):
        for match in text.take_all(pattern):
            found.append(by_word[match["w"]])
    for word, code in _PERIODIC.items():
        if code in groups and text.take_all(re.compile(word_pattern([word]))):
            found.append(code)
    person = next((code for code in groups if code == "person"), None)
    if person and text.take_first(re.compile(r"谁|\bwho\b")):
        found.append(person)
    if len(set(found)) > 1:
        raise UnreadableRequest("two_groups", ", ".join(dict.fromkeys(groups[code][0] for code in found)))
    if text.take_all(cue("ranking")) and order is None:
        order = "most"
    return Grouping(group=found[0] if found else "", top=top, order=order)


def _patterns(by_word: Mapping[str, str]) -> list[re.Pattern[str]]:
    if not by_word:
        return []
    w = f"(?P<w>{word_pattern(list(by_word))})"
    after = r"(?:来|进行)?(?:分组|分类|统计|汇总|划分|分布|展示|看|算|分)*(?:的)?"
    shapes = [
        rf"(?:各自?|每)(?:一)?{_MEASURE}的?{w}(?:的)?",
        rf"(?:按照?|分|逐|不同的?){w}{after}",
        rf"以{w}(?:为单位|为维度|分组|分类)",
        rf"哪(?:一|几|些)?{_MEASURE}{w}",
        rf"{w}(?=的?(?:工单|单量)?的?(?:数量?)?(?:分布|占比|排名|排行|排序|构成|趋势|走势|情况分布))",
        rf"\b(?:by|per|for each|for every|in each|at each|of each|each|every|across(?: all)?(?: the)?|between(?: the)?|"
        rf"which|what)\s+(?:(?:the|single|different)\s+)*{w}",
        rf"{w}\s+(?=breakdown|distribution|ranking|trend|split)",
    ]
    return [re.compile(shape) for shape in shapes]


def _ends(
    text: QuestionText, by_word: Mapping[str, str], found: list[str]
) -> tuple[int | None, Order | None]:
    """Return how many groups of which end are wanted; the dimension that stands with them goes to `found`."""
    w = f"(?:(?P<w>{word_pattern(list(by_word))}))?" if by_word else "(?P<w>(?!))?"
    most, least = one_of(WORDS["most"]).pattern, one_of(WORDS["least"]).pattern
    shapes = [
        (rf"(?:{most}|{least})的?前?{_N}(?!月|日|号|天|周)\s*{_MEASURE}(?:的)?\s*{w}", None),
        (rf"(?:排名|排)?前{_N}(?!月|日|号|天|周|季|年)\s*{_MEASURE}(?:的)?\s*{w}", "most"),
        (
            rf"(?:排名|排)?(?:最?后|倒数)(?:面)?{_N}(?!月|日|号|天|周|季|年)\s*{_MEASURE}(?:的)?\s*{w}",
            "least",
        ),
        (rf"(?<![a-z])top[\s-]*{_N}(?![a-z0-9])\s*(?:的|个|名)?\s*{w}", "most"),
        (rf"\b{_N}\s+{w}\s+with\s+(?:the\s+)?(?:{most}|{least})", None),
        (rf"\bbottom[\s-]+{_N}\b\s*{w}", "least"),
        (rf"\b{_N}\s+(?:{most}|{least})\s+{w}", None),
        (rf"\btop\b\s*{w}", "most"),
        (rf"(?:{most}|{least})的?\s*(?:一?{_MEASURE})?{w}(?:是|前)?", None),
    ]
    top: int | None = None
    order: Order | None = None
    for shape, means in shapes:
        for match in text.take_all(re.compile(shape)):
            named = match.groupdict()
            said: Order = "least" if re.search(least, match[0]) and not re.search(most, match[0]) else "most"
            said = "least" if means == "least" else said
            order = order or said
            if named.get("n"):
                top = read_number(named["n"])
            if named.get("w"):
                found.append(by_word[named["w"]])
    return top, order


def read_number(written: str) -> int:
    """Return the whole number that `written` says, in digits, Chinese or English.

    Raises:
        UnreadableRequest: `number` where it is none, or below 1.
    """
    value = _ENGLISH.get(written) or parse_number(written)
    if not value or value != int(value) or value < 1:
        raise UnreadableRequest("number", written)
    return int(value)
