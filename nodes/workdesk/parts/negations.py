"""Sentences that say there is nothing, and whether they say it of everything or of a part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindatlas.nodes.text import fold, sentences
from mindatlas.nodes.workdesk.parts.check_patterns import any_of, filled


class Negation(NamedTuple):
    """A “none”: the sentence, folded, and what it names besides data and time.

    `about` is the rest of the sentence when search words, time and data are taken away, `modifier` the part of it
    that belongs to what there is none of, `quoted` a name in quotation marks; empty when it names nothing.
    """

    sentence: str
    about: str
    modifier: str = ""
    quoted: str = ""


_HINTS = (
    *"没沒无無未空零不",
    "no",
    "No",
    "NO",
    "n't",
    "n’t",
    "N'T",
    "cannot",
    "Cannot",
    "nable",
    "ail",
    "mpty",
    "ero",
    "ound",
)
_LONE_ZERO = re.compile(r"0(?<![\d.]0)(?![\d.])")
"""What every sentence that says none holds; most sentences need no closer look."""

_OBJECT = r"(?P<object>[^，,。；;！!?？\n]*)"
_FINDS_NONE_ZH = re.compile(
    filled(
        r"(?:@not_zh@)(?:成功)?(?:为您|帮您|给您)?(?:[从在][^，,。；;\n]{0,16}?)?(?:@find_zh@)(?:不)?(?:到|见|出|得)?"
    )
    + _OBJECT
)
_CANNOT_FIND_ZH = re.compile(filled(r"(?:@find_zh@)不(?:到|出|着)") + _OBJECT)
_NO_NOUN_ZH = re.compile(
    r"(?:暂时没有|暂没有|没有|暂无|并无|查无|均无|尚无|未有|不存在|(?<![是有])无(?![需须法误关论意异效缘限])|没|缺乏|缺少)"
    + filled(
        r"(?P<object>[^，,。；;！!?？\n]{0,30}?(?:@nouns_zh@)(?:可[^，,。；;\n]{0,6}|存在|返回|产生|生成|发生|出现|了|哦|呢|呀|啊)?)"
    )
    + r"(?=[，,。；;！!?？\n）)~]|$)"
)
_BARE_ZH = any_of("bare_none_zh")
_ZERO_ZH = re.compile(
    r"(?:共|总共|一共|总计|合计|数量|总数|总量|数|结果|有|为|是|到|了)[^，,。0-9]{0,6}(?<![\d.])(?:0|零)\s*"
    r"(?:条|个|单|件|张|笔|项|份|起)?(?![\d.%:：-]|\s*的)(?P<object>[^，,。；;\n]*)"
)
_CLAUSE_MARK = re.compile(r"[,，;；]")
_EXCEPTION_ZH = re.compile("除|以外|之外|只有|仅|其中|其他|其余|部分")
_ADVICE = any_of("advice")
_QUOTED = re.compile(r"[“\"‘「『]([^”\"’」』]{1,40})[”\"’」』]")
_QUALIFIED_ZH = any_of("qualified_zh")
_POSITIVE_ZH = any_of("findings_zh")
_UNSURE_ZH = any_of("unsure_zh")
_NEUTRAL_ZH = any_of("neutral_zh")
_NOUN_EN = filled("(?:@nouns_en@)")
_NONE_EN = any_of("none_en")
_QUALIFIED_EN = any_of("qualified_en")
_POSITIVE_EN = any_of("findings_en")
_UNSURE_EN = any_of("unsure_en")
_ABOUT_EN = re.compile(
    r"\b(?:for|from|to|at|by|of|on|in|named|called|about|regarding|with|belonging to|under)\s+(?P<what>[^,;]+)",
    re.IGNORECASE,
)
_NEUTRAL_EN = any_of("neutral_en")


def find_negations(text: str) -> Iterator[Negation]:
    """Yield the sentences of `text` that say, of all data, that there are none.

    Not among them: what is hedged, conditional or asked, what names an attribute (没有逾期的工单, “no other
    orders”), and the finding that something bad is absent (未发现异常). A text that also presents findings says
    none of a part only.
    """
    if not _hints_at_none(text):
        return
    found = [negation for sentence in sentences(text) if (negation := _negation(sentence))]
    if found and not (_POSITIVE_EN.search(text) or _POSITIVE_ZH.search(fold(text))):
        yield from found


def _hints_at_none(text: str) -> bool:
    return any(hint in text for hint in _HINTS) or bool(_LONE_ZERO.search(text))


def _negation(sentence: str) -> Negation | None:
    if not _hints_at_none(sentence):
        return None
    folded = _ADVICE.sub("", fold(sentence))
    found = _found_zh(folded) or _found_en(folded)
    quoted = _QUOTED.search(folded)
    return found._replace(quoted=quoted[1]) if found and quoted else found


def _found_zh(folded: str) -> Negation | None:
    for pattern in (_FINDS_NONE_ZH, _CANNOT_FIND_ZH, _NO_NOUN_ZH, _ZERO_ZH, _BARE_ZH):
        match = pattern.search(folded)
        if match and not _is_limited(folded, match):
            modifier = _NEUTRAL_ZH.sub("", match.groupdict().get("object") or "")
            return Negation(folded, _NEUTRAL_ZH.sub("", folded[: match.start()]) + modifier, modifier)
    return None


def _is_limited(folded: str, match: re.Match[str]) -> bool:
    """Return whether the clause of the match, or an exception beside it, makes it a “none” of a part, or unsure."""
    start = max((mark.end() for mark in _CLAUSE_MARK.finditer(folded, 0, match.start())), default=0)
    after = _CLAUSE_MARK.search(folded, match.end())
    end = after.start() if after else len(folded)
    clause = folded[start:end]
    asked_or_if = _UNSURE_ZH.search(folded[:end]) or folded.endswith(("?", "吗", "吗。"))
    return bool(asked_or_if or _QUALIFIED_ZH.search(clause) or _EXCEPTION_ZH.search(folded))


def _found_en(folded: str) -> Negation | None:
    match = _NONE_EN.search(folded)
    if not match or _UNSURE_EN.search(folded) or _QUALIFIED_EN.search(folded):
        return None
    rest = next((part for part in match.groups() if part is not None), "")
    if not re.search(
        rf"{_NOUN_EN}|nothing|empty|none|found|available|exist|returned", match[0]
    ) and re.search(r"\w", rest):
        return None
    named = _ABOUT_EN.search(rest)
    return Negation(folded, _NEUTRAL_EN.sub("", named["what"]) if named else "")
