"""Cutting clauses out of a question so that what is left still reads as one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mindatlas.nodes.mindtrip.parts.negation_clauses import Span
from mindatlas.nodes.text import fold

_CJK = "[\u3400-\u4dbf\u4e00-\u9fff]"
_DELIMITER = re.compile(
    r"(?:[，。．？?！!；;：\n…—~～]|(?<!\d)[,:]|[,:](?!\d)|(?<!\bst)(?<!\bmt)(?<!\bmr)(?<!\bdr)\.(?=\s|$|[\"”’)])"
    rf"|(?<={_CJK})[ \t\u3000]+(?={_CJK}))+\s*",
    re.IGNORECASE,
)
_STRONG = re.compile(r"[。．？?！!\n…]|\.")
_FILLER = re.compile(
    r"(?:我们?[和跟与](?:我?(?:朋友们?|家人|老公|老婆|爸妈|孩子|同学|同事))|我们?家?|咱们?|俺们?|你们?|您|家人|孩子们?|爸妈|老婆|老公|一家人?"
    r"|这[次回趟]|上[次回趟]|之前|以前|从前|前两?[次年天]|前几[天年]|昨[天晚日]|刚刚?|刚才|去年|上周末?|上个?月|小时候|早上|上午|今[天早年]"
    r"|已经?|早就?|曾经?|都|也|还|就|又|再|先|全部?|光|只|因为|由于|所以|虽然|如果|要是|假如|既然|但是?|不过|可是?|而且?|并且?|只是"
    r"|然后|另外|其实|最好|千万|一定|务必|请|麻烦|拜托|希望|记得|注意|对了|嗯|哦|那么?|的话|地方|这些|那些|这个|那个|里面?|其中"
    r"|比较|实在|真的?|有点|感觉|觉得|反正|首先|总之|说实话|老实说|可能|也许|大概|就行|就好|就可以|谢谢|你好|了|吧|啊|呀|哈|啦|呢|嘛|的|得|想|要|是|跟|和|把|在|去|对|给"
    r"|i'?m?|i['’](?:ve|m|d)|having|leaving|setting|putting|ideally|preferably|definitely|we(?:['’](?:ve|re|d))?|my|our|the|a|of|have|had|has|was|were|am|are|been|do|did|already|please|pls|also|and|but"
    r"|or|so|well|hi|hey|hello|ok|okay|just|really|recently|last (?:time|year|week|month|summer|winter)|yesterday|this morning|before|though"
    r"|although|then|thanks|thank you|since|because|as|if|that|it|actually|btw|by the way|oh|to|with|kids?|family|wife|husband|parents|friends?"
    r"|now|for|places?|places? like|plus|too|there|with me|let['’]?s|can you|could you|would|like|'d|only|want|love|need"
    r"|[\s、,&()（）「」“”\"'《》-])*"
)
_LOOSE_END = re.compile(
    r"(?:但是?|不过|可是|而且|并且|只是|而|、|\b(?:but|and|or|though|although|however|also|please do|,))\s*$", re.IGNORECASE
)
_LOOSE_START = re.compile(
    r"^\s*(?:所以|因此|因而|那么|但是?|不过|可是|可(?=[我想]|要|还)|而且|并且|然后|而是|而(?=想|要)|以及|还有(?=想)|、|(?:but|and|so|or|then|thus|yet)\b)\s*",
    re.IGNORECASE,
)
_QUESTION_OPENING = re.compile(r"\s*(?:what|which|where|who|how|any|are there|is there)\b", re.IGNORECASE)
_VERB_OPENING = re.compile(
    r"\s*(?:is|are|was|were|can|could|do|does|would|should|has|have|will|might|i|we|you)\b", re.IGNORECASE
)


def without(question: str, cuts: Sequence[Span]) -> str:
    """Return `question` without the spans `cuts`: pieces of it, in order, nothing added but what it held.

    A part between two punctuation marks that keeps no word of its own (我, 这次, "I", "please") goes whole, with
    one of its marks; the sentence mark stays before the comma. Conjunctions that joined a cut part go too. A
    question that would keep nothing comes back as it is.
    """
    merged = _merge(_with_brackets(question, cuts))
    if not merged:
        return question
    kept: list[tuple[str, str]] = []
    after_cut = False
    for start, end, mark in _parts(question, merged):
        text, touched = _cut(question, start, end, merged)
        if after_cut and not touched:
            text = _LOOSE_START.sub("", text, count=1)
        after_cut = (touched or after_cut) and bool(_FILLER.fullmatch(fold(text)))
        if after_cut:
            _close_up(kept, mark, question[end + len(mark) :])
        else:
            kept.append((text.lstrip() if touched else text, mark))
    result = "".join(text + mark for text, mark in kept).strip().rstrip("，,、：: ")
    return question if _FILLER.fullmatch(fold(result)) else result


def _with_brackets(question: str, cuts: Sequence[Span]) -> list[Span]:
    """Return `cuts`, each grown over the round brackets that hold nothing else."""
    grown = []
    for start, end in cuts:
        if question[start - 1 : start] in {"(", "（"} and question[end : end + 1] in {")", "）"}:
            start, end = start - 1, end + 1
        grown.append((start, end))
    return grown


def _merge(cuts: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(cuts):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


def _parts(question: str, cuts: Sequence[Span]) -> list[tuple[int, int, str]]:
    """Return start, end and closing mark of the parts between the punctuation marks that no cut covers."""
    parts = []
    start = index = 0
    for match in _DELIMITER.finditer(question):
        while index < len(cuts) and cuts[index][1] <= match.start():
            index += 1
        if index < len(cuts) and cuts[index][0] <= match.start():
            continue
        parts.append((start, match.start(), match.group()))
        start = match.end()
    parts.append((start, len(question), ""))
    return parts


def _cut(question: str, start: int, end: int, cuts: Sequence[Span]) -> tuple[str, bool]:
    text = ""
    position = start
    touched = False
    for cut_start, cut_end in cuts:
        if cut_end <= start or cut_start >= end:
            continue
        text = _join(text, question[position : max(position, cut_start)], loose=touched)
        position = cut_end
        touched = True
    if not touched:
        return question[start:end], False
    return _join(text, question[position:end], loose=True), True


def _join(left: str, right: str, *, loose: bool) -> str:
    """Return both sides of a cut joined: at most one space between, no conjunction that joined the cut part."""
    if not loose:
        return left + right
    right = _LOOSE_START.sub(" " if left and right[:1].isspace() else "", right, count=1)
    left = _LOOSE_END.sub(" " if right.strip() else "", left)
    return left.rstrip() + right if right[:1].isspace() or not right else left + right


def _close_up(kept: list[tuple[str, str]], mark: str, rest: str) -> None:
    """Give the last kept part the stronger of its own mark and that of the part dropped behind it."""
    if not kept:
        return
    text, own = kept[-1]
    if _STRONG.match(own.strip() or own):
        return
    if _STRONG.match(mark.strip() or mark):
        kept[-1] = (text, mark)
    elif not rest:
        kept[-1] = (text, "")
    elif _QUESTION_OPENING.match(text) and _VERB_OPENING.match(rest):
        kept[-1] = (text, " ")
