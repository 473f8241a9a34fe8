"""The argument of a Chinese exclusion cue: a list of names, and where it ends.

list      = element (separator element)*
element   = lead* (known name | quoted name | span up to a stop) tail?
separator = 、 和 跟 与 以及 或 …; a comma or a space only where a bare name and another list mark follow
lead      = 去 逛 像 著名的 三亚的 …          tail = 这两个地方 等 之类的 那边 了 …
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mindatlas.nodes.mindtrip.parts.negation_bounds_zh import SEPARATOR, STOP, boundary, opens_with_stop
from mindatlas.nodes.mindtrip.parts.negation_clauses import MASK, NAME, Argument, QuestionView, Span
from mindatlas.nodes.mindtrip.parts.negation_kinds_zh import (
    CITY,
    HERE,
    PLACE_KIND,
    Kind,
    ends_like_name,
    is_attribute,
    is_city,
    kind_of,
    starts_verbal,
)
from mindatlas.nodes.mindtrip.parts.negation_words import any_of, either

TAIL = (
    either(
        f"等+(?:等|地方?|景点|处|{any_of('zh', 'generic')})?|之类|一类|[什啥]么?的|一带|这?俩|以及",
        f"[这那][一两二三四五六几些俩仨0-9]*[个家座处条道本部片种类样间款]?(?:著名|热门"
        f"|有名)?的?(?:{PLACE_KIND}|里|边|儿)?",
        r"(?<![酒书网水茶啡氧])吧|[了的呢啊呀哈啦嘛哦掉\s]",
    )
    + "+"
)

_NAME = re.compile(NAME)
_SEPARATOR = re.compile(SEPARATOR)
_NO_MARK = re.compile("")
_COMMA = re.compile(r"\s*,\s*|\s+")
_AFTER_LISTED = re.compile(rf"\s*(?:$|[、,。!;\n)]|[这那][两三几些]|[之以]?外|等|{SEPARATOR})")
_OWNER = re.compile(  # 余华的《活着》, 人多的故宫, 著名的宽窄巷子
    rf"(?:(?!{STOP})[^{MASK}\ue001]){{1,10}}的(?=[{MASK}a-z])|{any_of('zh', 'famed')}的(?![,。?!;)]|$)"
)
_LEAD = re.compile(
    either(
        "[和跟与](?=[^,。?!]{1,12}[有相]关)|像|比如说?|例如|诸如|包括|关于|:|[这那某][个家座些种](?=.{2})|什么(?!的)",
        "再?(?:去|到|逛|吃(?![货到])|喝|住(?!友)|看|玩(?![具家])|爬(?!爬)|读(?![书者])|参观|游览"
        "|打卡)[过了]?(?!.?[,。?!]|哪)",
        rf"{CITY}[市省县]?的(?!其他|别的|{PLACE_KIND}|[,。?!;)]|$)",
    )
)
_REMARK = re.compile(r"\s?\([^()不除别]{1,20}\)")
_AT_END = re.compile(TAIL + "$")
_ESTATE = re.compile("(?:旅游|风景|度假|风景名胜)?[景园]?区|那?里面?")
_CITY_END = re.compile(rf"(?<=..){CITY}[市县岛]?$")
_CITIES = re.compile(rf"({CITY}){CITY}+$")
_MOST, _MOST_LEADS = 15, 4


@dataclass(frozen=True, kw_only=True)
class Element:
    """One element of a list: the span of the name itself, and where the element with its tail ends."""

    span: Span
    end: int
    kind: Kind


def read_list(view: QuestionView, start: int, *, limit: int | None = None) -> Argument | None:
    """Return the list that starts at `start` and ends at `limit` or before, or None where no element stands there.

    At most 15 elements are read, which keeps a text full of cues linear.
    """
    elements: list[Element] = []
    position, limit = start, len(view.masked) if limit is None else limit
    while len(elements) < _MOST and (element := read_element(view, position, limit)):
        elements.append(element)
        separator = _separator_after(view, element, limit)
        if separator is None or separator.end() >= limit:
            break
        position = separator.end()
    if not elements:
        return None
    return Argument(
        names=tuple(element.span for element in elements if element.kind == "name"),
        attributes=tuple(element.span for element in elements if element.kind == "attribute"),
        end=_behind_remark(view, elements[-1].end),
    )


def _behind_remark(view: QuestionView, end: int) -> int:
    """Return the end behind a remark in brackets: 日月湾（太商业）; one that refuses something stands for itself."""
    remark = _REMARK.match(view.masked, end)
    return remark.end() if remark else end


def read_element(view: QuestionView, start: int, limit: int) -> Element | None:
    """Return the element that starts at `start`, or None where a stop stands there."""
    whole = start
    start = _behind_leads(view, start, limit)
    end = boundary(view, start, limit)
    if end <= start or opens_with_stop(view, start):
        return None
    known = _known_in(view, start, end)
    if known:
        return _from_known(view, known, end)
    element = _from_unknown(view, start, end)
    looked_at = re.search("[看玩爬]", view.masked[whole:start])
    if element and looked_at and not ends_like_name(view, element.span):
        return Element(span=(whole, element.span[1]), end=element.end, kind="attribute")
    return element


def _separator_after(view: QuestionView, element: Element, limit: int) -> re.Match[str] | None:
    return (
        _SEPARATOR.match(view.masked, element.end)
        or (_comma_after(view, element.end, limit) if element.kind == "name" else None)
        or _adjacent_after(view, element)
    )


def _comma_after(view: QuestionView, end: int, limit: int) -> re.Match[str] | None:
    """Return the comma or space at `end` where a bare name and another list mark follow.

    In 除了日月湾，万宁还有什么 the city is what the question is about: a city never goes on with a list.
    """
    comma = _COMMA.match(view.masked, end)
    element = read_element(view, comma.end(), limit) if comma else None
    if comma is None or element is None or element.kind != "name" or element.span[0] > comma.end():
        return None
    text = view.folded[slice(*element.span)]
    listed = _AFTER_LISTED.match(view.masked, element.end) and ends_like_name(view, element.span)
    return comma if listed and not is_city(text) and not re.fullmatch(PLACE_KIND, text) else None


def _adjacent_after(view: QuestionView, element: Element) -> re.Match[str] | None:
    """Return the empty mark between two names written without one: two cities, or two known names (no city)."""
    next_city = re.compile(CITY).match(view.folded, element.end)
    next_known = view.masked[element.end : element.end + 1] == MASK and not next_city
    listed = next_city if is_city(view.folded[slice(*element.span)]) else next_known
    return _NO_MARK.match(view.masked, element.end) if listed and element.kind == "name" else None


def _behind_leads(view: QuestionView, start: int, limit: int) -> int:
    """Return where the name starts behind 去, 像, 著名的 …: not behind the 看 of 看日出."""
    owner = _OWNER.match(view.masked, start)
    start = owner.end() if owner else start
    for _ in range(_MOST_LEADS):
        lead = _LEAD.match(view.masked, start)
        if lead is None or opens_with_stop(view, lead.end()):
            break
        if is_attribute(view.folded[start : boundary(view, start, limit)]):
            break
        start = lead.end()
    while view.masked[start : start + 1] == " ":
        start += 1
    return start


def _known_in(view: QuestionView, start: int, end: int) -> Span | None:
    """Return the known name that opens an element, or that stands behind its city: the 亚龙湾 of 三亚亚龙湾."""
    inner = view.masked.find(MASK, start, end)
    name = _NAME.match(view.masked, inner) if inner >= 0 else None
    before = view.folded[start : name.start()] if name else ""
    return name.span() if name and (not before or is_city(before.rstrip("市省县"))) else None


def _from_known(view: QuestionView, name: Span, end: int) -> Element:
    """Return the known name, or the user's longer one: 故宫角楼咖啡 is not 故宫, 日月湾景区 is 日月湾."""
    second = _NAME.match(view.masked, name[1])
    if second and is_city(view.folded[slice(*name)]) and not is_city(view.folded[slice(*second.span())]):
        return _from_known(view, second.span(), end)
    rest = view.folded[name[1] : end]
    if second or re.match(either(CITY, HERE), rest):
        return Element(span=name, end=name[1], kind="name")
    left = _AT_END.sub("", rest)
    if not left or _ESTATE.fullmatch(left) or is_attribute(left) or starts_verbal(left):
        return Element(span=name, end=end, kind=kind_of(view, name))
    return Element(span=(name[0], name[1] + len(left)), end=end, kind="name")


def _from_unknown(view: QuestionView, start: int, end: int) -> Element | None:
    text = view.folded[start:end]
    cities = _CITIES.match(text)
    scope = _CITY_END.search(text)
    if cities:
        end = start + cities.end(1)
    elif scope:
        end = start + scope.start()
    text = view.folded[start:end]
    name = _AT_END.sub("", text)
    if not name:
        pointing = text.strip("了的呢啊呀哈啦嘛哦吧掉 ")
        return Element(span=(start, end), end=end, kind="pronoun") if pointing else None
    span = (start, start + len(name))
    return Element(span=span, end=end, kind=kind_of(view, span))
