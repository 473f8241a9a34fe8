"""Which questions ask the same: what rules read from them is equal, and the rest of the words is alike enough.

Similarity alone takes 三亚哪里看日落 and 万宁哪里看日落 for the same question; so the names that the knowledge base knows,
numbers with their units, exclusions, conditions (日落 and 日出 are tags) and what is asked for (a price, a way, a time)
must be equal, and only then the words that are left are compared. A miss costs a reviewer one more draft, a wrong
merge loses a failure: the threshold leans to the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from mindatlas.evals.learning.question_kinds import asked_for
from mindatlas.evals.learning.question_reading import QuestionReader
from mindatlas.nodes.mindtrip.parts.content_terms import content_terms
from mindatlas.nodes.mindtrip.parts.entities import Mention
from mindatlas.nodes.numbers import NUMBER, parse_number
from mindatlas.nodes.text import fold

ALIKE = (
    0.65  # Dice of bigrams; measured on evals/cases/learning/near_duplicates.jsonl, see design/learning.md
)
_COUNTED = re.compile(rf"({NUMBER})\s*([天日晚元岁月号点人]|小时|公里|days?|nights?|hours?|yuan)", re.I)
_GAP = "，"


@dataclass(frozen=True, kw_only=True)
class Wording:
    """A question as it is compared.

    Attributes:
        read: what rules read from it: names, exclusions, numbers, conditions, and what is asked for.
        grams: the bigrams of the words that are left, filler taken out.
    """

    read: frozenset[str]
    grams: frozenset[str]


def wording_of(question: str, reader: QuestionReader | None) -> Wording:
    """Return how `question` is compared; without a reader no name and no condition is known."""
    mentions = reader.mentions(question) if reader else []
    chars = list(question)
    for mention in mentions:
        chars[mention.start : mention.end] = _GAP * (mention.end - mention.start)
    rest = fold("".join(chars))
    read = {f"asks {word}" for word in asked_for(fold(question))}
    read |= {f"{parse_number(match[1])} {match[2]}" for match in _COUNTED.finditer(rest)}
    read |= {name for mention in mentions for name in _names(mention, reader)}
    read |= _conditions(question, reader) if reader else set()
    grams = content_terms(_COUNTED.sub(_GAP, rest))
    return Wording(read=frozenset(read), grams=frozenset(gram for gram in grams if len(gram) > 1))


def _names(mention: Mention, reader: QuestionReader | None) -> tuple[str, ...]:
    """Return the entity of a mention; both where it is written as two names: 三亚台风 is 三亚 and 台风."""
    if reader is None:
        return (mention.entity,)
    for end in range(1, len(mention.surface)):
        left, right = (
            reader.base.entities.resolve(part) for part in (mention.surface[:end], mention.surface[end:])
        )
        if left and right:
            return left, right
    return (mention.entity,)


def _conditions(question: str, reader: QuestionReader) -> set[str]:
    """Return the exclusions of a question and the conditions beside town and kind of place, by value, not by word."""
    reading = reader.light_read(question)
    asked = (c for c in reading.conditions if reader.is_requirement(c))
    values = {f"{c.operator} {' '.join(c.values)} {c.low} {c.high}" for c in asked}
    return values | {f"-{fold(name)}" for name in reading.excluded}


def similarity(one: Wording, other: Wording) -> float:
    """Return the Dice coefficient of the bigrams of two questions, in [0, 1]; 0 where rules read them differently.

    Where nothing is left to compare in either, they are the same: 1.
    """
    if one.read != other.read:
        return 0.0
    if not one.grams and not other.grams:
        return 1.0
    return 2 * len(one.grams & other.grams) / (len(one.grams) + len(other.grams))


def most_alike(asked: Wording, known: Iterable[tuple[str, Wording]]) -> str | None:
    """Return the id of the known question most like `asked`, None where none reaches `ALIKE`; ties go to the lower id."""
    scored = ((similarity(asked, wording), name) for name, wording in known)
    best, name = min(((-score, name) for score, name in scored), default=(0.0, ""))
    return name if -best >= ALIKE else None
