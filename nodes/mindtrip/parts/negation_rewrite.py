"""Cutting clauses out of a question so that what is left still reads as one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mindatlas.nodes.mindtrip.parts.negation_clauses import Span
from mindatlas.nodes.mindtrip.parts.negation_words import any_of, either
from mindatlas.nodes.text import fold

_CJK = "[\u3400-\u4dbf\u4e00-\u9fff]"
_MARK = re.compile(
    rf"""(?:[，。．？?！!；;：\n…—~～]
    |(?<!\d)[,:]|[,:](?!\d)
    |(?<!\bst)(?<!\bmt)(?<!\bmr)(?<!\bdr)\.(?=\s|$|["”’)])
    |(?<={_CJK})[ \t\u3000]+(?={_CJK}))+\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_ENDS_SENTENCE = re.compile(r"[。．？?！!\n….]")
_FILLER = re.compile(rf"(?>{any_of('zh', 'filler')}|\b{any_of('en', 'filler')}\b|[^\w])*+")
_LOOSE_END = re.compile(
    r"(?:但是?|不过|可是|而且|并且|只是|而|、|\b(?:but|and|or|though|although|however|also|please do|,))\s*$",
    re.IGNORECASE,
)
_LOOSE_START = re.compile(
    either(
        r"\s*(?:所以|因此|因而|那么|但是?|不过|可是|可(?=[我想要还])|而且|并且|然后|而是|而(?=[想要])"
        r"|以及|还有(?=想)|、)",
        r"\s*\b(?:but|and|so|or|then|thus|yet)\b",
    )
    + r"\s*",
    re.IGNORECASE,
)
_WH_OPENS = re.compile(r"\s*(?:what|which|where|who|how|any|are there|is there)\b", re.IGNORECASE)
_VERB_OPENS = re.compile(
    r"\s*(?:is|are|was|were|can|could|do|does|would|should|has|have|will|might|i|we|you)\b", re.IGNORECASE
)


def without(question: str, cuts: Sequence[Span]) -> str:
    """Return `question` without the spans `cuts`: pieces of it, in order, with nothing added.

    A part between two punctuation marks that keeps no word of its own (我, 这次, "I", "please") goes whole, with one of
    its marks: the sentence mark stays before the comma. Conjunctions that joined a cut part go too. A question that
    would keep nothing comes back as it is.
    """
    merged = _merge(question, cuts)
    if not merged:
        return question
    kept: list[tuple[str, str]] = []
    dropped = False
    for part, mark, touched, rest in _parts(question, merged):
        text = _unjoined(part) if dropped and not touched else part
        dropped = (touched or dropped) and bool(_FILLER.fullmatch(fold(text)))
        if not dropped:
            kept.append((text.lstrip() if touched else text, mark))
        elif kept:
            kept[-1] = (kept[-1][0], _mark_kept(*kept[-1], mark, rest))
    result = "".join(text + mark for text, mark in kept).strip().rstrip("，,、：: ")
    return question if _FILLER.fullmatch(fold(result)) else result


def _merge(question: str, cuts: Sequence[Span]) -> list[Span]:
    """Return `cuts` in order, overlaps joined, each with the round brackets that hold nothing else."""
    merged: list[Span] = []
    for cut in sorted(cut for cut in cuts if cut[0] < cut[1]):
        start, end = _with_brackets(question, cut)
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _with_brackets(question: str, cut: Span) -> Span:
    start, end = cut
    alone = question[start - 1 : start] in {"(", "（"} and question[end : end + 1] in {")", "）"}
    return (start - 1, end + 1) if alone else cut


def _parts(question: str, cuts: list[Span]) -> Iterator[tuple[str, str, bool, str]]:
    """Yield what is left of each part between two marks, its mark, whether it was cut, and the text behind it."""
    start = first = index = 0
    for match in [*_MARK.finditer(question), None]:
        end, after = match.span() if match else (len(question), len(question))
        while index < len(cuts) and cuts[index][1] <= end:
            index += 1
        if match and index < len(cuts) and cuts[index][0] <= end:
            continue
        own = cuts[first:index]
        text = _left_over(question, start, end, own) if own else question[start:end]
        yield text, question[end:after], bool(own), question[after : after + 20]
        start, first = after, index


def _left_over(question: str, start: int, end: int, cuts: list[Span]) -> str:
    text = question[start : cuts[0][0]]
    for index, (_, behind) in enumerate(cuts):
        following = cuts[index + 1][0] if index + 1 < len(cuts) else end
        text = _join(text, question[behind : max(behind, following)])
    return text


def _join(left: str, right: str) -> str:
    """Return both sides of a cut joined: one space at most between them, no conjunction that joined the cut part."""
    right = _unjoined(right) if not (left and right[:1].isspace()) else " " + _unjoined(right).lstrip()
    left = _LOOSE_END.sub("", left)
    return left.rstrip() + right if right[:1].isspace() or not right else left + right


def _unjoined(text: str) -> str:
    """Return `text` without the conjunction at its start."""
    return _LOOSE_START.sub("", text, count=1) if _LOOSE_START.match(text) else text


def _mark_kept(text: str, own: str, mark: str, rest: str) -> str:
    """Return the mark that closes the part `text` when the part behind it is dropped with its `mark`.

    The mark of a sentence stays before the comma; at the end of the question a comma goes; so do both commas of
    "What, besides X, is good?".
    """
    if _ENDS_SENTENCE.search(own):
        return own
    if _ENDS_SENTENCE.search(mark):
        return mark
    if not rest:
        return ""
    return " " if _WH_OPENS.match(text) and _VERB_OPENS.match(rest) else own
