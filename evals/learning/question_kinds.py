"""The kind of a question, by fixed rules: what is counted, and compared with the kinds the existing cases have.

Kinds are finer than case types, so that one no case has yet (`cross_city_comparison`) shows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mindatlas.evals.learning.question_reading import QuestionReading
from mindatlas.nodes.mindtrip.parts.extractive_answerer import kind_of

SEVERAL = (
    3  # requirements beside town and kind that make several constraints; joined by 又 or a comma, two do
)
_JOINED = re.compile(r"又|既|同时|而且|并且|还要|，|、|,|\bboth\b|as well", re.I)
_CASE_TYPES = {"cross_city_comparison": "comparison"}  # where an existing case type means the same

TIME_LIMIT = re.compile(
    r"[一二两三四五六七八九十半\d]+(?:天|日游|晚|个?小时|个?下午|个?上午)|周末|当天|只有.{0,4}(?:天|小时)|"
    r"\b(?:\d+|one|two|three|four|five|half|a)[ -](?:days?|nights?|hours?)\b|\bweekend\b",
    re.IGNORECASE,
)
_BY_WORDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("how_to_get_there", re.compile(r"怎么(?:去|走|到|坐)|如何(?:去|到)|交通|多远|坐什么车|how (?:do|can) .*get|how far", re.I)),
    ("season", re.compile(r"几月|季节|什么时候|天气|台风|雨季|\bwhen\b|season|weather", re.I)),
    ("price", re.compile(r"多少钱|门票|票价|价格|费用|贵不贵|how much|price|cost", re.I)),
    ("opening_hours", re.compile(r"几点|开门|关门|营业|opening|hours", re.I)),
    ("lodging", re.compile(r"住哪|住宿|酒店|民宿|客栈|住一晚|\bstay\b|hotel", re.I)),
    ("food", re.compile(r"吃|美食|小吃|餐厅|好喝|\beat\b|food|restaurant", re.I)),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class KindCount:
    """How many questions of a kind came in, and how many existing cases are of it."""

    kind: str
    feedback: int
    cases: int


def question_kind(reading: QuestionReading) -> str:
    """Return the kind of a question; the first rule that holds decides."""
    question = reading.question
    if reading.excluded:
        return "exclusion"
    form = kind_of(question)
    if form == "comparison":
        return "cross_city_comparison" if len(reading.towns) > 1 else "comparison"
    least = SEVERAL - 1 if _JOINED.search(question) else SEVERAL
    if len(reading.requirements) >= least:
        return "several_constraints"
    if TIME_LIMIT.search(question):
        return "time_limited"
    worded = (kind for kind, words in _BY_WORDS if words.search(question))
    plain = "place_options" if form == "options" else "entity_fact" if reading.named else "other"
    return next(worded, plain)


def asked_for(question: str) -> frozenset[str]:
    """Return what the words of a question ask for (a price, a way, a time), and the form of its answer."""
    return frozenset({kind for kind, words in _BY_WORDS if words.search(question)} | {kind_of(question)})


def case_type_of(kind: str) -> str:
    """Return the case type for a question kind."""
    return _CASE_TYPES.get(kind, kind)


def count_kinds(feedback: Iterable[str], cases: Iterable[str]) -> list[KindCount]:
    """Return the kinds of the feedback: first those that no existing case has, then by count, then by name."""
    asked, known = Counter(feedback), Counter(cases)
    counts = [KindCount(kind=kind, feedback=count, cases=known[kind]) for kind, count in asked.items()]
    return sorted(counts, key=lambda count: (count.cases > 0, -count.feedback, count.kind))
