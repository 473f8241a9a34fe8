"""How much of a question a passage supports, and the rule that cuts the passages to those that do.

The dense leg always has neighbours, so a distance cannot say "nothing here". Support is counted instead: the share
of the question's content, weighted by how rare each piece is in the knowledge base, that the passage holds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from mindatlas.nodes.mindtrip.parts.conditions import Condition, satisfied
from mindatlas.nodes.mindtrip.parts.content_terms import content_terms
from mindatlas.nodes.mindtrip.parts.fields import Role, words
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.text import fold, is_cjk

Key = TypeVar("Key", int, str)
UNKNOWN_NAME = (
    3  # times the weight of a rare term: a proper name that no passage holds is what was asked about
)
_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}")  # capitalised inside a sentence
COVERAGE = 0.4  # the evidence rule: least share of the question that a used passage supports, see design/retrieval.md


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
        near: the places whose surroundings it asks for; the filter has already seen to that.
    """

    def __init__(
        self,
        base: KnowledgeBase,
        question: str,
        *,
        conditions: Sequence[Condition] = (),
        named: Sequence[str] = (),
        near: Sequence[str] = (),
    ) -> None:
        self._base = base
        rest = fold(question)
        for surface in sorted((fold(condition.surface) for condition in conditions), key=len, reverse=True):
            rest = rest.replace(surface, "，") if surface else rest
        self._subjects = {name: set(base.rows_named(name)) for name in named}
        subjects = {row for name in (*named, *near) for row in base.rows_named(name)}
        names = {fold(known) for row in subjects for known in base.passages[row].names}
        for name in sorted((*names, *_field_words(base)), key=len, reverse=True):
            rest = rest.replace(name, "，") if is_cjk(name) or name in names else rest
        terms = _telling(content_terms(rest), bool(conditions or named or near))
        across = _across_words(base, rest)
        self.terms = tuple(term for term in terms if term not in across or base.document_frequency(term))
        unknown = {fold(name) for name in _PROPER.findall(question)}
        self._weights = {
            term: self._idf(term)
            * (UNKNOWN_NAME if term in unknown and not base.document_frequency(term) else 1)
            for term in self.terms
        }
        self._kinds = [satisfied(c, base.table) for c in conditions if self._roles(c) == {"category"}]
        self._filtered = bool(conditions or near)
        self._conditions = [
            (condition, satisfied(condition, base.table), self._rarity(condition))
            for condition in conditions
            if self._tells(condition)
        ]

    def support(self, row: int) -> Support:
        """Return how much of the question the passage in `row` holds.

        A passage that does not even mention a subject the question names holds nothing of it. A question that says
        nothing beyond its filters is held by every passage that passed them and is of the kind asked for.
        """
        text = self._base.folded(row)
        named = [row in rows or fold(name) in text for name, rows in self._subjects.items()]
        if named and not any(named):
            return Support(coverage=0.0, missing=tuple(self._subjects))
        units = {term: (weight, term in text) for term, weight in self._weights.items()}
        units |= {c.surface: (weight, bool(mask[row])) for c, mask, weight in self._conditions}
        if named:
            units |= {"、".join(self._subjects): (self._most(), True)}
        total = sum(weight for weight, _ in units.values())
        held = sum(weight for weight, found in units.values() if found)
        missing = sorted(
            (unit for unit, (_, found) in units.items() if not found), key=lambda u: (-units[u][0], u)
        )
        filtered = float(self._filtered and self.kind(row) > 0)
        return Support(coverage=held / total if total else filtered, missing=tuple(missing))

    def kind(self, row: int) -> float:
        """Return 1.0 when the passage is of a kind that the question asks for (or it asks for none), else 0.0."""
        return float(all(mask[row] for mask in self._kinds))

    def aboutness(self, row: int) -> float:
        """Return the share of the question that the title, the subject and its names hold, in [0, 1].

        A passage about a named subject holds the name; a question without content of its own is held by no title.
        """
        passage = self._base.passages[row]
        head = fold(" ".join(dict.fromkeys((passage.title, *passage.names))))
        units = {term: (weight, term in head) for term, weight in self._weights.items()}
        units |= {
            c.surface: (weight, any(fold(said) in head for said in (c.surface, *c.values)))
            for c, _, weight in self._conditions
        }
        if self._subjects:
            owned = any(row in rows or fold(name) in head for name, rows in self._subjects.items())
            units |= {"、".join(self._subjects): (self._most(), owned)}
        total = sum(weight for weight, _ in units.values())
        return sum(weight for weight, found in units.values() if found) / total if total else 0.0

    def meets(self, row: int) -> bool:
        """Return whether the passage satisfies every condition that tells (a tag, a value), and there is one."""
        return bool(self._conditions) and all(bool(mask[row]) for _, mask, _ in self._conditions)

    def proximity(self, row: int) -> float:
        """Return how close together the question's terms stand in the passage, in [0, 1]; 1 is side by side."""
        text = self._base.folded(row)
        places = sorted(text.find(term) for term in self.terms if term in text)
        return min(1.0, 2.0 * len(places) / (places[-1] - places[0] + 2)) if len(places) > 1 else 0.0

    def _tells(self, condition: Condition) -> bool:
        """Return whether satisfying `condition` is evidence: a place, a kind or a limit alone never is."""
        value = condition.operator in {"equal", "contains"} and condition.strength != "filter"
        return value and not self._roles(condition) & {"city", "category"}

    def _roles(self, condition: Condition) -> set[Role | None]:
        return {self._base.table.fields[name].role for name in condition.fields}

    def _idf(self, term: str) -> float:
        count = self._base.document_frequency(term)
        size = len(self._base.passages)
        return math.log(1 + (size - count + 0.5) / (count + 0.5))

    def _most(self) -> float:
        return math.log(1 + (len(self._base.passages) + 0.5) / 0.5)

    def _rarity(self, condition: Condition) -> float:
        """Return a condition's weight: that of a term found in as many passages, and at least its strength's."""
        count = int(satisfied(condition, self._base.table).sum())
        least = 0.5 if condition.strength == "soft" else 4.0
        return max(least, math.log(1 + (len(self._base.passages) - count + 0.5) / (count + 0.5)))


