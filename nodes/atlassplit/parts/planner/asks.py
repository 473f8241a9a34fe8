"""What the phrases of a request ask for, before they are put together into operations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
    JoinAsk,
    PivotAsk,
    RoundAsk,
    SplitAsk,
)

MarkKind = Literal[
    "verb", "list", "sum_verb", "count_verb", "keep", "noun", "what", "also", "whole", "group_word"
]


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A word that says what kind of clause this is, or joins two of them."""

    kind: MarkKind
    text: str


Ask = (
    MeasuresAsk
    | GroupAsk
    | ConditionAsk
    | HavingAsk
    | SortAsk
    | TopAsk
    | RankAsk
    | RelationBoundAsk
    | GrowthAsk
    | ShareAsk
    | PivotAsk
    | AxisAsk
    | SplitAsk
    | DedupeAsk
    | DistinctAsk
    | FieldsAsk
    | CleanAsk
    | DeriveAsk
    | JoinAsk
    | ChartAsk
    | RoundAsk
    | Mark
)
