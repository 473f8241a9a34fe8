"""Puts what the phrases of a clause ask for together into operations of the plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from mindatlas.nodes.atlassplit.parts.planner import reshaping
from mindatlas.nodes.atlassplit.parts.planner.asks import Ask, Mark
from mindatlas.nodes.atlassplit.parts.planner.asks_figures import (
    ConditionAsk,
    GroupAsk,
    HavingAsk,
    MeasuresAsk,
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
    RoundAsk,
    SplitAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.clause import Clause
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field, is_unique
from mindatlas.nodes.atlassplit.parts.planner.figure_clauses import add_figures, is_figure_clause
from mindatlas.nodes.atlassplit.parts.planner.filtering import filter_groups, filter_rows
from mindatlas.nodes.atlassplit.parts.planner.groupings import key_of_field
from mindatlas.nodes.atlassplit.parts.planner.ranking import sort
from mindatlas.nodes.atlassplit.parts.planner.request_words import request_words
from mindatlas.nodes.atlassplit.parts.planner.results import aggregate, round_figures
from mindatlas.nodes.text import fold


def assemble(draft: Draft, asks: Iterable[Ask], text: str) -> None:
    """Add the operations that the phrases of a clause ask for; 并, 和 and the like may join two clauses in one.

    Raises:
        Refused: They make no sense together, or more than one.
    """
    asks = list(asks)
    _check_ends(draft, [ask for ask in asks if isinstance(ask, TopAsk)])
    part: list[Ask] = []
    joined = False
    for ask in asks:
        if isinstance(ask, Mark) and ask.kind == "also":
            _assemble_part(draft, Clause(asks=part, text=text), joined=joined)
            part, joined = [], "join" in request_words().classes[fold(ask.text)]
        else:
            part.append(ask)
    _assemble_part(draft, Clause(asks=part, text=text), joined=joined)


def _check_ends(draft: Draft, tops: list[TopAsk]) -> None:
    """Refuse the first and the last few at once."""
    if len({top.ascending for top in tops}) > 1:
        draft.refuse("contradictory", "both_ends", "、".join(top.text for top in tops))


def _assemble_part(draft: Draft, clause: Clause, *, joined: bool) -> None:
    letters = clause.letters
    figures = [one for ask in clause.all(MeasuresAsk) for one in ask.measures]
    if joined and letters == "M" and all(one.function is None for one in figures):
        draft.refuse(
            "ambiguous", "which_function", figures[0].text
        )  # 前5的会员和金额: a column, or its total?
    for shape, build in _SHAPES:
        if shape.fullmatch(letters):
            build(draft, clause)
            return
    if not is_figure_clause(letters):
        draft.refuse("outside", "not_understood", clause.text)
    add_figures(draft, clause)


def _idle(draft: Draft, clause: Clause) -> None:
    del draft, clause


def _filter(draft: Draft, clause: Clause) -> None:
    """Keep rows, and of their columns those that are named; sort them."""
    filter_rows(draft, clause.all(ConditionAsk))
    draft.filtered_apart = True
    if set("FM") & set(clause.letters):
        _select(draft, clause)
    if order := clause.one(draft, SortAsk):
        sort(draft, order)


def _select(draft: Draft, clause: Clause) -> None:
    fields: list[Field] = []
    as_columns = False
    for ask in clause.asks:
        if isinstance(ask, FieldsAsk):
            fields += ask.fields
            as_columns = as_columns or ask.as_columns
        elif isinstance(ask, MeasuresAsk):
            bare = [measure.field for measure in ask.measures if measure.function is None and measure.field]
            if len(bare) < len(ask.measures):
                draft.refuse("ambiguous", "which_group", clause.text)
            fields += bare
    keys = [item for item in draft.fields if item.role == "key"]
    if draft.stage == "groups" and fields == keys and len(keys) == 1:
        return  # the groups themselves
    if len(fields) == 1 and not as_columns and is_unique(fields[0], draft.table.rows):
        return  # the rows themselves are meant by what names them
    if len(fields) < 2 and not as_columns:
        draft.refuse("ambiguous", "which_figure", clause.text)
    reshaping.select(draft, fields, clause.text)


def _having(draft: Draft, clause: Clause) -> None:
    """Keep groups by a figure; rows are grouped first by the column named behind it (总额大于1000的门店)."""
    having = clause.all(HavingAsk)[0]
    named = clause.one(draft, FieldsAsk)
    if draft.stage == "rows":
        keys = list(draft.keys)
        if named is not None:
            if len(named.fields) != 1 or keys:
                draft.refuse("ambiguous", "which_group", clause.text)
            keys = [key_of_field(draft, named.fields[0], named.text)]
        if not keys or having.measure is None:
            draft.refuse("ambiguous", "which_group", clause.text)
        draft.keys = ()
        aggregate(draft, keys, [having.measure])
    elif named is not None and any(item.role != "key" for item in named.fields):
        draft.refuse("ambiguous", "which_group", clause.text)
    filter_groups(draft, having)


def _named_groups(draft: Draft, clause: Clause) -> None:
    """Note groups for the next clause (按门店分组，…)."""
    draft.keys = (*draft.keys, *(key for ask in clause.all(GroupAsk) for key in ask.keys))
    if draft.stage != "rows":
        draft.refuse("outside", "after_result", clause.text)


def _sort(draft: Draft, clause: Clause) -> None:
    sort(draft, clause.all(SortAsk)[0])
    for chart in clause.all(ChartAsk):
        draft.chart_kind = chart.kind


def _axes(draft: Draft, clause: Clause) -> None:
    filter_rows(draft, clause.all(ConditionAsk))
    draft.pivot.wanted = True
    for ask in clause.all(AxisAsk):
        reshaping.put_on_axis(draft, ask)
    measures = clause.one(draft, MeasuresAsk)
    if measures is not None:
        if len(measures.measures) != 1:
            draft.refuse("ambiguous", "which_figure", clause.text)
        value = AxisAsk(axis="values", key=None, measure=measures.measures[0])
        reshaping.put_on_axis(draft, value)


def _dedupe(draft: Draft, clause: Clause) -> None:
    reshaping.deduplicate(draft, clause.all(DedupeAsk)[0])


def _distinct(draft: Draft, clause: Clause) -> None:
    filter_rows(draft, clause.all(ConditionAsk))
    reshaping.list_distinct(draft, clause.all(DistinctAsk)[0])


def _clean(draft: Draft, clause: Clause) -> None:
    for ask in clause.all(CleanAsk):
        reshaping.clean(draft, ask)


def _split(draft: Draft, clause: Clause) -> None:
    filter_rows(draft, clause.all(ConditionAsk))
    reshaping.split(draft, clause.all(SplitAsk)[0])


def _derive(draft: Draft, clause: Clause) -> None:
    reshaping.derive(draft, clause.all(DeriveAsk)[0])


def _chart(draft: Draft, clause: Clause) -> None:
    draft.chart_kind = clause.all(ChartAsk)[0].kind


def _round(draft: Draft, clause: Clause) -> None:
    if draft.stage == "tables":
        draft.refuse("outside", "after_result", clause.text)
    round_figures(draft, clause.all(RoundAsk)[0], clause.text)


# What one clause may ask for besides figures, in the letters of `Clause.letters`.
_SHAPES: tuple[tuple[re.Pattern[str], Callable[[Draft, Clause], None]], ...] = (
    (re.compile(r"[vn]*"), _idle),
    (re.compile(r"[vk]*E"), _derive),
    (re.compile(r"[vkan]*Dn*"), _dedupe),
    (re.compile(r"[vlkaCn]*U"), _distinct),
    (re.compile(r"v*N+"), _clean),
    (re.compile(r"[vkanC]*Ln*"), _split),
    (re.compile(r"[vlkan]*(?:C[vlkan]*)+F?S?"), _filter),
    (re.compile(r"[vlkan]*[lk][vlkan]*(?:C[vlkan]*)+[FM]*[FM]S?"), _filter),
    (re.compile(r"[vlk]*[lk][vlk]*[FM]+(?:n*C[vlkan]*)+S?"), _filter),
    (re.compile(r"[vlk]*[lk][vlk]*[FM]+"), _select),
    (re.compile(r"[vlkan]*(?:F?H|HF)n?"), _having),
    (re.compile(r"[vn]*G[vgn]*"), _named_groups),
    (re.compile(r"[vkan]*S[nK]*"), _sort),
    (re.compile(r"[vkanC]*V?[M]?V?[vn]*X[vnsX]*(?:V?M?|M?V?)"), _axes),
    (re.compile(r"[vn]*K"), _chart),
    (re.compile(r"[vn]*O"), _round),
)
