"""Why an answer was bad: one failure type, by fixed rules or by a chat model.

The user's own words come first: a comment that says the price is wrong is believed. Where there is none, what was
stored is compared with the knowledge base.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from mindatlas.evals.learning.complaint import Complaint
from mindatlas.evals.learning.failure_signs import Signs
from mindatlas.evals.learning.question_kinds import question_kind
from mindatlas.evals.learning.question_reading import QuestionReader, QuestionReading

FailureType = Literal[
    "missing_context",
    "unexpected_entity",
    "exclusion_ignored",
    "wrong_figure",
    "refused_wrongly",
    "comparison",
    "several_constraints",
    "time_limited",
    "other",
]


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A failure type and, in one sentence, what shows it."""

    type: FailureType
    reason: str


class FailureReader(Protocol):
    """Tells why an answer was bad."""

    name: str

    def read(self, complaint: Complaint) -> Failure:
        """Return the failure; `other` where nothing shows."""
        ...


_FIGURES = "价格|票价|金额|数字|数据|数量|合计|总数|时间|评分|figure|number|price|amount|total"
_WRONG = r"错|不对|不准|有误|过期|wrong|off\b|incorrect|outdated"
_TOLD: tuple[tuple[FailureType, str], ...] = (
    (
        "exclusion_ignored",
        r"(?:说了|说过|已经|明明).{0,6}(?:不要|除了|排除|不去)|没有?排除|\bexclude|asked not to",
    ),
    (
        "refused_wrongly",
        r"明明有|应该(?:能|可以)回答|不该拒|拒答|should (?:have )?answer|there is (?:an? )?answer",
    ),
    ("wrong_figure", rf"(?:{_FIGURES}).{{0,8}}(?:{_WRONG})|算错|(?:错|应该)是?\s*\d"),
    (
        "comparison",
        r"没有?(?:比较|对比)|只(?:说|讲|提)了?一(?:个|边|方)|no comparison|only one side|did ?n.t compare",
    ),
    (
        "several_constraints",
        r"(?:条件|要求).{0,6}(?:没|不)(?:满足|符合|考虑)|ignored .*(?:condition|constraint)",
    ),
    (
        "time_limited",
        r"(?:时间|天|小时).{0,6}(?:不够|来不及|排不下)|太赶|not enough time|too (?:long|rushed)",
    ),
    (
        "unexpected_entity",
        r"跑题|答非所问|不相关|无关|不是我问的|问的是|irrelevant|off[- ]topic|not what i asked",
    ),
    (
        "missing_context",
        r"没(?:有)?(?:提|说|写|讲)|漏了|遗漏|不全|不完整|太少|还有|missing|incomplete|left out|did ?n.t mention",
    ),
)
_SIGNS: tuple[tuple[FailureType, Callable[[Signs], str]], ...] = (
    ("refused_wrongly", Signs.refused_wrongly),
    ("missing_context", Signs.nothing_known),
    ("exclusion_ignored", Signs.exclusion_ignored),
    ("comparison", Signs.side_missing),
    ("several_constraints", Signs.constraint_unmet),
    ("time_limited", Signs.time_unanswered),
    ("unexpected_entity", Signs.entity_unexpected),
    ("missing_context", Signs.context_missing),
)
_BY_KIND: dict[str, FailureType] = {
    "cross_city_comparison": "comparison",
    "comparison": "comparison",
    "several_constraints": "several_constraints",
    "time_limited": "time_limited",
}
_UNKNOWN = Failure(type="other", reason="Nothing stored shows why")


class RuleFailureReader:
    """Tells by fixed rules; the first that holds decides, the user's words before what the data show.

    Args:
        reader: reads questions over the knowledge base; None for graphs without one.
    """

    name = "builtin"

    def __init__(self, reader: QuestionReader | None) -> None:
        self._reader = reader

    def read(self, complaint: Complaint) -> Failure:
        """Return the failure; `other` where nothing shows."""
        for kind, words in _TOLD:
            if found := re.search(words, complaint.feedback.comment, re.I):
                return Failure(type=kind, reason=f"The user says so: {found[0]!r}")
        if complaint.denied:
            return Failure(
                type="unexpected_entity", reason=f"The user did not ask for {complaint.denied[0]!r}"
            )
        if numbers := complaint.unfounded_numbers():
            return Failure(type="wrong_figure", reason=f"{numbers[0]} stands in nothing the answer rests on")
        if self._reader is not None and complaint.reading is not None:
            signs = Signs(complaint=complaint, reading=complaint.reading, reader=self._reader)
            return _shown(signs) or _by_kind(complaint.reading)
        if complaint.refused:
            return Failure(
                type="refused_wrongly", reason="The answer is a refusal, and the user did not want one"
            )
        return _UNKNOWN


def _shown(signs: Signs) -> Failure | None:
    for kind, sign in _SIGNS:
        if reason := sign(signs):
            return Failure(type=kind, reason=reason)
    return None


def _by_kind(reading: QuestionReading) -> Failure:
    """Return the failure that the question's kind suggests where nothing else shows."""
    kind = question_kind(reading)
    if kind not in _BY_KIND:
        return _UNKNOWN
    return Failure(type=_BY_KIND[kind], reason=f"Nothing else shows, and the question is of kind {kind!r}")
