"""The names that stand before a Chinese cue: 日月湾和石梅湾 in 推荐日月湾和石梅湾之外的海湾."""

from __future__ import annotations

import re

from mindatlas.nodes.mindtrip.parts.negation_bounds_zh import SEPARATOR
from mindatlas.nodes.mindtrip.parts.negation_clauses import NAME, WINDOW, Argument, QuestionView, Span
from mindatlas.nodes.mindtrip.parts.negation_kinds_zh import ADJECTIVE, DEGREE, FEATURE, is_pronoun, is_verbal
from mindatlas.nodes.mindtrip.parts.negation_names_zh import TAIL, read_list
from mindatlas.nodes.mindtrip.parts.negation_words import any_of, either

_KNOWN_END = re.compile(rf"({NAME})(?:{TAIL}|景区)?\s?$")
_SEPARATOR_END = re.compile(rf"(?:{SEPARATOR})$|\s$")
_OPENING = (
    either(
        "但是?|不过|可是|而且|因为|所以|如果|要是|既然|虽然|另外|其实|首先|请|对|麻烦|帮我|给我|我们?"
        "|咱们?|你",
        "想找|想要?|找|求|有没有|有什么|有哪些|还有|除了|推荐|介绍|安排|想去|去看?看?|看看|上次|之前|今天",
    )
    + "+(?:一下|一些|几个|一个|一家|几家|些|个|家)?"
)
_OPENINGS = re.compile(_OPENING)
_ONLY_NAMES = re.compile(rf"(?:{_OPENING})?(?:{NAME}|{SEPARATOR})+")
_NOT_YET = re.compile("(?:没|没有|还没|未|你们?|谁|有人|别人|大家|[他她]们?)(?:都|也|已经|才|从来)*$")
_OWNER = re.compile(".*的(?=.{2})")
_REASON = re.compile(  # 佛跳墙太贵就算了, 海棠湾太远，不去了, 中山陵要爬台阶不想去
    either("[那这][边里儿]", "")
    + either(FEATURE, any_of("zh", "activity"), "")
    + "(?:又|也|都|实在|真的?|确实)*"
    + either(
        rf"{DEGREE}{ADJECTIVE}(?:又{ADJECTIVE})?",
        rf"又{ADJECTIVE}又{ADJECTIVE}",
        "(?:要|得|需要|又要|老是)[^,。?!\ue000]{1,6}",
    )
    + r"了?(?:[,\s]|的话|所以)*$"
)
_LONGEST_REASON, _LONGEST = 20, 30

Found = tuple[Argument, int]


def names_before(view: QuestionView, end: int, *, whole: bool, inside: bool) -> Found | None:
    """Return the list that ends at `end` and where it starts, or None.

    The list goes back over 、 和 …, and over commas when the cue speaks of the `whole` list (都, 全). Without a known
    name right at the end, all back to the punctuation mark is the list, or with `inside` (X之外 may stand in the
    middle of a sentence) back to the last 推荐, 有没有, 想去 ….
    """
    reason = _REASON.search(view.masked, max(0, end - _LONGEST_REASON), end)
    end = reason.start() if reason else end
    end -= view.masked.endswith("的", 0, end)
    part = view.part_start(end)
    names = _known_before(view, end, commas=whole)
    if names:
        return _with_unknown(view, part, names, end, inside=inside)
    text = view.folded[part:end].strip()
    if _NOT_YET.search(text):
        return None
    if part and text[:1] in {"这", "那"} and is_pronoun(text):
        names = _known_before(view, part - 1, commas=True)
        return (Argument(names=names, attributes=(), end=end), names[0][0]) if names else None
    return _unknown_before(view, part, end, inside=inside)


def _with_unknown(view: QuestionView, part: int, names: tuple[Span, ...], end: int, *, inside: bool) -> Found:
    """Return the known names with the unknown ones joined before them: 椰子鸡和 in 椰子鸡和文昌鸡都吃过了."""
    start = names[0][0]
    joined = _SEPARATOR_END.search(view.masked[part:start]) if start > part else None
    more = _unknown_before(view, part, part + joined.start(), inside=inside) if joined else None
    if more:
        names, start = more[0].names + names, more[1]
    return Argument(names=names, attributes=(), end=end), start


def _known_before(view: QuestionView, end: int, *, commas: bool) -> tuple[Span, ...]:
    names: list[Span] = []
    low = max(0, end - WINDOW)
    while match := _KNOWN_END.search(view.masked[low:end]):
        names.insert(0, (low + match.start(1), low + match.end(1)))
        end = low + match.start()
        separator = _SEPARATOR_END.search(view.masked[low:end])
        if separator:
            end = low + separator.start()
        elif commas and view.masked.endswith(",", low, end) and _is_only_names(view, end - 1):
            end -= 1
        else:
            break
    return tuple(names)


def _is_only_names(view: QuestionView, end: int) -> bool:
    """Return whether the part that ends at `end` is nothing but known names: then its comma joins a list."""
    return bool(_ONLY_NAMES.fullmatch(view.masked, view.part_start(end), end))


def _unknown_before(view: QuestionView, part: int, end: int, *, inside: bool) -> Found | None:
    start = max(part, end - _LONGEST)
    text = view.masked[start:end]
    openings = [match.end() for match in _OPENINGS.finditer(text) if inside or match.start() == 0]
    start += max((opening for opening in openings if opening < len(text)), default=0)
    owner = _OWNER.match(view.masked[start:end])
    start += owner.end() if owner else 0
    if re.search("[不没]", view.masked[start:end]):
        return None
    argument = read_list(view, start, limit=end)
    if argument is None or argument.end < end or any(is_verbal(view, name) for name in argument.names):
        return None
    return argument, start
