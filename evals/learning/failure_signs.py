"""What the stored answer and the knowledge base show of a failure: each sign is a sentence, or "" where it is absent."""

from __future__ import annotations

from dataclasses import dataclass

from mindatlas.evals.learning.complaint import Complaint
from mindatlas.evals.learning.question_kinds import TIME_LIMIT, question_kind
from mindatlas.evals.learning.question_reading import QuestionReader, QuestionReading
from mindatlas.nodes.mindtrip.parts.answers import names_whole
from mindatlas.nodes.mindtrip.parts.conditions import satisfied
from mindatlas.nodes.text import fold


@dataclass(frozen=True, kw_only=True)
class Signs:
    """The signs in one complaint about an answer of MindTrip."""

    complaint: Complaint
    reading: QuestionReading
    reader: QuestionReader

    def refused_wrongly(self) -> str:
        """Say that an answer was refused which the knowledge base supports, or whose subject it knows."""
        if not self.complaint.refused:
            return ""
        if self.reading.answered:
            return "It was refused, and the knowledge base supports an answer"
        named = next(iter(self.complaint.asked_for), None)
        return f"It was refused, and the knowledge base knows {named!r}" if named else ""

    def nothing_known(self) -> str:
        """Say that the knowledge base has no answer either: what is missing is material."""
        return "The knowledge base supports no answer, then or now" if self.complaint.refused else ""

    def exclusion_ignored(self) -> str:
        """Say which excluded name the answer, or a passage it used, is about."""
        entities = self.reader.base.entities
        for name in self.reading.excluded:
            subject = entities.resolve(name) or name
            if subject in self.complaint.used_entities or names_whole(name, self._claims(), entities):
                return f"{name!r} was excluded, and the answer brings it"
        return ""

    def _claims(self) -> str:
        """Return the answer without the notes in brackets that repeat what was left out."""
        lines = self.complaint.feedback.answer.splitlines()
        return "\n".join(line for line in lines if not line.strip().startswith(("（", "(")))

    def side_missing(self) -> str:
        """Say which side of a comparison no used passage is about."""
        if not self.complaint.used or question_kind(self.reading) not in {
            "comparison",
            "cross_city_comparison",
        }:
            return ""
        sides = self.reading.towns if len(self.reading.towns) > 1 else self.reading.named
        absent = [side for side in sides if not self._covers(side)]
        return (
            f"The question compares {'、'.join(sides)}, and no used passage is about {absent[0]!r}"
            if absent
            else ""
        )

    def _covers(self, name: str) -> bool:
        """Return whether some used passage is about the town or subject `name`."""
        base = self.reader.base
        return any(
            base.passages[row].entity == name or name in base.stated(row, "city") for row in self._rows()
        )

    def _rows(self) -> list[int]:
        return [self.reader.base.rows[name] for name in self.complaint.used if name in self.reader.base.rows]

    def constraint_unmet(self) -> str:
        """Say which of several conditions no used passage meets."""
        rows = self._rows()
        if question_kind(self.reading) != "several_constraints" or not rows:
            return ""
        for condition in self.reading.conditions:
            if not satisfied(condition, self.reader.base.table)[rows].any():
                return f"No used passage meets {condition.surface!r}, one of {len(self.reading.conditions)} conditions"
        return ""

    def time_unanswered(self) -> str:
        """Say which limit of time the answer does not speak of."""
        asked = TIME_LIMIT.search(self.complaint.feedback.question)
        if not asked or fold(asked[0]) in fold(self.complaint.feedback.answer):
            return ""
        return f"The question is limited to {asked[0]!r}, and the answer does not speak of it"

    def entity_unexpected(self) -> str:
        """Say which subject was used that nothing in the question calls for."""
        expected = {self.reader.entity_of(name) for name in self.reading.supported} | set(
            self.complaint.asked_for
        )
        strange = [name for name in self.complaint.used_entities if name not in expected] if expected else []
        return (
            f"A passage about {strange[0]!r} was used, which the question does not call for"
            if strange
            else ""
        )

    def context_missing(self) -> str:
        """Say which subject the user misses, or which passage would have supported an answer that used none."""
        absent = [name for name in self.complaint.asked_for if name not in self.complaint.used_entities]
        if absent:
            return f"The user misses {absent[0]!r}"
        unused = self.reading.supported if not self.complaint.used else ()
        return f"{unused[0]!r} supports an answer, and was not used" if unused else ""
