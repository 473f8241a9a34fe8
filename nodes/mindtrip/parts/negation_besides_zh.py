"""除了 X …: the exclusive, the additive and the choice reading told apart, and the reversal 只…其他不."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_clauses import (
    MASK,
    Argument,
    Clause,
    QuestionView,
    Reading,
    excluding,
)
from mindatlas.nodes.mindtrip.parts.negation_kinds_zh import HERE, PLACE_KIND, is_attribute
from mindatlas.nodes.mindtrip.parts.negation_names_zh import read_list
from mindatlas.nodes.mindtrip.parts.negation_words import any_of, either

_NO_CUE = "扣清删解排拆免消开铲废根剔切破"
_CUE = re.compile(
    either(
        rf"(?<![{_NO_CUE}])除(?:了|掉|开(?!始)|却|去(?!皱))",
        "[撇抛][开去]|刨[去除]",
        rf"(?<![{_NO_CUE}去])(?P<bare>除)(?![夕非湿草尘雪霜虫以法号名外此])",
    )
)
_CLOSER = re.compile(
    r"\s?(?:(?:附近|周边|周围|旁边)(?=[,。?!]|$|[之以]?外))?(?:之外|以外|而外|外(?![面边]))?(?:的话)?的?"
)
_AFTER_BARE = re.compile("[,还也都哪有]")
_NEARBY = re.compile("(?:附近|周边|周围|旁边)的")
_GOES_ON = re.compile(rf"\s*,\s*{HERE}?[还也都有哪其别能可]")
_LONGEST_SUBJECT = 7

_CHOICE = re.compile("[就便不]是|还是(?!有|推荐|想)|就?只有")
_REFUSED_TOO = re.compile("(?!.*(?:哪|什么|啥|其他|别[的处])).{0,3}?[也还]?(?:不[要想去吃考]|别)")
_ALSO = re.compile("还|也")
_OTHERS = re.compile(
    "什么|啥|哪|谁|几[个家处种]|怎么|如何|有没有|干[嘛吗]|咋|别[的处样]|其[他它余中]|另外|另一|剩下|推荐"
    "|介绍|类似"
    "|多少|一[个家处点些]|新的|换"
)
_NONE_ELSE = re.compile(
    "(?:都|也|全|一概|统统)(?:不(?:想|要|去|吃|看|玩|住|逛|考虑|用|需要|感兴趣|喜欢|爱)|没(?:兴趣"
    "|必要))(?!.*[吗么]$)"
)
_ALL_VISITED = re.compile("[都全](?:已经)?(?:去|玩|逛|看|吃|住|读|打卡)过")
_VISITED_TOO = re.compile("还[^,]{0,3}过")
_STILL = re.compile(
    "还(?:有(?:没有)?|[想要]再?(?:去|吃|看|玩|住|逛)?|能(?:去|吃|看|玩|逛)?|可以(?:去|吃|看|玩|逛)?|推荐"
    "|去|吃|逛|看)"
    "(?P<what>[^,。?!]*)"
)
_NOUN = re.compile("(?:(?!可以|能|也|适合|吗|呢|吧|么|值得|没有)[^,。?!]){2,}")
_UNNAMED = re.compile(
    rf"{PLACE_KIND}$|{any_of('zh', 'activity', 'generic')}|好玩|好吃|类似|更|不错|推荐|一|几"
)

_ONLY = re.compile(
    "(?<!不)(?:只(?:想|要|去|看|吃|住|考虑|推荐|玩|逛|需要|喜欢|爱|选|对)(?:去|要|吃|看|玩|住|逛|推荐|选)?"
    "|就(?:想|要)(?:去|吃|看|玩|住|逛)?)"
)
_NOTHING_ELSE = re.compile(
    "(?:其[他它余]|别[的处]|另外|剩下)[^,。?!]{0,8}?(?:都|就|全|一概|统统|也)?(?:不|别|免|没兴趣|跳过"
    "|略过|算了|没必要|pass)"
    "|哪[儿里]?[都也]不|除此[之以]外[^,。]{0,4}不"
)


def besides(view: QuestionView) -> Iterator[Clause]:
    """Yield the 除了 frames that have an argument."""
    masked = view.masked
    for cue in _CUE.finditer(masked):
        argument = read_list(view, cue.end())
        if argument is None or not (argument.names or argument.attributes):
            continue
        closer = _CLOSER.match(masked, argument.end)
        end = closer.end() if closer else argument.end
        open_frame = end == argument.end and not _AFTER_BARE.match(masked, end)
        if (cue.group("bare") and open_frame) or _NEARBY.match(masked, argument.end):
            continue
        yield _clause(view, argument, cue.start(), end)


def _clause(view: QuestionView, argument: Argument, start: int, end: int) -> Clause:
    if not argument.names:
        return Clause(start=start, end=end, reading="none", attributes=argument.attributes)
    reading = _reading(view, argument, start, end)
    if reading != "excluded":
        return Clause(start=start, end=end, reading=reading, names=argument.names)
    subject = start - view.part_start(start)
    comma = _GOES_ON.match(view.masked, end) if 0 < subject <= _LONGEST_SUBJECT else None
    return excluding(argument, start, view.masked.index(",", end) + 1 if comma else end)


def _reading(view: QuestionView, argument: Argument, start: int, end: int) -> Reading:
    """Return how 除了 X is read, by the first part of the sentence that says 还, 也 or asks for others.

    The three uses (exclusive with 都, additive with 还 or 也, choice with 就是) are those of Lü Shuxiang, 现代汉语八百词;
    a question for others makes 还 and 也 exclusive. 除了X都去过 leaves X open, so it excludes nothing.
    """
    rest = view.masked[end : view.sentence_end(end)].lstrip(" ,")
    if _CHOICE.match(rest):
        return "choice"
    parts = [part for part in rest.split(",") if not _REFUSED_TOO.match(part)]
    part = next((part for part in parts if _ALSO.search(part) or _OTHERS.search(part)), rest)
    if _NONE_ELSE.search(part):
        return "only"
    if _ALL_VISITED.search(part or view.masked[view.sentence_start(start) : start]):
        return "none"
    if _OTHERS.search(part) or not _ALSO.search(part):
        return "excluded"
    still = _STILL.search(part)
    if still:
        return "additive" if _names_another(view, still.group("what"), argument) else "excluded"
    return "excluded" if _VISITED_TOO.search(part) else "additive"


def _names_another(view: QuestionView, what: str, argument: Argument) -> bool:
    """Return whether the B of 除了A还有B is a name: known, of A's kind (same last character), or stated, not asked."""
    noun = _NOUN.match(what)
    if what.startswith(MASK) or noun is None:
        return what.startswith(MASK)
    if "也" in what:
        return True
    if "的" in what or is_attribute(noun.group()) or _UNNAMED.match(noun.group()):
        return False
    kinds = {view.folded[end - 1] for _, end in argument.names}
    return noun.group()[-1] in kinds or not what.endswith(("吗", "么", "没有"))


def only(view: QuestionView) -> Iterator[Clause]:
    """Yield 只想去X，其他都不要 and the like: they keep X and exclude nothing."""
    for cue in _ONLY.finditer(view.masked):
        argument = read_list(view, cue.end())
        if argument is None or not argument.names:
            continue
        sentence = view.masked[view.sentence_start(cue.start()) : view.sentence_end(argument.end)]
        if _NOTHING_ELSE.search(sentence):
            yield Clause(start=cue.start(), end=argument.end, reading="only", names=argument.names)
