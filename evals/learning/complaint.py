"""What a bad answer leaves to judge it by: what was stored, and what the knowledge base makes of the question today."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from mindatlas.evals.learning.feedback import Feedback
from mindatlas.evals.learning.question_reading import QuestionReader, QuestionReading
from mindatlas.evals.measures.mindtrip_claims import claims_of

_REFUSALS = {"nothing_supported", "exclusion_left_nothing", "refused"}
_REFUSAL_TEXT = re.compile(
    r"没有能支持|没有(?:找到|相关)|无法(?:回答|提供|完成)|不能回答|资料里没有|抱歉|对不起|"
    r"nothing .*supports|can(?:no|')t (?:answer|help|find)|unable to|no (?:relevant )?information|\bsorry\b",
    re.I,
)
_DENIED = re.compile(
    r"(?:不是|不要|不想|不该|别|没问|而非|并非|又(?:推荐|说)?了?|还推荐了?|还说了?|\bnot\b|instead of)[^，。；,.;]{0,4}$",
    re.I,
)
_NUMBER = re.compile(r"(?<![A-Za-z\d.])\d+(?:,\d{3})*(?:\.\d+)?")


@dataclass(frozen=True, kw_only=True)
class Complaint:
    """One bad answer, ready to be judged.

    Attributes:
        reading: the question as MindTrip reads it today; None for the other graphs.
        used: ids of the passages that the answer rested on.
        used_entities: their subjects, in order.
        asked_for: subjects that the comment asks for.
        denied: subjects that the comment complains about.
    """

    feedback: Feedback
    reading: QuestionReading | None = None
    used: tuple[str, ...] = ()
    used_entities: tuple[str, ...] = ()
    asked_for: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether the answer was a refusal: by its stop reason, else by its words where nothing was used."""
        by_words = (
            not self.used and not self.feedback.tool_rows and _REFUSAL_TEXT.search(self.feedback.answer)
        )
        return self.feedback.stop_reason in _REFUSALS or bool(by_words)

    def unfounded_numbers(self) -> list[str]:
        """Return the numbers of the answer that stand in no passage, row or the question; none where none was stored."""
        sources = [*self.feedback.passages, *self.feedback.tool_rows]
        if not sources:
            return []
        known = _values(" ".join((self.feedback.question, json.dumps(sources, ensure_ascii=False))))
        claims = " ".join(claim.text for claim in claims_of(self.feedback.answer))
        return [text for text in dict.fromkeys(_NUMBER.findall(claims)) if _value(text) not in known]


def complaint_of(feedback: Feedback, reader: QuestionReader | None) -> Complaint:
    """Return the complaint that `feedback` makes; the comment's names count only with a reader."""
    used = [_passage(entry, reader) for entry in feedback.passages]
    told = _told_names(feedback.comment, reader) if reader else ((), ())
    return Complaint(
        feedback=feedback,
        reading=reader.read(feedback.question) if reader else None,
        used=tuple(name for name, _ in used if name),
        used_entities=tuple(dict.fromkeys(entity for _, entity in used if entity)),
        asked_for=told[0],
        denied=told[1],
    )


def _passage(entry: Any, reader: QuestionReader | None) -> tuple[str, str]:
    """Return id and subject of a stored passage, "" where it does not say."""
    if not isinstance(entry, dict):
        return ("", "")
    name = str(entry.get("id") or "")
    return name, str(entry.get("entity") or (reader and reader.entity_of(name)) or entry.get("title") or "")


def _told_names(comment: str, reader: QuestionReader) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the subjects that a comment asks for, and those it complains about; towns are no subjects."""
    asked: dict[str, None] = {}
    denied: dict[str, None] = {}
    for mention in reader.mentions(comment):
        if not reader.is_town(mention.entity):
            side = denied if _DENIED.search(comment[: mention.start]) else asked
            side[mention.entity] = None
    return tuple(name for name in asked if name not in denied), tuple(denied)


def _values(text: str) -> set[float]:
    return {_value(found) for found in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text)}


def _value(text: str) -> float:
    return float(text.replace(",", ""))
