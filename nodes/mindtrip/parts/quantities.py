"""Limits in a question: “评分4.5以上”, “人均50到100元”, “under 200 yuan”, “晚上10点还开门”."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from mindatlas.nodes.mindtrip.parts.fields import Role, words
from mindatlas.nodes.numbers import NUMBER, parse_number
from mindatlas.nodes.text import fold, fold_with_offsets

_UNITS = "元钱|块钱|元|块|人民币|颗星|分钟|分|星|个半小时|个小时|小时|钟头|天|rmb|yuan|cny|hours?|h|days?|minutes?|stars?"
_LESS = "不超过|不高于|低于|小于|少于|最多|至多|不到|不多于|under|below|less than|at most|up to|within|no more than|cheaper than"
_MORE = "不低于|不少于|高于|大于|超过|至少|起码|最少|over|above|at least|more than|no less than|from"
_ABOUT = "大约|大概|差不多|约|around|about|roughly"
_LESS_AFTER = "以内|以下|及以下|或以下|之内|内|封顶|or less|or cheaper|max"
_MORE_AFTER = "及以上|或以上|以上|往上|开外|起|or more|or higher|or above|and above|and up|plus|\\+"
_QUANTITY = re.compile(
    rf"(?P<before>{_LESS}|{_MORE}|{_ABOUT})?\s*[￥¥]?\s*"
    rf"(?:(?P<low>{NUMBER})\s*(?P<low_unit>{_UNITS})?\s*(?:-|–|—|~|到|至|to|and)\s*)?"
    rf"(?P<high>{NUMBER})\s*(?P<unit>{_UNITS})?\s*"
    rf"(?:钱)?(?P<after>{_LESS_AFTER}|{_MORE_AFTER}|左右|上下|之间)?"
)
_CLOCK = re.compile(
    rf"(?P<part>凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜)?(?P<hour>{NUMBER})(?:点|:(?P<minute>\d\d))(?P<half>半)?\s*(?P<pm>am|pm)?"
    r"|(?:at |until |till )(?P<hour_en>\d{1,2})(?::(?P<minute_en>\d\d))?\s*(?P<pm_en>am|pm)"
)
_NEIGHBOURS = re.compile(
    "(?:一[两二]|[两二]三|三[四五]|四五|五六|六七|七八|八九)([十百千万]?)"
)  # 两三个小时: two to three
_CLAUSE = re.compile(r"[,，.。;；!！?？、]")
_TO_HOURS = {"分钟": 1 / 60, "minute": 1 / 60, "天": 24.0, "day": 24.0}


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """A limit on one role: [low, high] inclusive, None = open; `word` is the field word that decided the role."""

    start: int
    end: int
    surface: str
    role: Role
    word: str
    low: float | None
    high: float | None
    exact: bool


def find_quantities(text: str) -> list[Quantity]:
    """Return the limits in `text`, left to right; a number without unit or field word is none."""
    folded, offsets = fold_with_offsets(text)
    clocks = list(_clocks(folded))
    taken = [(clock.start, clock.end) for clock in clocks]
    found = clocks + [
        quantity
        for match in _QUANTITY.finditer(folded)
        if not any(start < match.end() and match.start() < end for start, end in taken)
        and (quantity := _quantity(match, folded))
    ]
    return [
        _in_original(quantity, text, offsets)
        for quantity in sorted(found, key=lambda quantity: quantity.start)
    ]


def _in_original(quantity: Quantity, text: str, offsets: list[int]) -> Quantity:
    start, end = offsets[quantity.start], offsets[quantity.end - 1] + 1
    return Quantity(**{**vars(quantity), "start": start, "end": end, "surface": text[start:end]})


def _quantity(match: re.Match[str], folded: str) -> Quantity | None:
    high, unit = parse_number(match["high"]), match["unit"] or match["low_unit"] or ""
    low = parse_number(match["low"]) if match["low"] else None
    if about := _NEIGHBOURS.fullmatch(match["high"]):
        low, high = (parse_number(digit + about[1]) for digit in match["high"][:2])
    role, word = _role(unit, folded, match.start())
    qualified = bool(match["before"] or match["after"] or low is not None)
    if high is None or role is None or not (qualified or word):
        return None
    if role == "duration":
        if not unit:
            return None
        low = None if low is None else low * _hours(match["low_unit"] or unit)
        high *= _hours(unit)
    bounds = _bounds(match["before"] or "", match["after"] or "", low, high, role)
    return Quantity(
        start=match.start(), end=match.end(), surface="", role=role, word=word,
        low=bounds[0], high=bounds[1], exact=not qualified,
    )  # fmt: skip


def _bounds(
    before: str, after: str, low: float | None, high: float, role: Role
) -> tuple[float | None, float | None]:
    if low is not None:
        return min(low, high), max(low, high)
    if re.fullmatch(_LESS, before) or re.fullmatch(_LESS_AFTER, after):
        return None, high
    if re.fullmatch(_MORE, before) or re.fullmatch(_MORE_AFTER, after):
        return high, None
    if before or after in {"左右", "上下"}:
        return high * 0.8, high * 1.2
    return (high, None) if role == "rating" else (high, high)


def _hours(unit: str) -> float:
    return next((factor for name, factor in _TO_HOURS.items() if unit.startswith(name)), 1.0)


def _role(unit: str, folded: str, at: int) -> tuple[Role | None, str]:
    """Return the role that the unit or the closest field word before the number (same clause) points at."""
    clause = _CLAUSE.split(folded[max(0, at - 16) : at])[-1]
    before = [
        (clause.rfind(word), len(word), place)
        for place, (word, _) in enumerate(_field_words())
        if word in clause
    ]
    word, role = _field_words()[max(before)[2]] if before else ("", None)
    by_unit = _unit_roles().get(unit)
    if by_unit:
        return by_unit, word if role == by_unit else ""
    return (None, "") if unit else (role, word)


@cache
def _field_words() -> list[tuple[str, Role]]:
    return [(fold(word), role) for role, entry in words()["roles"].items() for word in entry["words"]]


@cache
def _unit_roles() -> dict[str, Role]:
    extra: dict[str, Role] = {"元钱": "price", "人民币": "price", "个半小时": "duration"}
    return extra | {fold(unit): role for role, entry in words()["roles"].items() for unit in entry["units"]}


def _clocks(folded: str) -> Iterator[Quantity]:
    for match in _CLOCK.finditer(folded):
        around = folded[max(0, match.start() - 16) : match.end() + 16]
        word = next((word for word in _hours_words() if word in around), None)
        hour = _hour(match)
        if word and hour is not None:
            yield Quantity(
                start=match.start(),
                end=match.end(),
                surface="",
                role="hours",
                word=word,
                low=hour,
                high=hour,
                exact=True,
            )


def _hour(match: re.Match[str]) -> float | None:
    hour = parse_number(match["hour"] or match["hour_en"])
    if hour is None or hour > 24:
        return None
    minute = float(match["minute"] or match["minute_en"] or (30 if match["half"] else 0)) / 60
    late = match["part"] in {"下午", "傍晚", "晚上", "夜里", "半夜"} or "pm" in {match["pm"], match["pm_en"]}
    noon = match["part"] == "中午" and hour < 3
    return (hour + 12 if (late and hour < 12) or noon else hour) + minute


def _hours_words() -> Iterable[str]:
    hours_words: list[str] = words()["roles"]["hours"]["words"]
    return hours_words
