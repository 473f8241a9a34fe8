"""Telling a Chinese name from words that only describe (冲浪, 太贵, 门票) or point elsewhere (这些, 其他)."""

from __future__ import annotations

import re
from typing import Literal

from mindatlas.nodes.mindtrip.parts.negation_clauses import MASK, QuestionView, Span
from mindatlas.nodes.mindtrip.parts.negation_words import any_of, either

Kind = Literal["name", "attribute", "pronoun"]

CITY, HERE = any_of("zh", "city"), any_of("zh", "here")
PLACE_KIND = any_of("zh", "generic", "kind")
DEGREE, ADJECTIVE, FEATURE = any_of("zh", "degree"), any_of("zh", "adjective"), any_of("zh", "feature")

_GENERIC = any_of("zh", "generic")
_ACTIVITY = either(
    any_of("zh", "activity"), any_of("zh", "verb") + "(?:[了过点些]|一?[个下次])?" + any_of("zh", "object")
)
_NUMBER = either("[0-9.]+", "[一二三四五六七八九十百千万两几半多]+")
_ATTRIBUTE = re.compile(
    either(
        rf"{_ACTIVITY}+(?:[和跟、]{_ACTIVITY})*(?:的?{_GENERIC})?",  # 冲浪, 看日出和泡温泉
        rf"{DEGREE}{ADJECTIVE}.*|.{{1,8}}{DEGREE}{ADJECTIVE}",  # 太贵, 路程太远
        rf"{FEATURE}?(?:[又都很太]|比较|有点)?(?:{ADJECTIVE}[又且还和]?)+(?:一点|点儿"
        rf"|(?<!甜)点)?(?:的?{PLACE_KIND})?",  # 人多, 连锁店
        rf"{FEATURE}(?:方面|问题|费用?)?",  # 门票, 交通问题
        rf"(?:[那这]种|一些|各种)?{_GENERIC}",  # 地方
        rf"{HERE}|{CITY}?(?:市区|市内|市里|城区|市中心|郊区)",  # 附近, 三亚市区
        rf"{_NUMBER}{any_of('zh', 'unit')}(?:以[上下内外]|左右|之内)?",  # 五公里以内
        "第[一二三四五六七八九十0-9]+[章次天个家名站段集部本顿晚页回季]",  # 第一章
        ".{1,3}(?<!小)[吃玩住睡逛喝]",  # 外面吃
        ".{0,12}(?:时候|期间|阶段|方面|情况|原因|理由|体验|感觉)",  # 下雨的时候
    )
)
_QUALIFIED = re.compile(rf"{DEGREE}|(?=..){FEATURE}(?<=..)")
_PRONOUN = re.compile(
    rf"{any_of('zh', 'pronoun')}[的个些家处]*(?:{PLACE_KIND})?的?|(?:其[他它]|别的|所有|任何|它).*"
)
_VERB_START = re.compile(any_of("zh", "verb_start"))
_NAME_END = re.compile(rf"(?<![闭开关休停]){either(any_of('zh', 'name_end'), '[a-z0-9]')}$")


def kind_of(view: QuestionView, span: Span) -> Kind:
    """Return what `span` is: a name, unless its words describe or point at something said elsewhere."""
    if view.is_known(span) or view.is_title(span):
        return "name"
    quoted = view.masked[span[0]] == MASK
    text = view.folded[span[0] + 1 : span[1] - 1] if quoted else view.folded[slice(*span)]
    if is_pronoun(text) or not re.search(r"\w", text):
        return "pronoun"
    return "attribute" if is_attribute(text) or (not quoted and is_verbal(view, span)) else "name"


def is_pronoun(text: str) -> bool:
    """Return whether `text` (folded) only points at something: 这些, 其他地方."""
    return bool(_PRONOUN.fullmatch(text))


def is_attribute(text: str) -> bool:
    """Return whether `text` (folded) describes: an activity, a quality, a cost, a time, a kind of place.

    What starts with such a word counts too (海景房, 周一休息), unless it ends like a name (太湖, 历史博物馆).
    """
    qualified = _QUALIFIED.match(text) and not _NAME_END.search(text[2:])
    return bool(qualified or _ATTRIBUTE.fullmatch(text))


def is_city(text: str) -> bool:
    """Return whether `text` (folded) is a city, province or country that a question may be about."""
    return bool(re.fullmatch(CITY, text))


def ends_like_name(view: QuestionView, span: Span) -> bool:
    """Return whether `span` is known, quoted, a city, or ends as places, houses and dishes do."""
    text = view.folded[slice(*span)]
    return MASK in view.masked[slice(*span)] or bool(_NAME_END.search(text)) or is_city(text)


def is_verbal(view: QuestionView, span: Span) -> bool:
    """Return whether `span` reads as a verb phrase (走太多路, 错过日月湾) rather than as a name."""
    inner = view.masked.find(MASK, *span) > span[0]
    return starts_verbal(view.folded[slice(*span)]) and (inner or not ends_like_name(view, span))


def starts_verbal(text: str) -> bool:
    """Return whether `text` (folded) starts with a verb or another word that seldom opens a name."""
    return bool(_VERB_START.match(text))
