"""How much of a question a passage supports, and the rule that cuts the passages to those that do.

The dense leg always has neighbours, so a distance cannot say "nothing here". Support is counted instead: the share
of the question's content, weighted by how rare each piece is in the knowledge base, that the passage holds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mindatlas.nodes.mindtrip.parts.conditions import Condition, satisfied
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.text import char_ngrams, fold, is_cjk

COVERAGE = 0.4  # the evidence rule: least share of the question that a used passage supports, see design/retrieval.md

_FILLER_ZH = re.compile(
    "请问|请|麻烦|帮我|给我|告诉我|我们|咱们|我|你们|你|您好|你好|您|大家|想问一下|想知道|想要|想|打算|准备|计划|"
    "有没有什么|有没有|有什么|有啥|有哪些|有几个|哪些|哪里|哪儿|哪个|哪家|哪种|哪|什么样|什么时候|为什么|什么|啥|"
    "怎么样|怎样|怎么|如何|多少钱|多少|多大|多长时间|多长|多久|多远|几点|几个|几天|是不是|能不能|可不可以|要不要|会不会|好不好|"
    "推荐一下|推荐|介绍一下|介绍|适合|值得|可以|能够|能|应该|需要|要|还有|还|也|都|就|才|又|再|最|比较|更|很|非常|特别|真的|"
    "一下|一些|一个|一家|一点|这个|那个|这些|那些|这里|那里|这次|上次|以及|或者|或|还是|和|跟|与|在|到|去|从|往|对|把|被|让|给|"
    "吗|呢|吧|啊|呀|嘛|么|了|的|地方|着|是|有|没有|没|不|其他|其它|别的|另外|除了|之外|以外|除|觉得|知道|看看|玩|"
    "找个|找|好的|好玩|比如|如果|时候|东西|事情|问题|左右|附近|周边"
)
_FILLER_EN = frozenset(
    "a an the is are was were be been do does did can could should would will may i we you they it he she me us my our your "
    "their its this that these those there here what which who whom whose when where why how much many long far any some "
    "of in on at to for from by with about into over near nearby around and or but not no so if than then as also too "
    "please tell know want like need get go going take best good great nice recommend suggest find looking look place "
    "places thing things something anything else other another more most very really just have has had s t m re d ll".split()
)


@dataclass(frozen=True, kw_only=True)
class Support:
    """The share of the question that a passage holds, in [0, 1], and what it lacks, heaviest first."""

    coverage: float
    missing: tuple[str, ...]


class EvidenceScorer:
    """Scores passages of one knowledge base against one question.

    Args:
        base: the knowledge base.
        question: the rewritten question.
        conditions: what was read from it; each is one unit that a passage supports when it satisfies it.
        named: the subjects it names.
    """

    def __init__(
        self, base: KnowledgeBase, question: str, *, conditions: Sequence[Condition] = (), named: Sequence[str] = ()
    ) -> None:
        self._base = base
        rest = fold(question)
        for surface in sorted((fold(condition.surface) for condition in conditions), key=len, reverse=True):
            rest = rest.replace(surface, "，") if surface else rest
        self._subjects = {name: set(base.rows_named(name)) for name in named}
        names = {fold(known) for rows in self._subjects.values() for row in rows for known in base.passages[row].names}
        for name in sorted(names, key=len, reverse=True):
            rest = rest.replace(name, "，")
        self.terms = content_terms(rest)
        self._weights = {term: self._idf(term) for term in self.terms}
        self._conditions = [
            (condition, satisfied(condition, base.table), self._rarity(condition))
            for condition in conditions
            if condition.operator not in {"highest", "lowest"}
        ]

    def support(self, row: int) -> Support:
        """Return how much of the question the passage in `row` holds; 0 where the question has no content."""
        text = fold(self._base.passages[row].indexed_text)
        units = {term: (weight, term in text) for term, weight in self._weights.items()}
        units |= {f"{c.surface}": (weight, bool(mask[row])) for c, mask, weight in self._conditions}
        units |= {name: (self._most(), row in rows or fold(name) in text) for name, rows in self._subjects.items()}
        total = sum(weight for weight, _ in units.values())
        held = sum(weight for weight, found in units.values() if found)
        missing = sorted((unit for unit, (_, found) in units.items() if not found), key=lambda u: (-units[u][0], u))
        return Support(coverage=held / total if total else 0.0, missing=tuple(missing))

    def proximity(self, row: int) -> float:
        """Return how close together the question's terms stand in the passage, in [0, 1]; 1 is side by side."""
        text = fold(self._base.passages[row].text)
        places = sorted(text.find(term) for term in self.terms if term in text)
        return min(1.0, 2.0 * len(places) / (places[-1] - places[0] + 2)) if len(places) > 1 else 0.0

    def _idf(self, term: str) -> float:
        count = self._base.document_frequency(term)
        size = len(self._base.passages)
        return math.log(1 + (size - count + 0.5) / (count + 0.5))

    def _most(self) -> float:
        return math.log(1 + (len(self._base.passages) + 0.5) / 0.5)

    def _rarity(self, condition: Condition) -> float:
        """Return a condition's weight: that of a term found in as many passages, and at least a common word's."""
        count = int(satisfied(condition, self._base.table).sum())
        return max(0.5, math.log(1 + (len(self._base.passages) - count + 0.5) / (count + 0.5)))


def content_terms(question: str) -> tuple[str, ...]:
    """Return what a question is about: the bigrams of its Chinese runs without filler, and its Latin words.

    A run of one character is kept whole. Order of first appearance, no repeats.
    """
    terms: list[str] = []
    for piece in _FILLER_ZH.split(fold(question)):
        grams = char_ngrams(piece, (2,))
        if not grams and is_cjk(piece):
            grams = char_ngrams(piece, (1,))
        terms.extend(gram for gram in grams if gram not in _FILLER_EN)
    return tuple(dict.fromkeys(terms))


def supported(supports: Mapping[str, Support], *, least: float = COVERAGE) -> list[str]:
    """Return the keys of the passages that the evidence rule keeps, in the given order.

    A passage is kept when it holds at least `least` of the question and at least 60 % of what the best one holds.
    """
    best = max((support.coverage for support in supports.values()), default=0.0)
    return [name for name, support in supports.items() if support.coverage >= max(least, 0.6 * best)]
