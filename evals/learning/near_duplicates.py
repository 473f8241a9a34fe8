"""Which questions ask the same: equal names, numbers and exclusions, and words that are alike enough.

Similarity alone takes 三亚哪里看日落 and 万宁哪里看日落 for the same question; so what the knowledge base knows by name,
each number with its unit, and what is excluded must be equal, and only then the rest of the words is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from mindatlas.evals.learning.question_reading import QuestionReader
from mindatlas.nodes.mindtrip.parts.content_terms import content_terms
from mindatlas.nodes.numbers import NUMBER, parse_number
from mindatlas.nodes.text import char_ngrams, fold

ALIKE = 0.5  # Dice of character bigrams; chosen on evals/cases/learning/near_duplicates.jsonl, see design/learning.md
_COUNTED = re.compile(rf"({NUMBER})\s*([天日晚元岁月号点人]|小时|公里|days?|nights?|hours?|yuan)", re.I)
_FREE_GAP = "，"


@dataclass(frozen=True, kw_only=True)
class Wording:
    """A question as it is compared.

    Attributes:
        names: the entities it names, and what it excludes marked by a minus.
        numbers: each number with its unit.
        rest: the question, folded, without the names.
    """

    names: frozenset[str]
    numbers: frozenset[str]
    rest: str

    @cached_property
    def grams(self) -> frozenset[str]:
        """What is compared: the words without filler, or all bigrams where nothing but filler is left."""
        return frozenset(content_terms(self.rest) or char_ngrams(self.rest, (2,)))


def wording_of(question: str, reader: QuestionReader | None) -> Wording:
    """Return how `question` is compared; without a reader no name is known."""
    mentions = reader.mentions(question) if reader else []
    excluded = {fold(name) for name in reader.light_read(question).excluded} if reader else set()
    chars = list(question)
    for mention in mentions:
        chars[mention.start : mention.end] = _FREE_GAP * (mention.end - mention.start)
    names = {mention.entity for mention in mentions} | {f"-{name}" for name in excluded}
    rest = fold("".join(chars))
    numbers = {f"{parse_number(m[1])} {m[2]}" for m in _COUNTED.finditer(rest)}
    return Wording(names=frozenset(names), numbers=frozenset(numbers), rest=rest)


def similarity(one: Wording, other: Wording) -> float:
    """Return the Dice coefficient of the bigrams of two questions, in [0, 1]; 0 where names or numbers differ.

    Two questions that are nothing but equal names are the same: 1.
    """
    if one.names != other.names or one.numbers != other.numbers:
        return 0.0
    if not one.grams and not other.grams:
        return 1.0
    return 2 * len(one.grams & other.grams) / (len(one.grams) + len(other.grams))


def most_alike(asked: Wording, known: Iterable[tuple[str, Wording]]) -> str | None:
    """Return the id of the known question most like `asked`, None where none reaches `ALIKE`; ties go to the lower id."""
    scored = ((similarity(asked, wording), name) for name, wording in known)
    best, name = min(((-score, name) for score, name in scored), default=(0.0, ""))
    return name if -best >= ALIKE else None
