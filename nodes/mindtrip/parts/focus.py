"""What a passage is about, and the rule that keeps passages that merely mention what was asked out of an answer.

Travel notes name their neighbours: a passage about a beach says that another lies north of it, a piece of advice lists
ten places. Coverage alone cannot tell them from the passage about the thing itself; its subject, its title and its
kind can. Each rule only narrows: where it would leave nothing, it is passed over, except that nothing in the asked
town is an answer to "where" too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from mindatlas.nodes.mindtrip.parts.conditions import Condition, satisfied
from mindatlas.nodes.mindtrip.parts.evidence import EvidenceScorer
from mindatlas.nodes.mindtrip.parts.fields import words
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.text import fold

ABOUT = 0.5  # least share of the question that a title holds for its passage to be about the question
CLOSE = 0.75  # titles that hold this share of what the best one holds are about the same


class Focus:
    """Narrows supported passages to those about what was asked.

    Args:
        base: the knowledge base.
        scorer: the evidence for the question.
        conditions: what was read from the question.
        named: the subjects it names.
    """

    def __init__(
        self,
        base: KnowledgeBase,
        scorer: EvidenceScorer,
        *,
        conditions: Sequence[Condition] = (),
        named: Sequence[str] = (),
    ) -> None:
        self._base = base
        self._scorer = scorer
        self._own = {row for name in named for row in base.rows_named(name)}
        self._places = [c for c in conditions if c.strength == "hard" and self._role(c) == "city"]
        self._masks = [satisfied(c, base.table) for c in conditions if self._role(c) != "category"]
        self._asked_kinds = {value for c in conditions if self._role(c) == "category" for value in c.values}

    def of_options(self, rows: Sequence[int]) -> list[int]:
        """Return the rows of `rows` that a question for things to choose from may use, in order.

        Those in the asked town, of the asked kind; advice and the town itself only where its title asks the same.
        None at all when no passage about the town holds an answer: advice for everywhere says nothing of a town.
        """
        local = [row for row in rows if self._in_place(row)] if self._places else list(rows)
        things = [row for row in local if not self._is_advice(row)]
        if not things:
            return [row for row in local if self._scorer.aboutness(row) >= ABOUT]
        things = self._some(things, lambda row: any(map(self._scorer.kind, self._same_subject(row))))
        things = self._some(things, lambda row: not self._is_closed(row))
        return self._some(things, self._meets_all)

    def of_facts(self, rows: Sequence[int]) -> list[int]:
        """Return the rows of `rows` that a question for a fact may use, in order.

        With a named subject its own passages, and others only where their title holds more of the question. Without
        one, those in the asked town, and of these the ones whose title is about the question, where some are.
        """
        if own := [row for row in rows if row in self._own]:
            best = max(map(self._scorer.aboutness, own))
            return [row for row in rows if row in self._own or self._scorer.aboutness(row) > best]
        local = self._some(rows, self._in_place) if self._places else list(rows)
        best = max(map(self._scorer.aboutness, local), default=0.0)
        if best < ABOUT:
            return local
        return [row for row in local if self._scorer.aboutness(row) >= CLOSE * best]

    def by_side(self, rows: Sequence[int], supported: Sequence[int]) -> list[int]:
        """Return one row for each side of a comparison of towns, in the order they are named.

        Of the supported rows of a side the one whose title holds most of the question, the first of equals; a side
        without any is told by the town's own passage.
        """
        picked = []
        for side in self.sides:
            town = self._base.rows_named(side)
            local = [row for row in supported if row in town or fold(side) in self._base.stated(row, "city")]
            own = [row for row in rows if row in town]
            picked += sorted(local, key=lambda row: -self._scorer.aboutness(row))[:1] or own[:1]
        return list(dict.fromkeys(picked))

    @property
    def sides(self) -> tuple[str, ...]:
        """The towns that the question names."""
        return tuple(value for condition in self._places for value in condition.values)

    def _in_place(self, row: int) -> bool:
        return all(bool(satisfied(condition, self._base.table)[row]) for condition in self._places)

    def _meets_all(self, row: int) -> bool:
        """Return whether a row satisfies every condition but the kind, which its subject may state elsewhere."""
        return all(bool(mask[row]) for mask in self._masks)

    def _is_closed(self, row: int) -> bool:
        return bool(re.search(words()["closed"], self._base.passages[row].text, re.I))

    def _is_advice(self, row: int) -> bool:
        """Return whether a row's subject is a piece of advice, a way to get there or a town, and was not asked for."""
        advice = {fold(word) for word in words()["advice_categories"]} - self._asked_kinds
        kinds = {kind for other in self._same_subject(row) for kind in self._base.stated(other, "category")}
        return bool(kinds) and kinds <= advice

    def _same_subject(self, row: int) -> list[int]:
        return self._base.rows_named(self._base.passages[row].entity) or [row]

    def _role(self, condition: Condition) -> str | None:
        roles = {self._base.table.fields[name].role for name in condition.fields}
        return roles.pop() if len(roles) == 1 else None

    @staticmethod
    def _some(rows: Iterable[int], keep: Callable[[int], bool]) -> list[int]:
        """Return the rows that `keep` keeps, or all of them when it keeps none."""
        rows = list(rows)
        return [row for row in rows if keep(row)] or rows
