"""What the user has done already, told to get something else: 去过X了, X吃腻了, 昨天去了X, 本来想去X，现在不想去了."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_behind_zh import ADVERBS, NEXT, WHEN, refused_before
from mindatlas.nodes.mindtrip.parts.negation_clauses import WINDOW, Clause, QuestionView, excluding
from mindatlas.nodes.mindtrip.parts.negation_names_zh import read_list
from mindatlas.nodes.mindtrip.parts.negation_words import any_of, either

_TIMES = "(?:好?[一二两三四五六七八九十几多0-9]+|很多|好多|无数)[次回趟遍顿]"
_DO = "(?:去|来|到|玩|逛|看|读|吃|喝|住|爬|听|尝|试|游|参观|游览|打卡|体验|入住|走|停|刷|待|呆|拜访)"
_OVER = "(?:过(?![山桥夜年冬节敏程来])了?|[完遍腻够烦厌]了?)"
_DONE_BEHIND = re.compile(
    ADVERBS
    + either(
        rf"{_DO}{_OVER}(?:{_TIMES})?",
        rf"{_DO}了{_TIMES}",
        rf"(?:已经|刚刚?|昨天|上次){_DO}了",
        rf"(?:已经?|早就?){_DO}过?",
    )
    + rf"[了啦]*(?={NEXT})"
)
_DONE_BEFORE = re.compile(
    either(
        rf"{_DO}{_OVER}(?:{_TIMES})?了?(?:的?{any_of('zh', 'generic')}?(?:有|是|包括|:))?",
        rf"{_DO}(?P<recent>了(?!解)|的是)",
        "(?P<back>从)",
    )
)
_GIVEN_UP = re.compile("(?:本来|原本|原来|之前|原计划)(?:是?想|打算|计划|准备|说)?(?:去|吃|看|住|玩|逛)")
_UP = re.compile(
    r"了?[,\s]*(?:但是?|可是?|不过)?(?:我们?|现在|又|突然|后来|决定)*不(?:想|打算|准备)?(?:去|吃|看|住"
    r"|玩|逛)了"
)
_RECENTLY = re.compile(rf"{WHEN}[^,。?!]{{0,6}}$")
_BACK = re.compile("刚?(?:玩|旅游)?[回过出下上]来了?")
_BY_OTHERS = re.compile(
    "(?:没|没有|未|谁|有人|别人|你们?|[他她]们?|大家|(?<![跟和与带陪男女])朋友|网友|同事|想|要|会|能"
    "|是否|如果|听说|第一次|很多人"
    "|不少人|有)(?:都|也|已经|曾经|还|才|从来?|之前|以前)*$"
)
_ABOUT_DOERS = re.compile("了?[吗没么]|的(?:人|朋友|游客|小伙伴|同学|都|感觉|体验|时候)")
_AGAIN = re.compile(
    "再(?:去|吃|看|玩|逛|住|读)(?:[一两几][次趟遍回]|$|[,。?!])|重游|二刷|重温|故地|还想再去|又想去|对比"
    "|比较一下|相比|比起|哪个更"
)
_OTHERS = re.compile(
    "还[有能想可要]|别[的处]|其[他它余]|另外|换|哪|什么|啥|推荐|有没有|接下来|下一|剩|新的|安排|类似"
    "|建议|呢|怎么样|如何|好玩吗"
)
_TAIL = re.compile(rf"(?:的话|[了的吧啦啊]|[之以]后|{_TIMES})*")


def told(view: QuestionView) -> Iterator[Clause]:
    """Yield what was done already, and plans given up, where something else is wanted."""
    for cue in _GIVEN_UP.finditer(view.masked):
        argument = read_list(view, cue.end())
        up = _UP.match(view.masked, argument.end) if argument and argument.names else None
        if argument and up:
            yield excluding(argument, cue.start(), up.end())
    for cue in _DONE_BEHIND.finditer(view.masked):
        finished = bool(re.search("[了腻已啦]", cue.group()))
        if _wants_others(view, cue.start(), cue.end(), finished=finished):
            yield from refused_before(view, cue)
    for cue in _DONE_BEFORE.finditer(view.masked):
        yield from _done_before(view, cue)


def _done_before(view: QuestionView, cue: re.Match[str]) -> Iterator[Clause]:
    masked = view.masked
    before = masked[view.part_start(cue.start()) : cue.start()]
    if _BY_OTHERS.search(before) or (cue.group("recent") and not _RECENTLY.search(before)):
        return
    argument = read_list(view, cue.end())
    if argument is None or not argument.names or _ABOUT_DOERS.match(masked, argument.end):
        return
    tail = (
        _BACK.match(masked, argument.names[-1][1]) if cue.group("back") else _TAIL.match(masked, argument.end)
    )
    if tail is None:
        return
    finished = "了" in masked[cue.start() : tail.end()] or re.search(
        "[完腻够烦厌]|已经|从", before + cue.group()
    )
    if _wants_others(view, cue.start(), tail.end(), finished=bool(finished)):
        yield excluding(argument, cue.start(), tail.end())


def _wants_others(view: QuestionView, start: int, end: int, *, finished: bool) -> bool:
    """Return whether what was done is told to get something else: said as finished, or others are asked for."""
    rest = view.masked[max(0, start - WINDOW) : start] + "," + view.masked[end : end + 2 * WINDOW]
    return not _AGAIN.search(rest) and (finished or bool(_OTHERS.search(rest)))
