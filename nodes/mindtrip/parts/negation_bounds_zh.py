"""Where an element of a Chinese list ends: at a stop, at a separator, or after 24 characters."""

from __future__ import annotations

import re

from mindatlas.nodes.mindtrip.parts.negation_clauses import MASK, NAME, QuestionView
from mindatlas.nodes.mindtrip.parts.negation_kinds_zh import CITY, HERE
from mindatlas.nodes.mindtrip.parts.negation_words import either

END = r"(?:[,。?!;:\n()~…—、]|\.(?=\s|$|\.))"
STOP = either(
    END,
    r"(?<![a-z0-9&])\s|\s(?![a-z0-9&])",
    # closers: X之外, X外
    "[之以而除]外|(?<![国海野室户郊境门城窗老])外(?=[,。?!)还也都有哪其别我能可的推请]|$)",
    # question words
    "什么(?!的)|啥(?!的)|哪|怎么|如何|多少|谁|几(?=[个家处点天种本])|[吗呢]",
    # adverbs that open the predicate; the look-arounds keep 成都, 都江堰, 还珠, 就业 whole
    "还(?!珠)|也(?!门)"
    "|(?<![成首新昌])都(?=[可行好能要想是去没不有推吃玩喜看爱会挺很逛算值适接成得考,。?!]|ok|$)",
    "全(?=[部都是可能行])|就(?!业)|只(?=[有想能要去])|再(?=[推来去给找安换有说])",
    # verbs: a single character only before what follows it as a verb
    "有(?=[什啥没哪别其几多推吗不谁更类合一些点个可适])|能(?=[不去吃玩推在冲看找给够吗住买体有带还])"
    "|可以|可(?=否)",
    "想(?=[去要吃找玩看换问住知了在再])|要(?=[去吃找看玩换推是一不个住])|应该|值得|适合|会(?=[不有推去])"
    "|是(?=[不否哪什因])",
    "没(?=[有去别吃什啥其兴])|不(?=[想要去知喜吃能用太行考是好错推会感])|换(?=[个一点成家种掉别其])|感兴趣",
    "[去吃玩看逛住喝买做干读选听](?=[什哪啥点别其个]|怎么)|[回过出下上]来(?=[了,。?! 还]|$)",
    "有关|相关|推荐|介绍|请|帮|给(?=[我个推点])|排除|去掉|剔除|划掉|跳过|过滤|拿掉|删[掉除]|略过",
    "行(?=不行|[吗么])|好(?=[吗么,。?]|不好|$)|可惜|后悔|遗憾",
    # what a question turns to next
    "除了|其[他它余]|别[的处]|另|剩下|[我你咱您]|他们|的",
    "因为|所以|但是?|不过|可是|而(?=[是且不想要])|然后|于是|如果|要是",
    rf"在(?={CITY}|{HERE}|{MASK}|[这那哪])|到(?=[底哪])|从(?=[^,。]{{1,5}}(?:[里中]|去掉|删))|{HERE}",
)
SEPARATOR = (
    r"\s?"
    + either(
        "[、/&+]|以及|或者|或是|(?<=\\s)and(?=\\s)",
        f"还有(?={NAME}(?:[之以]?外|,?还|这))",
        "(?<![颐雍永太保义泰祥])和(?![平谐睦牛服府])|跟(?![团着])|与(?!众)|(?<!埃)及(?![时格])|或(?!许)",
    )
    + r"\s?"
)

_STOP, _SEPARATOR, _NAME = re.compile(STOP), re.compile(SEPARATOR), re.compile(NAME)
_CLOSED = re.compile(rf"{END}|\s")
_OPENING = re.compile(rf"(?!{HERE}|的){STOP}")
_SINGLE = {"和", "跟", "与", "及", "或"}
_LONGEST = 24


def opens_with_stop(view: QuestionView, start: int) -> bool:
    """Return whether a stop stands at `start`, so that no element can start there."""
    return bool(_OPENING.match(view.masked, start))


def boundary(view: QuestionView, start: int, limit: int) -> int:
    """Return where the element that starts at `start` ends; `start` itself where none can start, `limit` at most."""
    masked = view.masked
    if start >= limit or _CLOSED.match(masked, start):
        return start
    name = _NAME.match(masked, start)
    first = name.end() if name else start + 1
    limit = min(limit, first + _LONGEST)
    stop = _STOP.search(masked, first, min(len(masked), limit + 3))
    end = min(stop.start(), limit) if stop else limit
    for separator in _SEPARATOR.finditer(masked, first, end):
        if _separates(view, start, separator, end):
            return separator.start()
    return end


def _separates(view: QuestionView, start: int, separator: re.Match[str], end: int) -> bool:
    """Return whether a separator joins two names: a 和 inside one (颐和园) leaves a lone character on a side."""
    if separator.group().strip() not in _SINGLE:
        return True
    masked = view.masked
    known_left = masked[separator.start() - 1] in f"{MASK}\ue001"
    known_right = masked[separator.end() : separator.end() + 1] == MASK
    left, right = separator.start() - start, end - separator.end()
    return (known_left or left >= 2) and (known_right or right >= 2)
