"""One clause as the phrases in it, before it becomes operations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from mindatlas.nodes.atlassplit.parts.planner.asks import Ask, Mark
from mindatlas.nodes.atlassplit.parts.planner.asks_figures import (
    ConditionAsk,
    GroupAsk,
    GrowthAsk,
    HavingAsk,
    MeasuresAsk,
    RankAsk,
    RelationBoundAsk,
    ShareAsk,
    SortAsk,
    TopAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import (
    AxisAsk,
    ChartAsk,
    CleanAsk,
    DedupeAsk,
    DeriveAsk,
    DistinctAsk,
    FieldsAsk,
    PivotAsk,
    RoundAsk,
    SplitAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft

_LETTERS: dict[type, str] = {
    ConditionAsk: "C",
    HavingAsk: "H",
    GroupAsk: "G",
    MeasuresAsk: "M",
    FieldsAsk: "F",
    TopAsk: "T",
    RankAsk: "R",
    SortAsk: "S",
    GrowthAsk: "W",
    ShareAsk: "P",
    RelationBoundAsk: "B",
    PivotAsk: "V",
    AxisAsk: "X",
    SplitAsk: "L",
    DedupeAsk: "D",
    DistinctAsk: "U",
    CleanAsk: "N",
    DeriveAsk: "E",
    ChartAsk: "K",
    RoundAsk: "O",
}
_MARK_LETTERS = {
    "verb": "v",
    "list": "l",
    "sum_verb": "s",
    "count_verb": "c",
    "keep": "k",
    "noun": "n",
    "what": "w",
    "whole": "a",
    "group_word": "g",
    "also": "&",
}
_One = TypeVar("_One", bound=Ask)


@dataclass(frozen=True, kw_only=True)
class Clause:
    """The phrases of one clause; `text` is as written."""

    asks: Sequence[Ask]
    text: str

    @property
    def letters(self) -> str:
        """One letter a phrase, small ones for mere words; the shapes of clauses are written in them."""
        return "".join(map(_letter, self.asks))

    def all(self, kind: type[_One]) -> list[_One]:
        """Return the phrases of a kind."""
        return [ask for ask in self.asks if isinstance(ask, kind)]

    def one(self, draft: Draft, kind: type[_One]) -> _One | None:
        """Return the only phrase of a kind, None when there is none; more than one is refused."""
        found = self.all(kind)
        if len(found) > 1:
            draft.refuse("ambiguous", "together_or_each", self.text)
        return found[0] if found else None


def _letter(ask: Ask) -> str:
    return _MARK_LETTERS[ask.kind] if isinstance(ask, Mark) else _LETTERS[type(ask)]
