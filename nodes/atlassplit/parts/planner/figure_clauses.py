"""Adds a clause that asks for figures to the plan: totals by groups, rankings, shares, growth, cross tables."""

from __future__ import annotations

import re

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import (
    ConditionAsk,
    GroupAsk,
    GrowthAsk,
    HavingAsk,
    MeasureAsk,
    MeasuresAsk,
    RankAsk,
    RelationBoundAsk,
    ShareAsk,
    SortAsk,
    TopAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import ChartAsk, RoundAsk
from mindatlas.nodes.atlassplit.parts.planner.clause import Clause
from mindatlas.nodes.atlassplit.parts.planner.clause_keys import keys_of
from mindatlas.nodes.atlassplit.parts.planner.column_match import is_additive
from mindatlas.nodes.atlassplit.parts.planner.conditions import columns_of
from mindatlas.nodes.atlassplit.parts.planner.counts import rows_measure
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import is_unique
from mindatlas.nodes.atlassplit.parts.planner.filtering import (
    check_together,
    filter_groups,
    filter_relation,
    filter_rows,
)
from mindatlas.nodes.atlassplit.parts.planner.operations import Key
from mindatlas.nodes.atlassplit.parts.planner.ranking import rank, sort
from mindatlas.nodes.atlassplit.parts.planner.relating import filters_for_growth, grow, keep_time, share
from mindatlas.nodes.atlassplit.parts.planner.reshaping import pivot, spread_groups
from mindatlas.nodes.atlassplit.parts.planner.results import aggregate, extend, figure, round_figures

_LETTERS = re.compile(r"[vlkanwgscCGMTRSWPVKOHB]*")
# A second list of figures, or one behind its ranking, or records behind figures without a condition between
# them, would be about something else than the first.
_UNCLEAR = re.compile(
    r"[MP].*M.*M|M.*M|T.*T|S.*S|R.*R|V.*V|K.*K|O.*O|H.*H|P.*P|[sc].*[sc]|T.*[MscPW]|S.*[Mc]|Mn|H.*M|M.*H|B.*B|B.*[WPM]|P.*W.*B|W.*P.*B"
)


def is_figure_clause(letters: str) -> bool:
    """Return whether the phrases of a clause ask for figures in a way that has one reading."""
    if not _LETTERS.fullmatch(letters) or _UNCLEAR.search(letters):
        return False
    if "k" in letters and not set("CTHB") & set(letters):
        return False
    return bool(set("GMTWPVHcs") & set(letters)) or letters.endswith("nw")


def add_figures(draft: Draft, clause: Clause) -> None:
    """Add the operations of a clause for which `is_figure_clause` holds."""
    if draft.pivot.wanted and re.fullmatch("[vs]*M", clause.letters):
        _fill_pivot(draft, clause)
        return
    top, ranked = clause.one(draft, TopAsk), clause.one(draft, RankAsk)
    if top is not None and "M" in clause.letters and (isinstance(top.entity, Key) or top.by or ranked):
        draft.refuse("ambiguous", "which_rows", clause.text)
    conditions, later = filters_for_growth(draft, clause.all(ConditionAsk), clause.all(GrowthAsk))
    keys = keys_of(draft, clause, conditions)
    filter_rows(draft, conditions)
    measures = _measures(draft, clause, keys)
    if measures or top:
        check_together(draft, conditions, [key.column for key in keys])
    _check_counted(draft, conditions, measures, clause.text)
    _check_means(draft, clause, keys, measures)
    _group(draft, clause, keys, measures)
    _refine(draft, clause, keys, measures, conditions)
    keep_time(draft, later, clause.text)
    if (bound := clause.one(draft, RelationBoundAsk)) is not None:
        filter_relation(draft, bound)
    _rank(draft, clause, keys, top, ranked)
    if (rounding := clause.one(draft, RoundAsk)) is not None:
        round_figures(draft, rounding, clause.text)
    if (chart := clause.one(draft, ChartAsk)) is not None:
        draft.chart_kind = chart.kind


def _measures(draft: Draft, clause: Clause, keys: list[Key]) -> list[MeasureAsk]:
    asked = clause.one(draft, MeasuresAsk)
    if asked and asked.together and not keys and draft.stage == "rows":
        draft.refuse("ambiguous", "together_or_each", asked.text)
    measures = list(asked.measures) if asked else []
    share_of = [ask.measure for ask in clause.all(ShareAsk) if ask.measure is not None]
    if not measures and draft.stage == "rows":
        measures = share_of[:1]
    if "c" in clause.letters or (not measures and clause.letters.endswith("nw")):
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
    if "V" in clause.letters and draft.stage == "groups":
        spread_groups(draft, clause.text)
    elif "V" in clause.letters and draft.stage != "pivot":
        draft.pivot.wanted = True
        if keys and not measures:
            draft.keys = ()
            _note_axes(draft, keys, clause.text)


def _check_counted(
    draft: Draft, conditions: list[ConditionAsk], measures: list[MeasureAsk], text: str
) -> None:
    """Refuse to count things by a condition on figures (金额大于100的客户数): of each row, or of their totals?"""
    counted = [one.field for one in measures if one.function == "distinct" and one.field is not None]
    if all(is_unique(item, draft.table.rows) for item in counted):
        return
    columns = [column for ask in conditions for column in columns_of(ask.condition)]
    if any(column.kind == "number" for column in columns):
        draft.refuse("ambiguous", "rows_or_groups", text)


def _check_means(draft: Draft, clause: Clause, keys: list[Key], measures: list[MeasureAsk]) -> None:
    """Refuse 每月平均销售额, average sales per month: of the rows of a month, or of the months' totals?"""
    each = [ask for ask in clause.all(GroupAsk) if ask.text.lower().startswith(("每", "per ", "each "))]
    timed = [ask for ask in each if any(key.unit for key in ask.keys)]
    means = [one.field for one in measures if one.function == "mean" and one.field is not None]
    unclear = [item.title for item in means if is_additive(item)]
    if not timed or not unclear or any(f"{ask.text}的" in clause.text for ask in timed):
        return
    draft.refuse("ambiguous", "average_of", f"{timed[0].text} {unclear[0]}", column=unclear[0])


def _fill_pivot(draft: Draft, clause: Clause) -> None:
    """Note the figure of a cross table whose axes were named before."""
    measures = clause.all(MeasuresAsk)[0].measures
    if len(measures) != 1 or draft.pivot.measure is not None:
        draft.refuse("ambiguous", "which_figure", clause.text)
    draft.pivot.measure = measures[0]


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
