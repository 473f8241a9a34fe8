"""Refusals before their names: 不要 X, 别推荐 X, 避开 X, 把 X 排除, 不是 X 的, 非 X."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_clauses import NAME, Clause, QuestionView, excluding
from mindatlas.nodes.mindtrip.parts.negation_names_zh import Argument, ends_like_name, is_verbal, read_list
from mindatlas.nodes.mindtrip.parts.negation_words import any_of

_PARTICLES = r"(?:的话|[了的吧呀啊哈啦哦])*"

_VERB = (
    "(?:推荐|推(?!荐)|介绍|安排|列出?|提及?到?|提起|选择?|考虑|再?去|到|来|逛|玩|(?<!别)看|吃|喝|住|读|听|点|买|带我?们?去|让我?们?去|出现|包括|包含|含|算上?|加上?|加入|放进?|(?<!别)有|是|在|住在|选在|[订定]在|经过|路过|靠近)"
)
_HELP = "(?:再|总是?|老是?|一直|又|都|重复|(?:给|跟|向|为|帮|让|带)我们?)*"
_REFUSE = re.compile(
    rf"(?:(?:(?<!要)不要|(?<![特个级性分区差类派辨道告离识惜])别(?![的处墅人致扭]?的?(?<=别[的处墅人致扭]))|请?勿|甭|不希望|(?<!想)不(?:太|怎么|再|大|是很|是太)?想(?:要|再)?|不愿意?|不打算|不准备"
    rf"|(?<!用)不用|不必|不需要|无需|没必要){_HELP}{_VERB}(?:到|了|有关|关于|过)?|(?<![特个级性分区差类派辨道告离识惜])别再?给我们?(?:再)?|(?<!要)不要(?![紧钱脸错求])|(?<!想)不想要"
    r"|(?<![去得能可要])不去|(?<!考)不考虑|不选|(?<!住)不住|不逛|(?<!吃)不吃|不喝|(?<!看)不看(?!好)|(?<!玩)不玩|不推荐|不包括|不包含|不含|(?<!算)不算(?:上)?|不计|[先别]?不[提说谈]|别提|(?<![得能])不(?:走|经过|路过)|懒得去|远离|少推荐|(?:不要|别)像|不同于|有别于"
    r"|(?:不(?:太|怎么|大|是很)?喜欢|不爱|讨厌)(?:去|吃|看|玩|逛|喝)?|对(?=[^,。?!]{1,16}(?:没|不感|无)(?:什么|啥|有)?兴?趣?)|避开|避免(?:去|推荐|安排)?|绕开|绕过|跳过|略过|忽略|(?<!能)排除(?:掉|了)?"
    r"|剔除掉?|去掉|去除|拒绝去?|屏蔽|过滤掉?|换掉|而不是|而非|(?:代替|替代|取代))[:]?\s?"
)
_BARE = re.compile(r"不要[:]?\s?|不想要[:]?\s?|不选\s?")
_REFUSED_BY_ASKING = re.compile(
    r"\s?(?:会|好(?:吗|不好|[?。,]|$)|可惜|遗憾|后悔|行不|行[吗么]|可以[吗么]|可不可以|亏|值|等于|怎[么样]|[吗么]|好不好|对不对|合适|是不是|有(?:什么|啥)?(?:影响|问题|损失|遗憾)|没?关系|的(?:原因|理由|后果|人(?!多)|游客|时候|损失))"
)
_DOING = "看玩喝听买逛读爬"
_OBJECTS = re.compile(any_of("zh", "object"))
_MEALS = re.compile("(?:早|午|晚|中|正)?[饭餐]|东西|夜宵|零食|美食|小吃")
_BEGGED = re.compile("了?(?:好(?:吗|不好)|可以吗|行吗)")
_OF_KIND = re.compile(rf"的(?:{any_of('zh', 'generic', 'kind')})(?=$|[,。?!;])")
_NOTHING_BEFORE = re.compile("(?:我们?|咱们?|这次|但是?|请|也|就|所以|因为)*")
_REASONED = re.compile("为[什啥何]|怎么|干[嘛吗]|凭什么|很多人|有人|大家|别人|[当本]地人|是不是|能不能|可不可以|要不要|如何|还是$")
_TAKE_OUT = re.compile(r"[把将]")
_TAKEN_OUT = re.compile(r"(?:[这那]?[些俩两三几]?个?(?:地方|景点)?(?:给|都|从[^,。]{1,6}?|也))*(?:排除|去掉|剔除|除去|除外|划掉|跳过|过滤|拿掉|删[掉除]|略过|避开|换成(?=别|其)|换掉)(?:掉|在外|出去|了|吧)*")
_NOT_BEING = re.compile(rf"(?<![是要])不是(?=[^,。?!]{{1,20}}(?:的|就行|就好|就可以|都[行可]))|(?<![并除绝莫是若])非(?![常遗去要得洲凡法物典])|(?<!有)没有(?={NAME}的)")
_NOT_BEING_END = re.compile("的(?![吗吧么]?[?。!]|[吗吧么]?$)|就行|就好|就可以|都[行可]|[,。]|$")
_UNLESS = re.compile("不(?:去|吃|住|看|玩|逛|可|选|要)|莫属")


def refusals(view: QuestionView) -> Iterator[Clause]:
    """Yield the refusals of a question that have an argument."""
    yield from _taken_out(view)
    yield from _refused(view)
    yield from _not_being(view)


def _taken_out(view: QuestionView) -> Iterator[Clause]:
    for cue in _TAKE_OUT.finditer(view.masked):
        argument = read_list(view, cue.end())
        verb = _TAKEN_OUT.match(view.masked, argument.names[-1][1]) if argument and argument.names else None
        if argument and verb:
            yield excluding(argument, cue.start(), verb.end())


def _refused(view: QuestionView) -> Iterator[Clause]:
    masked = view.masked
    for cue in _REFUSE.finditer(masked):
        if _REASONED.search(masked, view.part_start(cue.start()), cue.start()):
            continue
        argument = read_list(view, cue.end())
        if argument is None:
            continue
        argument = _without_activities(view, cue.group(), argument)
        begged = _BEGGED.match(masked, argument.end) if re.match("别|不要|请", cue.group()) else None
        if _REFUSED_BY_ASKING.match(masked, argument.end) and not begged:
            continue
        if _BARE.fullmatch(cue.group()) and any(is_verbal(view, name) for name in argument.names):
            continue
        end = _refusal_end(view, cue.group(), argument)
        if end is None:
            continue
        end = begged.end() if begged else _with_kind(view, cue.start(), end)
        yield excluding(argument, _refusal_start(masked, cue.start()), end)


def _without_activities(view: QuestionView, cue: str, argument: Argument) -> Argument:
    """Return the argument with the objects of everyday activities (不想吃 + 饭, 不想看 + 海) among its attributes."""
    verb = cue.rstrip(" :")[-1:]
    pattern = _MEALS if verb == "吃" else _OBJECTS if verb in _DOING else None
    if pattern is None:
        return argument
    acts = tuple(name for name in argument.names if pattern.fullmatch(view.folded[slice(*name)]))
    names = tuple(name for name in argument.names if name not in acts)
    return Argument(names=names, attributes=tuple(sorted(argument.attributes + acts)), end=argument.end)


def _refusal_start(masked: str, start: int) -> int:
    lead = re.search(r"(?:可以|能够?|可)$", masked[max(0, start - 2) : start])
    return start - len(lead.group()) if lead and masked.startswith(("代", "替", "取"), start) else start


def _with_kind(view: QuestionView, start: int, end: int) -> int:
    """Return the end behind the Y of 不考虑X的Y where that is a mere kind and the clause stands alone."""
    kind = _OF_KIND.match(view.masked, end - 1)
    alone = _NOTHING_BEFORE.fullmatch(view.masked, view.part_start(start), start)
    return kind.end() if kind and alone else end


def _refusal_end(view: QuestionView, cue: str, argument: Argument) -> int | None:
    """Return where the refusal ends, or None for 不要X附近的酒店, 不要便宜的Y: a description, not a name."""
    masked = view.masked
    end = argument.end
    place = re.compile("附近|周边|周围|旁边").match(masked, end)
    if place:
        return None
    if masked[end : end + 1] == "的" and argument.names:
        if cue not in {"不含", "不包含", "不包括"} and not ends_like_name(view, argument.names[-1]) and not re.match("的?(?:[,。?!]|$)", masked[end : end + 2]):
            return None
    tail = re.compile(rf"{_PARTICLES}(?:没有?(?:什么|啥)?兴趣|不感兴趣|无感)?(?:在内|之类|不[谈提说]|[那这一][样种])?{_PARTICLES}").match(masked, end)
    return tail.end() if tail else end


def _not_being(view: QuestionView) -> Iterator[Clause]:
    masked = view.masked
    for cue in _NOT_BEING.finditer(masked):
        argument = read_list(view, cue.end())
        if not argument or not argument.names or not all(ends_like_name(view, name) for name in argument.names):
            continue
        if cue.group() == "非" and _UNLESS.match(masked, argument.end):
            yield Clause(start=cue.start(), end=argument.end, reading="only", names=argument.names)
            continue
        end = _NOT_BEING_END.match(masked, argument.end)
        if end:
            stop = end.end() if end.group() not in {",", "。"} else argument.end
            yield excluding(argument, cue.start(), stop)
