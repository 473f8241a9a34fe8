"""Cues behind their names (X就算了, X除外, X之外) and what the user has done already (去过X了, X吃腻了)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_before_zh import names_before
from mindatlas.nodes.mindtrip.parts.negation_clauses import WINDOW, Clause, QuestionView, excluding
from mindatlas.nodes.mindtrip.parts.negation_names_zh import read_list
from mindatlas.nodes.mindtrip.parts.negation_words import any_of

_WHO = "(?:我们?(?:俩|几个|全家|一家)?|咱们?|我?(?:家人|爸妈|父母|妈妈?|爸爸?|老婆|老公|孩子|女儿|儿子|男朋友|女朋友|爷爷|奶奶)|我家|一家人|全家)"
_WHEN = (
    "(?:已经?|早就?|曾经?|刚刚?|刚才|上次|上回|上个?[周月]|之前|以前|昨[天晚]|前天|前几天|今[天早]|去年|前年|上午|早上"
    "|小时候|这次|每次|经常|老是?|总)"
)
_ADVERB = rf"(?:(?:[带陪跟和与](?:着)?)?{_WHO}(?:一起|一块)?|{_WHEN}|就|也|(?<![成首新昌])都|全|先|暂时|可以|请|那就|的话|[那这][边里儿]的?)*"
_TIMES = "(?:(?:好?[一二两三四五六七八九十几多0-9]+|很多|好多|无数)(?:次|回|趟|遍))"
_DO = "(?:去|来|到|玩|逛|看|读|吃|喝|住|爬|听|尝|试|游|参观|游览|打卡|体验|入住|走|刷|待|呆|拜访)"
_OVER = "(?:过(?![山桥夜年冬节敏程来])了?|[完遍腻够烦厌]了?)"
_SO = "(?:的话|[了吧啦哈哦呀啊])*"
_MARK = r"$|[,。!;:\n()~…—、]|\.(?=\s|$)"
_NEXT = rf"\s?(?:{_MARK}|推荐|还|有|换|给|请|我|想|帮|都|其[他它]|别的|{any_of('zh', 'city', 'here')})"
_ATTACHED = re.compile(rf"除外{_SO}(?={_NEXT}|\?)|[之以]外的?")
_FINAL = re.compile(
    rf"{_ADVERB}(?:算了|免了|拉倒|pass掉?|不(?:用|必|需要|(?:太|怎么)?想|打算|准备|愿意)再?(?:推荐|介绍|安排|去|考虑|列|提|说|吃|看|玩|逛|住|要|喝|爬)?"
    r"|不行|(?<!要)不要|(?<!去)不去|不再?(?:吃|看|玩|逛|住|考虑|选|算|推荐|包括|包含|含|喜欢|感兴趣)"
    r"|(?:别|(?<!要)不要|请?勿)再?(?:给我)?(?:推荐|去|安排|考虑|提|列|说|放进?|算|选)(?:进去|进来)?|没(?:有|什么|啥)?兴趣|无感"
    rf"|(?:先|暂且)?不[提说谈]|不在(?:考虑|推荐)?(?:范围|之列|名单|清单|计划)(?:内|里|之内)?|排除(?:掉|在外)?|跳过|略过|除去|去掉|划掉|拉黑|忽略)(?:在内)?{_SO}(?={_NEXT}|\?)"
)
_DONE_BEHIND = re.compile(
    rf"{_ADVERB}(?:{_DO}{_OVER}{_TIMES}?|{_DO}了{_TIMES}|(?:已经|刚刚?|昨天|上次){_DO}了|(?:已经?|早就?){_DO}过?)[了啦]*(?={_NEXT})"
)
_DONE_BEFORE = re.compile(
    rf"{_DO}(?:{_OVER}{_TIMES}?了?(?:的?(?:{any_of('zh', 'generic')})?(?:有|是|包括|:))?|(?P<recent>了(?!解)|的是))|(?P<back>从)"
)
_QUESTIONED = re.compile("为[什啥何]|怎么|干嘛|凭什么|是不是|要不要|能不能")
_GIVEN_UP = re.compile("(?:本来|原本|原来|之前|原计划)(?:是?想|打算|计划|准备|说)?(?:去|吃|看|住|玩|逛)")
_UP = re.compile("了?[,\\s]*(?:但是?|可是?|不过)?(?:我们?|现在|又|突然|后来|决定)*不(?:想|打算|准备)?(?:去|吃|看|住|玩|逛)了")
_RECENT = re.compile(rf"{_WHEN}[^,。?!]{{0,6}}$")
_BACK = re.compile("刚?(?:玩|旅游)?(?:回|过|出|下|上)来了?")
_NOT_DONE = re.compile(
    "(?:没|没有|未|谁|有人|别人|你们?|[他她]们?|大家|(?<![跟和与带陪男女])朋友|网友|同事|想|要|会|能|是否|如果|听说|第一次|很多人|不少人|有)"
    "(?:都|也|已经|曾经|还|才|从来?|之前|以前)*$"
)
_ABOUT_DOERS = re.compile("了?(?:吗|没|么)|的(?:人|朋友|游客|小伙伴|同学|都|感觉|体验|时候)")
_AGAIN = re.compile(
    r"再(?:去|吃|看|玩|逛|住|读)(?:[一两几](?:次|趟|遍|回)|$|[,。?!])|重游|二刷|重温|故地|还想再去|又想去|对比|比较一下|相比|比起|哪个更"
)
_REQUEST = re.compile(
    "还[有能想可要]|别[的处]|其[他它余]|另外|换|哪|什么|啥|推荐|有没有|接下来|下一|剩|新的|安排|类似|建议|呢|怎么样|如何|好玩吗"
)
_TAIL = re.compile(rf"(?:的话|[了的吧啦啊]|[之以]后|{_TIMES})*")


def told(view: QuestionView) -> Iterator[Clause]:
    """Yield the cues that stand behind their names, and those that tell what was done."""
    for cue in _ATTACHED.finditer(view.masked):
        yield from _behind(view, cue, inside=not cue.group().startswith("除外"))
    for cue in _FINAL.finditer(view.masked):
        yield from _behind(view, cue)
    for cue in _DONE_BEHIND.finditer(view.masked):
        if _wants_others(view, cue.start(), cue.end(), finished=bool(re.search("[了腻已啦]", cue.group()))):
            yield from _behind(view, cue)
    for cue in _GIVEN_UP.finditer(view.masked):
        argument = read_list(view, cue.end())
        up = _UP.match(view.masked, argument.end) if argument and argument.names else None
        if argument and up:
            yield excluding(argument, cue.start(), up.end())
    for cue in _DONE_BEFORE.finditer(view.masked):
        yield from _done_before(view, cue)


def _behind(view: QuestionView, cue: re.Match[str], *, inside: bool = False) -> Iterator[Clause]:
    if not inside and _QUESTIONED.search(view.masked, view.part_start(cue.start()), cue.start()):
        return
    found = names_before(view, cue.start(), whole="都" in cue.group() or "全" in cue.group(), inside=inside)
    if found and (found[0].names or found[0].attributes):
        yield excluding(found[0], found[1], cue.end())


def _done_before(view: QuestionView, cue: re.Match[str]) -> Iterator[Clause]:
    masked = view.masked
    before = masked[view.part_start(cue.start()) : cue.start()]
    if _NOT_DONE.search(before) or (cue.group("recent") and not _RECENT.search(before)):
        return
    argument = read_list(view, cue.end())
    if argument is None or not argument.names or _ABOUT_DOERS.match(masked, argument.end):
        return
    tail = _BACK.match(masked, argument.names[-1][1]) if cue.group("back") else _TAIL.match(masked, argument.end)
    if tail is None:
        return
    finished = "了" in masked[cue.start() : tail.end()] or bool(re.search("[完腻够烦厌]|已经|从", before + cue.group()))
    if _wants_others(view, cue.start(), tail.end(), finished=finished):
        yield excluding(argument, cue.start(), tail.end())


def _wants_others(view: QuestionView, start: int, end: int, *, finished: bool) -> bool:
    """Return whether what was done is told to get something else: said as finished, or others are asked for."""
    rest = view.masked[max(0, start - WINDOW) : start] + "," + view.masked[end : end + 2 * WINDOW]
    return not _AGAIN.search(rest) and (finished or bool(_REQUEST.search(rest)))
