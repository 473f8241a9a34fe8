"""Page, order and length of a list, as a question asks for them."""

from __future__ import annotations

import re

from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.desk_groups import read_number
from mindatlas.nodes.workdesk.parts.desk_request import NEXT_PAGE, UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_text import QuestionText, one_of, word_pattern
from mindatlas.nodes.workdesk.parts.desk_tools import DeskTool
from mindatlas.nodes.workdesk.parts.desk_vocabulary import WORDS

_PAGE = re.compile(r"第(?P<n>\d+|[一二三四五六七八九十]+)页|\bpage (?P<m>\d+)\b")
_NEXT_PAGE = re.compile(r"下一页|\bnext page\b")
_LIMIT = re.compile(
    r"(?:前|最近的?|最新的?|头)?(?P<n>\d+|[一二三四五六七八九十]+)(?:条|张|单|个(?=工单))"
    r"|\b(?:first|latest|last|newest|oldest)?\s*(?P<m>\d+)\s+(?=(?:\w+ )?(?:work )?(?:orders|tickets))"
)


def asks_for_page(text: QuestionText) -> bool:
    """Return whether what is left names a page, which only a list has."""
    return bool(_PAGE.search(text.left) or _NEXT_PAGE.search(text.left))


def read_list_words(text: QuestionText, tool: DeskTool | None) -> tuple[int | None, str, int | None]:
    """Return the page, the sort code and how many records are wanted, taken out of `text`."""
    page = text.take_first(_PAGE)
    following = text.take_first(_NEXT_PAGE)
    sort = _sort(text, tool) if tool else ""
    limit = text.take_first(_LIMIT)
    newest = text.take_first(one_of(WORDS["sort"]["newest"])) or (
        limit and re.search("最新|最近|latest|newest", limit[0])
    )
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
        by = r"(?:按照?|依照?|\b(?:sort(?:ed)?|order(?:ed)?) by)\s*(?:the )?"
        pattern = rf"{by}{word_pattern(words)}的?\s*(?P<way>{down}|{up})?(?:排序|排列|排)?"
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
    if parameter is None:
        raise UnreadableRequest("sort", field)
    words = {fold(word) for word in WORDS["sort"]["fields"][field]} | {field}
    named = [
        code
        for code, said in parameter.values.items()
        if code.lstrip("-") == field or {fold(word) for word in said} & words
    ]
    code = next((code for code in named if code.startswith("-") is descending), None)
    if code is None and descending and named and re.search(r"-", parameter.text):
        code = f"-{named[0]}"  # a server that lists the orders once and says that a "-" reverses them
    if code is None:
        raise UnreadableRequest("sort", field)
    return code
