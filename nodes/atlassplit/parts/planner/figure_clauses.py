"""Adds a clause that asks for figures to the plan: totals by groups, rankings, shares, growth, cross tables."""

from __future__ import annotations

import re

from mindatlas.nodes.atlassplit.parts.planner.asks import (
    ChartAsk,
    ConditionAsk,
    GroupAsk,
    GrowthAsk,
    HavingAsk,
    MeasureAsk,
    MeasuresAsk,
    RankAsk,
    RoundAsk,
    ShareAsk,
    SortAsk,
    TopAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.clause import Clause
from mindatlas.nodes.atlassplit.parts.planner.counts import rows_measure
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.filtering import check_together, filter_groups, filter_rows
from mindatlas.nodes.atlassplit.parts.planner.plan import Key, Round
from mindatlas.nodes.atlassplit.parts.planner.ranking import rank, sort
from mindatlas.nodes.atlassplit.parts.planner.relating import filters_for_growth, grow, keep_time, share
from mindatlas.nodes.atlassplit.parts.planner.reshaping import pivot
from mindatlas.nodes.atlassplit.parts.planner.results import aggregate, extend, figure

_LETTERS = re.compile(r"[vlkanwgscCGMTRSWPVKOH]*")
# A second list of figures, or one behind its ranking, or records behind figures without a condition between
# them, would be about something else than the first.
_UNCLEAR = re.compile(
    r"[MP].*M.*M|M.*M|T.*T|S.*S|R.*R|V.*V|K.*K|O.*O|H.*H|P.*P|[sc].*[sc]|T.*[Msc]|S.*[Mc]|Mn|H.*M|M.*H"
)


def is_figure_clause(letters: str) -> bool:
    """Return whether the phrases of a clause ask for figures in a way that has one reading."""
    if not _LETTERS.fullmatch(letters) or _UNCLEAR.search(letters):
        return False
    if "k" in letters and not set("CTH") & set(letters):
        return False
    return bool(set("GMTWPVHcs") & set(letters))


def add_figures(draft: Draft, clause: Clause) -> None:
    """Add the operations of a clause for which `is_figure_clause` holds."""
    top, ranked = clause.one(draft, TopAsk), clause.one(draft, RankAsk)
    if top is not None and "M" in clause.letters and (top.entity is not None or top.by or ranked):
        if not (top.entity is None or top.entity == "rows") or top.by is not None:
            draft.refuse("ambiguous", "which_rows", clause.text)
    conditions, later = filters_for_growth(draft, clause.all(ConditionAsk), clause.all(GrowthAsk))
    keys = _keys(draft, clause)
    filter_rows(draft, conditions)
    measures = _measures(draft, clause)
    if measures or top:
        check_together(draft, conditions, [key.column for key in keys])
    _group(draft, clause, keys, measures)
    _refine(draft, clause, keys, measures, conditions)
    keep_time(draft, later, clause.text)
    _rank(draft, clause, keys, top, ranked)
    if (rounding := clause.one(draft, RoundAsk)) is not None:
        draft.operations.append(Round(decimals=rounding.decimals))
    if (chart := clause.one(draft, ChartAsk)) is not None:
        draft.chart_kind = chart.kind


def _keys(draft: Draft, clause: Clause) -> list[Key]:
    named = [key for ask in clause.all(GroupAsk) for key in ask.keys]
    keys = list(dict.fromkeys([*draft.keys, *named]))
    draft.keys = ()
    return keys


def _measures(draft: Draft, clause: Clause) -> list[MeasureAsk]:
    asked = clause.one(draft, MeasuresAsk)
    measures = list(asked.measures) if asked else []
    share_of = [ask.measure for ask in clause.all(ShareAsk) if ask.measure is not None]
    if not measures and draft.stage == "rows":
        measures = share_of[:1]
    if "c" in clause.letters:
        if measures:
            draft.refuse("ambiguous", "rows_or_distinct", clause.text)
        measures = [rows_measure(draft, clause.text)]
    if "s" in clause.letters and not measures:
        draft.refuse("ambiguous", "which_figure", clause.text, draft.numeric_titles())
    return measures


def _group(draft: Draft, clause: Clause, keys: list[Key], measures: list[MeasureAsk]) -> None:
    """Group the rows, or extend the groups that there are."""
    having = clause.one(draft, HavingAsk)
    if having is not None:
        _group_for_having(draft, clause, keys, having)
    elif not measures:
        if draft.stage == "rows" and keys and not set("TV") & set(clause.letters):
            if set("WPS") & set(clause.letters):
                draft.refuse("ambiguous", "which_figure", clause.text, draft.numeric_titles())
            draft.keys = tuple(keys)
    elif draft.stage == "groups":
        if not _refers(draft, clause, measures):
            if keys:
                draft.refuse("outside", "after_result", clause.text)
            extend(draft, measures)
    elif "V" in clause.letters and len(keys) == 2:
        if len(measures) != 1:
            draft.refuse("ambiguous", "which_figure", clause.text)
        pivot(draft, keys, measures[0])
    elif "V" in clause.letters and not keys:
        draft.pivot.wanted, draft.pivot.measure = True, measures[0]
    else:
        aggregate(draft, keys, measures)


def _refers(draft: Draft, clause: Clause, measures: list[MeasureAsk]) -> bool:
    """Return whether figures only say what a growth, share or ranking is about (销售额的环比)."""
    if not set("WPTS") & set(clause.letters) or len(measures) != 1:
        return False
    figure(draft, measures[0], measures[0].text)
    return True


def _group_for_having(draft: Draft, clause: Clause, keys: list[Key], having: HavingAsk) -> None:
    if draft.stage == "rows":
        if having.measure is None or not keys:
            draft.refuse("ambiguous", "which_group", clause.text)
        aggregate(draft, keys, [having.measure])
    elif keys:
        draft.refuse("outside", "after_result", clause.text)
    filter_groups(draft, having)


def _refine(
    draft: Draft,
    clause: Clause,
    keys: list[Key],
    measures: list[MeasureAsk],
    conditions: list[ConditionAsk],
) -> None:
    """Add growths and shares."""
    of = measures[0] if len(measures) == 1 else None
    for growth in clause.all(GrowthAsk):
        grow(draft, growth, of)
    for one in clause.all(ShareAsk):
        share(draft, one, of, conditions)
    if "V" in clause.letters and draft.stage not in ("pivot", "groups"):
        draft.pivot.wanted = True
        if keys and not measures:
            draft.keys = ()
            _note_axes(draft, keys, clause.text)


def _note_axes(draft: Draft, keys: list[Key], text: str) -> None:
    if len(keys) != 2:
        draft.refuse("ambiguous", "which_group", text)
    draft.pivot.rows, draft.pivot.columns = keys


def _rank(draft: Draft, clause: Clause, keys: list[Key], top: TopAsk | None, ranked: RankAsk | None) -> None:
    order = clause.one(draft, SortAsk)
    if order is not None and top is not None and clause.letters.index("T") < clause.letters.index("S"):
        rank(draft, top, ranked.measure if ranked else None, _within(draft, keys))
        sort(draft, order)
        return
    if order is not None:
        sort(draft, order)
    if top is not None:
        rank(draft, top, ranked.measure if ranked else None, _within(draft, keys))
    elif ranked is not None:
        draft.refuse("ambiguous", "which_order", clause.text)


def _within(draft: Draft, keys: list[Key]) -> list[Key]:
    """Return the groups to rank within: none once the rows were grouped by them in the same clause."""
    last = [item.name for item in draft.fields if item.role == "key"]
    made_here = draft.stage == "groups" and [key.name for key in keys] == last
    return [] if made_here else keys
