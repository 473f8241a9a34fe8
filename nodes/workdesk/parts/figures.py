"""The figures that a text states, apart from dates, ordinals, codes and identifiers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.numbers import parse_number

_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | str.maketrans("−–—～", "----")
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"
_SPAN = (
    r"(?:天|日|周|星期|个?月|季度|年|小时|分钟|(?:days?|weeks?|months?|quarters?|years?|hours?|minutes?)\b)"
)
_MEASURE = r"(?:单|条|个|件|张|份|项|起|次|人|家|笔|户|台|orders?|records?|results?|rows?|tickets?|items?|work orders?)"
_NOT_FIGURES = re.compile(
    "|".join(
        (
            r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+",
            # dates and times of day
            r"\d{4}\s*[-/.年]\s*\d{1,2}(?:\s*[-/.月]\s*\d{1,2}\s*[日号]?)?(?:[T\s]*\d{1,2}:\d{2}(?::\d{2})?)?",
            r"\d{4}年度?|\d{2}年|\d{1,2}\s*月份?(?:\s*\d{1,2}\s*[日号]?(?!\s*[单条个件]))?(?:\s*[-~至到]\s*\d{1,2}\s*[日号])?",
            r"\d{1,2}\s*[日号](?![^\s，。,、]{0,2}[单条])|\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}\s*[点时](?:\s*\d{1,2}\s*分)?(?!\w)|\b\d{1,2}[-/]\d{1,2}\b",
            rf"\b{_MONTH}\s+\d{{1,2}}(?!\d)(?:st|nd|rd|th)?(?:\s*(?:-|to|and)\s*(?:{_MONTH}\s*)?\d{{1,2}}(?:st|nd|rd|th)?)?(?:,?\s*\d{{4}})?|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s*\d{{4}})?|\b{_MONTH}\s*\d{{4}}",
            rf"(?<![\d.,])(?:19|20)\d{{2}}(?![\d%]|[.,]\d|\s*{_MEASURE})",
            rf"(?:最近|近|过去|前|后|未来|\b(?:last|past|next|previous|recent|within|over the))\s*\d+\s*{_SPAN}|\d+\s*{_SPAN}(?:内|前|后|以来|以内|之[前后内]|\s*ago)",
            r"24\s*小时|7\s*[x×*天]\s*24",
            # ordinals, list marks, ranks, pages
            r"第\s*\d+|\b\d+(?:st|nd|rd|th)\b|(?m:^[ \t>]*(?:[-*+][ \t]+)?[(\[]?\d{1,3}[.、)\]:](?!\d))|(?m:^\s*\|\s*\d{1,3}\s*(?=\|))|[(\[]\d{1,2}[)\]]",
            r"(?:\b(?:top|no\.?|step|page|item|option|rank|ranks|ranked|number|part|section|line|version|v)|前|后|排名|步骤|图|表|选项|方案|序号|名列|#)[ \t#]*\d+(?:\.\d+)*",
            r"\d+(?:\s*/\s*\d+)?\s*(?:页|步|级|期|版|楼|层|号|班组?|组|站|区|队)(?![^\s，。,]?共)|\d+\s*(?:pages?|steps?)\b",
            # limits and codes
            r"[<>≤≥=]\s*\d+(?:\.\d+)?",
            r"(?:每页|最多|上限|至多|不超过|不得超过|\b(?:at most|up to|limit(?:ed)?(?: of| to)?|max(?:imum)?(?: of)?|per page|first))[^。\d\n]{0,8}\d+",
            r"(?:优先级|状态|等级|级别|类型|代码|编码|错误码|端口|\b(?:code|status|priority|level|type|error|http))\s*(?:码|为|是|=|:|#)?\s*\d{1,4}(?!\d|\s*[单个条]|[.,]\d)",
        )
    ),
    re.IGNORECASE | re.DOTALL,
)
_ID = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z]*(?:[-_]?[A-Za-z]*\d+[A-Za-z]*)+(?:[-_][A-Za-z0-9]+)*|(?<![A-Za-z0-9-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![\w.])\d+[A-Za-z]{2,}\w*",
    re.IGNORECASE,
)
_LABELLED_ID = re.compile(
    r"(?:任务|工单|订单|执行|流程|作业|流水|请求|批次)?(?:ID|编号|单号|订单号|工单号|任务号|执行号|流水号)\s*(?:为|是|[:#])?\s*[“\"'`*]*(?P<id>[A-Za-z0-9][\w-]*\d[\w-]*)"
    r"|\b(?:task|execution|order|ticket|job|run|request|query)[ _-]?(?:id|no\.|number|#)\s*(?:is|was|[:#=])?\s*[\"'`*]*(?P<id2>[A-Za-z0-9][\w-]*\d[\w-]*)|(?<!\w)#(?P<id3>\d{4,})",
    re.IGNORECASE,
)
_COMMON_NAMES = re.compile(
    r"(?:covid|utf|iso|sha|gpt|md|http|gb|rfc|top|ascii|ipv|mp|q|h|v|p|s|l|t|win|python|qwen|llama)-?\d{1,4}$|[a-z]{1,3}\d{1,2}$|\d+(?:kv|kw|kwh|mb|gb|px|pm|am|ms|rd|th|st|nd|min|h|hrs?|pcs)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\w.])(?P<sign>-(?=\d))?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*(?P<unit>千万|百万|万|亿|千(?![瓦米克])|%|个?百分点|(?:million|thousand|billion|percent|k|m)\b)?",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    rf"(?<![零〇一二三四五六七八九十百千万两几数])(?P<digits>[一二三四五六七八九十百千万两零〇]{{2,}})(?=\s*(?:多|余)?{_MEASURE})"
)
_UNITS = {
    "千": 1e3,
    "thousand": 1e3,
    "k": 1e3,
    "万": 1e4,
    "百万": 1e6,
    "million": 1e6,
    "m": 1e6,
    "千万": 1e7,
    "亿": 1e8,
    "billion": 1e9,
}
_APPROXIMATE = re.compile(
    r"(?:约|大约|大概|近|接近|将近|左右|逾|上|about|around|roughly|approximately|nearly|almost|some|~|≈)\s*(?:有|为)?\s*$",
    re.IGNORECASE,
)
_APPROXIMATE_AFTER = re.compile(r"\s*(?:多|余|几|\+|左右|上下|以上|or so)", re.IGNORECASE)
_ABOVE = re.compile(
    r"(?:超|超过|多于|高于|大于|至少|不少于|不低于|\b(?:over|more than|above|at least|greater than|higher than|larger than|exceeds?|exceeding))\s*$",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"(?:不到|不足|低于|少于|小于|不超过|\b(?:under|less than|below|fewer than|lower than|cheaper than|smaller than|at most))\s*$",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"\s*(?:个?(?:小时|分钟|天|秒|周|工作日|月)|(?:hours?|hrs?|minutes?|mins?|days?|seconds?|weeks?|months?|h)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure as a text states it.

    Attributes:
        value: its value, 万 and the like counted in; a percentage is its number, 12.5 for 12.5%.
        step: what the last digit that is written is worth: 0.1 for 3.5, 100 for 1.23万.
        approximate: words such as 约 or “about” stand beside it.
        duration: it counts hours, days and the like.
        bound: it is a limit that figures lie above or below: 超过 40, “under 700”.
    """

    text: str
    start: int
    end: int
    value: float
    step: float
    percent: bool = False
    approximate: bool = False
    duration: bool = False
    bound: Literal["", "above", "below"] = ""


