"""Refusals before their names: 不要 X, 别推荐 X, 避开 X, 把 X 排除, 不是 X 的, 非 X."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_clauses import NAME, Argument, Clause, QuestionView, excluding
from mindatlas.nodes.mindtrip.parts.negation_kinds_zh import PLACE_KIND, ends_like_name, is_verbal
from mindatlas.nodes.mindtrip.parts.negation_names_zh import read_list
from mindatlas.nodes.mindtrip.parts.negation_words import any_of, either

_DONT = "(?<![特个级性分区差类派辨道告离识惜])别"
_WANT_NOT = either(
    "(?<!要)不要",
    _DONT + "(?![的处墅人致扭])",
    "请?勿|甭|不希望|不愿意?|不打算|不准备|不必|不需要|无需|没必要|(?<!用)不用",
    "(?<!想)不(?:太|怎么|再|大|是很|是太)?想(?:要|再)?",
)
_HELP = "(?:再|总是?|老是?|一直|又|都|重复|(?:给|跟|向|为|帮|让|带)我们?)*"
_VERB = either(
    "推荐|推|介绍|安排|列出?|提及?到?|提起|选择?|考虑|再?去|到|来|逛|玩|(?<!别)看|吃|喝|住|读|听|点|买"
    "|带我?们?去|让我?们?去",
    "出现|包括|包含|含|算上?|加上?|加入|放进?|(?<!别)有|是|在|住在|选在|[订定]在|经过|路过|靠近",
)
_NOT_TO = either(
    "(?<![去得能可要])不去|(?<!考)不考虑|不选|(?<!住)不住|不逛|(?<!吃)不吃|不喝|(?<!看)不看(?!好)"
    "|(?<!玩)不玩|不推荐",
    "不包括|不包含|不含|(?<!算)不算上?|不计|[先别]?不[提说谈]|别提|(?<![得能])不(?:走|经过|路过)|少推荐"
    "|懒得去",
    "(?:不(?:太|怎么|大|是很)?喜欢|不爱|讨厌)(?:去|吃|看|玩|逛|喝)?",
    "对(?=[^,。?!]{1,16}(?:没|不感|无)(?:什么|啥|有)?兴?趣?)",
)
_KEEP_OFF = either(
    "避开|避免(?:去|推荐|安排)?|绕开|绕过|跳过|略过|忽略|(?<!能)排除[掉了]?|剔除掉?|去掉|去除|拒绝去?"
    "|屏蔽|过滤掉?|换掉|远离",
    "而不是|而非|不同于|有别于|(?:不要|别)像|(?:可以|能够?|可)?(?:代替|替代|取代)",
)
_BARE = rf"(?P<bare>(?<!要)不要(?![紧钱脸错求])|(?<!想)不想要|不选)|{_DONT}再?给我们?再?"
_CUE = re.compile(
    either(rf"{_WANT_NOT}{_HELP}{_VERB}(?:到|了|有关|关于|过)?", _NOT_TO, _KEEP_OFF, _BARE) + r"[:]?\s?"
)
_CONTAINS_NOT = ("不含", "不包含", "不包括")

_ASKED_BEFORE = re.compile(
    "为[什啥何]|怎么|干[嘛吗]|凭什么|很多人|有人|大家|别人|[当本]地人|是不是|能不能|可不可以|要不要|如何"
    "|还是$"
)
_ASKED_BEHIND = re.compile(
    r"\s?(?:会|好(?:吗|不好|[?。,]|$)|可惜|遗憾|后悔|行不|行[吗么]|可以[吗么]|可不可以|亏|值|等于"
    r"|怎[么样]|[吗么]|对不对|合适"
    "|是不是|有(?:什么|啥)?(?:影响|问题|损失|遗憾)|没?关系|的(?:原因|理由|后果|人(?!多)|游客|时候|损失))"
)
_BEGGED = re.compile("了?(?:好(?:吗|不好)|可以吗|行吗)")
_BEGS = re.compile("别|不要|请")

_SEEING = "看玩喝听买逛读爬"
_SEEN = re.compile(any_of("zh", "object"))
_MEAL = re.compile("[早午晚中正]?[饭餐]|东西|夜宵|零食|美食|小吃")

_NEARBY = re.compile("附近|周边|周围|旁边")
_WHOSE = re.compile("的(?!的?(?:[,。?!]|$))")
_PARTICLES = "(?:的话|[了的吧呀啊哈啦哦])*"
_TAIL = re.compile(
    rf"(?:有关|相关)?{_PARTICLES}(?:没有?(?:什么|啥)?兴趣|不感兴趣|无感)?(?:在内|之类|不[谈提说]"
    rf"|[那这一][样种])?{_PARTICLES}"
)
_OF_KIND = re.compile(rf"的{PLACE_KIND}(?=$|[,。?!;])")
_NOTHING_BEFORE = re.compile("(?:我们?|咱们?|这次|但是?|请|也|就|所以|因为)*")

_TAKE = re.compile("[把将]")
_OUT = re.compile(
    "(?:[这那]?[些俩两三几]?个?(?:地方|景点)?(?:给|都|从[^,。]{1,6}?|也))*"
    "(?:排除|去掉|剔除|除去|除外|划掉|跳过|过滤|拿掉|删[掉除]|略过|避开|换成(?=别|其)|换掉)(?:掉|在外"
    "|出去|了|吧)*"
)
_OTHER_THAN = re.compile(
    either(
        "(?<![是要])不是(?=[^,。?!]{1,20}(?:的|就行|就好|就可以|都[行可]))",
        "(?<![并除绝莫是若])(?P<un>非)(?![常遗去要得洲凡法物典])",
        f"(?<!有)没有(?={NAME}的)|(?<=但)不是|(?<=但是)不是|(?<![我们在都])不在(?=[^,。?!]{{1,12}}的)",
    )
)
_OTHER_THAN_END = re.compile("的(?![吗吧么]?[?。!]|[吗吧么]?$)|就行|就好|就可以|都[行可]|(?=[,。])|$")
_UNLESS = re.compile("不(?:去|吃|住|看|玩|逛|可|选|要)|莫属")


def refusals(view: QuestionView) -> Iterator[Clause]:
    """Yield the refusals of a question that have an argument."""
    for cue in _TAKE.finditer(view.masked):
        argument = read_list(view, cue.end())
        out = _OUT.match(view.masked, argument.names[-1][1]) if argument and argument.names else None
        if argument and out:
            yield excluding(argument, cue.start(), out.end())
    for cue in _CUE.finditer(view.masked):
        yield from _refused(view, cue)
    for cue in _OTHER_THAN.finditer(view.masked):
        yield from _other_than(view, cue)


def _refused(view: QuestionView, cue: re.Match[str]) -> Iterator[Clause]:
    argument = read_list(view, cue.end())
    if argument is None or _ASKED_BEFORE.search(view.masked, view.part_start(cue.start()), cue.start()):
        return
    argument = _without_activities(view, cue.group(), argument)
    begged = _BEGGED.match(view.masked, argument.end) if _BEGS.match(cue.group()) else None
    if _ASKED_BEHIND.match(view.masked, argument.end) and not begged:
        return
    verbal = cue.group("bare") and any(is_verbal(view, name) for name in argument.names)
    if verbal or _describes_place(view, cue.group(), argument):
        return
    end = begged.end() if begged else _end(view, cue.start(), argument)
    yield excluding(argument, cue.start(), end)


def _without_activities(view: QuestionView, cue: str, argument: Argument) -> Argument:
    """Return the argument with the objects of everyday activities (不想吃 + 饭, 不想看 + 海) among its attributes."""
    verb = cue.rstrip(" :")[-1:]
    pattern = _MEAL if verb == "吃" else _SEEN if verb in _SEEING else None
    acts = tuple(name for name in argument.names if pattern and pattern.fullmatch(view.folded[slice(*name)]))
    names = tuple(name for name in argument.names if name not in acts)
    return Argument(names=names, attributes=tuple(sorted(argument.attributes + acts)), end=argument.end)


def _describes_place(view: QuestionView, cue: str, argument: Argument) -> bool:
    """Return whether the argument only says which Y is meant: 不要日月湾附近的酒店, 不要木头的房子."""
    if _NEARBY.match(view.masked, argument.end):
        return True
    whose = bool(argument.names) and bool(_WHOSE.match(view.masked, argument.end))
    return whose and not cue.startswith(_CONTAINS_NOT) and not ends_like_name(view, argument.names[-1])


def _end(view: QuestionView, start: int, argument: Argument) -> int:
    """Return where the refusal ends: with its particles, and with the Y of 不考虑X的Y where that is a mere kind."""
    tail = _TAIL.match(view.masked, argument.end)
    end = tail.end() if tail else argument.end
    kind = _OF_KIND.match(view.masked, end - 1)
    alone = _NOTHING_BEFORE.fullmatch(view.masked, view.part_start(start), start)
    return kind.end() if kind and alone else end


def _other_than(view: QuestionView, cue: re.Match[str]) -> Iterator[Clause]:
    """Yield 不是X的Y and 非X的Y as exclusions, 非X不去 as a reversal; X must look like a name."""
    argument = read_list(view, cue.end())
    if not argument or not argument.names or not all(ends_like_name(view, name) for name in argument.names):
        return
    end = _OTHER_THAN_END.match(view.masked, argument.end)
    if cue.group("un") and _UNLESS.match(view.masked, argument.end):
        yield Clause(start=cue.start(), end=argument.end, reading="only", names=argument.names)
    elif end:
        yield excluding(argument, cue.start(), end.end())
