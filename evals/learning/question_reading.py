"""What MindTrip makes of a question today: its conditions, exclusions and sides, and the passages that support it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mindatlas.graphs.mindtrip import MindTripSettings, build_mindtrip, open_parts
from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.entities import Mention
from mindatlas.nodes.mindtrip.parts.evidence import COVERAGE
from mindatlas.nodes.mindtrip.parts.fields import Role
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.text import fold

_TOWN: Role = "city"
_KIND: Role = "category"
_KEYS = ("exclude_entities", "conditions", "named", "passages", "ranking", "stop_reason")


@dataclass(frozen=True, kw_only=True)
class QuestionReading:
    """A question as the knowledge base reads it.

    Attributes:
        excluded: the names it leaves out.
        conditions: what it asks of the fields.
        named: the subjects it names.
        towns: the values of a city field that it names, folded.
        requirements: the words of what it asks beside town and kind of place; words that touch are one.
        supported: ids of the passages that support an answer, best first, at most ten.
        answered: whether MindTrip answers it today.
    """

    question: str
    excluded: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    named: tuple[str, ...] = ()
    towns: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    supported: tuple[str, ...] = ()
    answered: bool = False


class QuestionReader:
    """Reads questions with the builtin retrieval of MindTrip over one knowledge base.

    Args:
        kb: name or folder of the knowledge base.
    """

    def __init__(self, kb: str) -> None:
        self._settings = MindTripSettings(kb=kb)
        self._parts = open_parts(self._settings)
        self._graph = build_mindtrip(self._parts).compile()

    @property
    def base(self) -> KnowledgeBase:
        """The knowledge base."""
        return self._parts.knowledge_base()

    def read(self, question: str) -> QuestionReading:
        """Return how the graph reads `question`, and what supports an answer."""
        inputs: Any = {"question": question}
        state = self._graph.invoke(inputs, context=self._settings, output_keys=list(_KEYS))
        conditions = tuple(Condition.from_dict(data) for data in state.get("conditions", ()))
        return QuestionReading(
            question=question,
            excluded=tuple(state.get("exclude_entities", ())),
            conditions=conditions,
            named=tuple(state.get("named", ())),
            towns=self._towns(conditions),
            requirements=self._requirements(question, conditions),
            supported=_supported(state),
            answered=state["stop_reason"] in {"answered", "answered_extractively"},
        )

    def light_read(self, question: str) -> QuestionReading:
        """Return how `question` reads, without looking for what supports it."""
        parts, base = self._parts, self.base
        exclusion = parts.negation.read(question, base.entities)
        reading = base.constraint_reader.read(exclusion.rewritten_query)
        return QuestionReading(
            question=question,
            excluded=exclusion.exclude_entities,
            conditions=reading.conditions,
            named=reading.named,
            towns=self._towns(reading.conditions),
            requirements=self._requirements(question, reading.conditions),
        )

    def _towns(self, conditions: Sequence[Condition]) -> tuple[str, ...]:
        cities = {field.name for field in self.base.table.with_role(_TOWN)}
        named = [c for c in conditions if set(c.fields) <= cities and c.operator == "equal"]
        return tuple(dict.fromkeys(town for condition in named for town in condition.values))

    def _requirements(self, question: str, conditions: Sequence[Condition]) -> tuple[str, ...]:
        surfaces = {c.surface for c in conditions if c.surface and self.is_requirement(c)}
        spans = sorted((question.find(surface), len(surface)) for surface in surfaces if surface in question)
        ends: list[tuple[int, int]] = []
        for start, length in spans:
            if ends and start <= ends[-1][1]:
                ends[-1] = (ends[-1][0], max(ends[-1][1], start + length))
            else:
                ends.append((start, start + length))
        return tuple(question[start:end] for start, end in ends)

    def is_requirement(self, condition: Condition) -> bool:
        """Return whether a condition asks for more than a town or a kind of place."""
        places = {field.name for role in (_TOWN, _KIND) for field in self.base.table.with_role(role)}
        return not set(condition.fields) <= places

    def mentions(self, text: str) -> list[Mention]:
        """Return the names of the knowledge base in `text`, towns and kinds included."""
        return self.base.entities.find(text)

    def is_town(self, name: str) -> bool:
        """Return whether `name` is a value of a city field."""
        fields = self.base.table.with_role(_TOWN)
        return any(fold(name) in self.base.table.values(field.name) for field in fields)

    def entity_of(self, passage_id: str) -> str | None:
        """Return the subject of a passage, or None where the knowledge base has none of that id."""
        row = self.base.rows.get(passage_id)
        return None if row is None else self.base.passages[row].entity


def _supported(state: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the passages used today, then the candidates that the evidence rule keeps."""
    used = [passage["id"] for passage in state.get("passages", ())]
    ranking: Sequence[Mapping[str, Any]] = state.get("ranking", ()) if used else ()
    best = max((entry["coverage"] for entry in ranking), default=0.0)
    kept = [entry["id"] for entry in ranking if entry["coverage"] >= max(COVERAGE, 0.6 * best)]
    return tuple(dict.fromkeys((*used, *kept)))
