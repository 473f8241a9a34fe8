"""What looks like a figure and is none: code, dates, ordinals, limits, codes and identifiers."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

MEASURE = r"(?:单|条|个|件|张|份|项|起|次|人|家|笔|户|台|(?:orders?|records?|results?|rows?|tickets?|items?|work orders?)\b)"
_WIDE = tuple((chr(code), chr(code - 0xFEE0)) for code in range(0xFF01, 0xFF5F)) + tuple(
    zip("−–—～", "----", strict=True)
)
_SPAN = r"\s*(?:天|日|周|星期|个?月|季度|年|小时|分钟|(?:days?|weeks?|months?|quarters?|years?|hours?|minutes?)\b)"
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"

_BLOCK = re.compile(r"```.*?(?:```|\Z)|https?://\S+", re.DOTALL)
_INLINE = re.compile(r"`[^`\n]*`")
_FROM_DIGIT = re.compile(
    "|".join(
        (
            # 2026-03-14 10:00, 2026年3月, 3月5日, 5号, 10:30, 10点, 3/5
            r"\d{4}\s*[-/.年]\s*\d{1,2}(?:\s*[-/.月]\s*\d{1,2}\s*[日号]?)?(?:[T\s]*\d{1,2}:\d{2}(?::\d{2})?)?",
            r"\d{4}年度?|\d{2}年",
            r"\d{1,2}\s*月份?(?:\s*\d{1,2}\s*[日号]?(?!\s*[单条个件]))?(?:\s*[-~至到]\s*\d{1,2}\s*[日号])?",
            r"\d{1,2}\s*[日号](?![^\s，。,、]{0,2}[单条])",
            r"\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}\s*[点时](?:\s*\d{1,2}\s*分)?(?!\w)|\d{1,2}[-/]\d{1,2}(?![\w/-])",
            rf"\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?![a-z])(?:,?\s*\d{{4}})?",
            rf"(?:19|20)\d{{2}}(?<![\d.,]\d{{4}})(?![\d%]|[.,]\d|\s*{MEASURE})",
            # 3rd, 5 页, 2组, 30天内
            r"\d+(?:st|nd|rd|th)\b",
            r"\d+(?:\s*/\s*\d+)?\s*(?:页|步|级|期|版|楼|层|号|班组?|组|站|区|队)(?![^\s，。,]?共)|\d+\s*(?:pages?|steps?)\b",
            rf"\d+{_SPAN}(?:内|前|后|以来|以内|之[前后内]|\s*ago)|24\s*小时|7\s*[x×*天]\s*24",
        )
    ),
    re.IGNORECASE,
)
_LINE_MARK = re.compile(
    r"^[ \t>]*(?:[-*+][ \t]+)?[(\[]?\d{1,3}[.、)\]:](?!\d)|^[ \t]*\|[ \t]*\d{1,3}[ \t]*(?=\|)", re.MULTILINE
)
_BRACKETED = re.compile(r"[(\[]\d{1,2}[)\]]")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d+(?:\.\d+)*")
_BEFORE = re.compile(
    r"(?:第|前|后|排名|步骤|图|表|选项|方案|序号|名列|最近|过去|未来|[<>≤≥=]|#"
    r"|\b(?:top|no\.?|step|page|item|option|rank|ranks|ranked|number|part|section|line|version|v|last|past|next|previous|recent|within|over the)"
    rf"|\b{_MONTH})[ \t#]*$"
    r"|(?:每页|最多|上限|至多|不超过|不得超过|\b(?:at most|up to|limit(?:ed)?(?: of| to)?|max(?:imum)?(?: of)?|per page|first))[^。\d\n]{0,8}$",
    re.IGNORECASE,
)
_BEFORE_SPAN = re.compile(r"近\s*$")
_BEFORE_CODE = re.compile(
    r"(?:优先级|状态|等级|级别|类型|代码|编码|错误码|端口|\b(?:code|status|priority|level|type|error|http))\s*(?:码|为|是|=|:|#)?\s*$",
    re.IGNORECASE,
)
_AFTER_CODE = re.compile(r"\s*[单个条]|[.,]\d")
_SPAN_AFTER = re.compile(_SPAN, re.IGNORECASE)
_SEPARATORS = frozenset("|,;)]") | {""}
_SIGNS = frozenset("<>≤≥=#:.~≈")
_WINDOW = 20  # characters before a number that say what it is

_ID = re.compile(
    r"[A-Za-z](?<![A-Za-z0-9][A-Za-z])[A-Za-z]*(?:[-_]?[A-Za-z]*\d+[A-Za-z]*)+(?:[-_][A-Za-z0-9]+)*"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\d(?<![\w.]\d)\d*[A-Za-z]{2,}\w*"
)
_LABEL = re.compile(r"(?:[Ii][Dd]|号|[Nn]o\.|[Nn]umber|#)[^\n\d]{0,12}\d")
_LABELLED_ID = re.compile(
    r"(?:ID|编号|单号|任务号|执行号|流水号)\s*(?:为|是|[:#])?\s*[“\"'`*]*(?P<zh>[A-Za-z0-9][\w-]*\d[\w-]*)"
    r"|\b(?:task|execution|order|ticket|job|run|request|query)[ _-]?(?:id|no\.|number|#)"
    r"\s*(?:is|was|[:#=])?\s*[\"'`*]*(?P<en>[A-Za-z0-9][\w-]*\d[\w-]*)"
    r"|#(?<!\w#)(?P<bare>\d{4,})",
    re.IGNORECASE,
)
_COMMON_NAME = re.compile(
    r"(?:covid|utf|iso|sha|gpt|md|http|gb|rfc|top|ascii|ipv|mp|q|h|v|p|s|l|t|win|python|qwen|llama)-?\d{1,4}$|[a-z]{1,3}\d{1,2}$"
    r"|\d+(?:kv|kw|kwh|mb|gb|px|pm|am|ms|rd|th|st|nd|min|h|hrs?|pcs)$",
    re.IGNORECASE,
)
_CODE_NUMBER = re.compile(r"[A-Z]+-0\d")


class Scan(NamedTuple):
    """A text with spaces in place of what looks like a figure and is none, and what may be identifiers in it."""

    masked: str
    ids: tuple[str, ...]


@lru_cache(maxsize=8)
def scan(text: str) -> Scan:
    """Return `text` with half-width digits, masked, and what may be identifiers (see `is_identifier`).

    Identifiers are letters with digits (WO-20260314-0007), or stand behind a label such as 任务ID or “order no.”.
    """
    plain = _narrow(text)
    if _DIGITS.search(plain) is None:
        return Scan(plain, ())
    if "```" in plain or "://" in plain:
        plain = _BLOCK.sub(_blank, plain)
    names: list[str] = []

    def take(match: re.Match[str]) -> str:
        names.append(match[match.lastindex or 0])
        return " " * len(match[0])

    if _LABEL.search(plain):
        plain = _LABELLED_ID.sub(take, plain)
    plain = _ID.sub(take, plain)
    plain = _INLINE.sub(_blank, plain) if "`" in plain else plain
    return Scan(
        _without_marks(_BRACKETED.sub(_blank, _LINE_MARK.sub(_blank, plain))), tuple(dict.fromkeys(names))
    )


def is_identifier(name: str) -> bool:
    """Return whether letters with digits are an identifier, no common name (COVID-19, GPT-4, P0) or quantity (10kV)."""
    return len(_DIGIT.findall(name)) >= 2 and bool(not _COMMON_NAME.match(name) or _CODE_NUMBER.match(name))


def _narrow(text: str) -> str:
    """Return `text` with half-width digits and marks, character for character."""
    if text.isascii():
        return text
    for wide, narrow in _WIDE:
        if wide in text:
            text = text.replace(wide, narrow)
    return text


def _without_marks(text: str) -> str:
    """Return `text` with spaces in place of dates, ordinals, limits and codes."""
    parts: list[str] = []
    position = 0
    for match in _DIGITS.finditer(text):
        start, end = match.span()
        if start < position:
            continue
        dated = _FROM_DIGIT.match(text, start) if _may_go_on(text, start, end) else None
        stop = dated.end() if dated else end if _is_marked(text, start, end) else start
        if stop > start:
            parts += [text[position:start], " " * (stop - start)]
            position = stop
    return "".join([*parts, text[position:]])


def _may_go_on(text: str, start: int, end: int) -> bool:
    """Return whether the digits can begin a date or an ordinal: something but a separator follows, or it is a year."""
    following = text[end : end + 2].lstrip(" ")[:1]
    return following not in _SEPARATORS or text[start : start + 2] in ("19", "20")


def _is_marked(text: str, start: int, end: int) -> bool:
    """Return whether the words before a number say that it is an ordinal, a limit or a code."""
    before = text[max(0, start - _WINDOW) : start]
    return says_something(before) and bool(
        _BEFORE.search(before)
        or (_BEFORE_SPAN.search(before) and _SPAN_AFTER.match(text, end))
        or (end - start <= 4 and _BEFORE_CODE.search(before) and not _AFTER_CODE.match(text, end))
    )


def says_something(before: str) -> bool:
    """Return whether the text before a number can say what it is: a word, or a sign such as `<`."""
    last = before.rstrip()[-1:]
    return last.isalpha() or last in _SIGNS


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