def _field_words(base: KnowledgeBase) -> list[str]:
    """Return the words that only point at a field the knowledge base has (价格, 评分): they say no content."""
    roles = {field.role for field in base.table.fields.values()}
    return [
        fold(word) for role, entry in words()["roles"].items() if role in roles for word in entry["words"]
    ]


def _telling(terms: tuple[str, ...], said_more: bool) -> tuple[str, ...]:
    """Return `terms` without single Chinese characters (订, 住), unless they are all that a question says."""
    longer = tuple(term for term in terms if len(term) > 1 or not is_cjk(term))
    return longer if longer or said_more else terms


def _across_words(base: KnowledgeBase, text: str) -> set[str]:
    """Return the bigrams that join the end of one known word and the start of the next (海南东线: 南东).

    Never between two single characters: a name that the dictionary does not know falls into those, and its bigrams
    are all there is of it.
    """
    words = base.segmenter.words(text)
    pairs = ((left, right) for left, right in pairwise(words) if len(left) > 1 or len(right) > 1)
    joined = {left[-1] + right[0] for left, right in pairs if is_cjk(left) and is_cjk(right)}
    return {term for term in joined if not any(term in word for word in words)}


def supported(supports: Mapping[Key, Support], *, least: float = COVERAGE) -> list[Key]:
    """Return the keys of the passages that the evidence rule keeps, in the given order.

    A passage is kept when it holds at least `least` of the question and at least 60 % of what the best one holds.
    """
    best = max((support.coverage for support in supports.values()), default=0.0)
    return [name for name, support in supports.items() if support.coverage >= max(least, 0.6 * best)]