def find_figures(text: str) -> list[Figure]:
    """Return the figures of `text`, left to right.

    Left out are code, dates and times, ranges of days, ordinals and list marks, ranks and pages, limits, status
    codes and identifiers. Chinese numerals count from ten on and with a measure word: 一百二十单.
    """
    plain = masked(text)
    figures = [_figure(plain, match) for match in _NUMBER.finditer(plain)]
    figures += [found for match in _CHINESE.finditer(plain) if (found := _chinese(plain, match))]
    return sorted(figures, key=lambda figure: figure.start)


def masked(text: str) -> str:
    """Return `text` with half-width digits and with spaces in place of what looks like a figure and is none."""
    plain = text.translate(_PLAIN)
    if not any(char.isdigit() for char in plain):
        return plain
    plain = _LABELLED_ID.sub(lambda match: " " * len(match[0]), plain)
    plain = _ID.sub(lambda match: " " * len(match[0]), plain)
    return _NOT_FIGURES.sub(lambda match: " " * len(match[0]), plain)


def find_ids(text: str) -> list[str]:
    """Return the identifiers that `text` names: letters with digits (WO-20260314-0007), or behind a label."""
    plain = text.translate({code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)})
    plain = re.sub(r"```.*?(?:```|\Z)|https?://\S+", " ", plain, flags=re.DOTALL)
    found = [match[0] for match in _ID.finditer(plain) if sum(char.isdigit() for char in match[0]) >= 2]
    found = [name for name in found if not _COMMON_NAMES.match(name) or re.match(r"[A-Z]+-0\d", name)]
    labelled = [match["id"] or match["id2"] or match["id3"] for match in _LABELLED_ID.finditer(plain)]
    return list(dict.fromkeys([*found, *labelled]))


def _figure(plain: str, match: re.Match[str]) -> Figure:
    digits, unit = match["digits"].replace(",", ""), (match["unit"] or "").lower()
    percent = unit in ("%", "percent") or unit.endswith("百分点")
    scale = 1.0 if percent else _UNITS.get(unit, 1.0)
    decimals = len(digits.partition(".")[2])
    sign = -1 if match["sign"] else 1
    before = plain[max(0, match.start() - 16) : match.start()]
    return Figure(
        text=match[0].strip(),
        start=match.start(),
        end=match.end(),
        value=sign * float(digits) * scale,
        step=scale / 10**decimals,
        percent=percent,
        approximate=_is_approximate(plain, match),
        duration=bool(_DURATION.match(plain, match.end())),
        bound="above" if _ABOVE.search(before) else "below" if _BELOW.search(before) else "",
    )


def _chinese(plain: str, match: re.Match[str]) -> Figure | None:
    value = parse_number(match["digits"])
    if value is None or value < 10 or match["digits"][0] in "百千万":
        return None
    return Figure(
        text=match["digits"],
        start=match.start(),
        end=match.end(),
        value=value,
        step=1.0,
        approximate=_is_approximate(plain, match),
    )


def _is_approximate(plain: str, match: re.Match[str]) -> bool:
    before = plain[max(0, match.start() - 12) : match.start()]
    return bool(_APPROXIMATE.search(before) or _APPROXIMATE_AFTER.match(plain, match.end()))
