"""Adds growth over earlier periods and shares of the total to the plan."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import (
    ConditionAsk,
    GrowthAsk,
    MeasureAsk,
    ShareAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.conditions import Condition, During
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.filtering import date_spans
from mindatlas.nodes.atlassplit.parts.planner.operations import Aggregate, Filter, Growth, Share
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Unit
from mindatlas.nodes.atlassplit.parts.planner.results import derived_field, figure
from mindatlas.nodes.atlassplit.parts.planner.spans import are_whole

_YEARLY: tuple[Unit, ...] = ("month", "quarter", "year")
_NAMES = {
    ("zh", "previous", True): "环比增长率",
    ("zh", "previous", False): "环比增长额",
    ("zh", "year", True): "同比增长率",
    ("zh", "year", False): "同比增长额",
    ("en", "previous", True): "growth over previous",
    ("en", "previous", False): "change over previous",
    ("en", "year", True): "growth over year",
    ("en", "year", False): "change over year",
}


def grow(draft: Draft, ask: GrowthAsk, of: MeasureAsk | None) -> None:
    """Add the growth of one figure, or of each when none is named.

    Raises:
        Refused: There are no groups by period, or the figures that it is measured against were filtered out.
    """
    if draft.stage != "groups":
        draft.refuse("ambiguous", "which_figure", ask.text, draft.numeric_titles())
    period = _period(draft, ask)
    _check_earlier_rows(draft, ask, period)
    figures = (
        [figure(draft, of, ask.text)] if of else [item for item in draft.fields if item.role == "measure"]
    )
    base = _NAMES[draft.language, ask.over, ask.as_rate]
    for item in figures:
        name = base if len(figures) == 1 else _prefixed(draft, item, base)
        name = draft.rename_free(name)
        by = tuple(key.name for key in draft.fields if key.role == "key" and key.name != period.name)
        assert period.unit is not None
        draft.operations.append(
            Growth(
                measure=item.name,
                period=period.name,
                unit=period.unit,
                by=by,
                over=ask.over,
                as_rate=ask.as_rate,
                name=name,
            )
        )
        draft.fields = (*draft.fields, derived_field(name, is_fraction=ask.as_rate))
    if ask.as_rate:
        draft.tell("fraction")


def share(draft: Draft, ask: ShareAsk, of: MeasureAsk | None, conditions: Sequence[ConditionAsk]) -> None:
    """Add the share of a figure in its total.

    Raises:
        Refused: The total is not clear: several groups, or a filter in the same clause.
    """
    if draft.stage != "groups":
        draft.refuse("ambiguous", "which_group", ask.text)
    if any(not condition.only_dates for condition in conditions):
        draft.refuse("ambiguous", "share_of_what", ask.text)
    keys = [item for item in draft.fields if item.role == "key"]
    if len(keys) > 1 and not ask.of_whole:
        draft.refuse("ambiguous", "share_of_what", ask.text)
    item = figure(draft, ask.measure or of, ask.text)
    if item.measure is None or item.measure.function not in ("sum", "rows"):
        draft.refuse("ambiguous", "which_function", ask.text)
    if any(not isinstance(one, Aggregate | Share | Growth) for one in draft.operations[_grouped_at(draft) :]):
        draft.refuse("ambiguous", "share_of_what", ask.text)
    name = f"{item.title}占比" if draft.language == "zh" else f"share of {item.title}"
    name = draft.rename_free(name)
    draft.operations.append(Share(measure=item.name, name=name))
    draft.fields = (*draft.fields, derived_field(name, is_fraction=True))
    draft.tell("fraction")


def filters_for_growth(
    draft: Draft, conditions: Sequence[ConditionAsk], growths: Sequence[GrowthAsk]
) -> tuple[list[ConditionAsk], list[During]]:
    """Return the conditions to apply before grouping, and the stretches of time to keep after the growth.

    Growth over the year before needs the rows of that year, so a stretch of time in the same clause is kept
    for the end.
    """
    if not any(growth.over == "year" for growth in growths):
        return list(conditions), []
    before = [ask for ask in conditions if not ask.only_dates]
    dated = [ask for ask in conditions if ask.only_dates]
    spans = [ask.condition for ask in dated if isinstance(ask.condition, During)]
    if len(spans) != len(dated) or (any(growth.over != "year" for growth in growths) and spans):
        draft.refuse("ambiguous", "growth_filter", growths[0].text)
    return before, spans


def keep_time(draft: Draft, spans: Sequence[During], about: str) -> None:
    """Add filters that keep the periods of some stretches of time, which must consist of whole periods."""
    for span in spans:
        period = next(item for item in draft.fields if item.unit is not None)
        assert period.unit is not None
        if span.start is None or span.end is None or not are_whole(span.start, span.end, period.unit):
            draft.refuse("ambiguous", "growth_filter", about)
        condition = During(column=period.column, start=span.start, end=span.end, unit=period.unit)
        draft.operations.append(Filter(condition=condition))


def _period(draft: Draft, ask: GrowthAsk) -> Field:
    periods = [item for item in draft.fields if item.role == "key" and item.unit is not None]
    if len(periods) != 1:
        draft.refuse("ambiguous", "which_period", ask.text)
    unit = periods[0].unit
    if (ask.unit is not None and ask.unit != unit) or (ask.over == "year" and unit not in _YEARLY):
        draft.refuse("ambiguous", "growth_units", ask.text)
    return periods[0]


def _check_earlier_rows(draft: Draft, ask: GrowthAsk, period: Field) -> None:
    """Refuse growth over rows that a filter by time took away, unless that was asked for in so many words."""
    place = _grouped_at(draft)
    conditions: list[Condition] = [
        one.condition for one in draft.operations[:place] if isinstance(one, Filter)
    ]
    spans = date_spans(conditions)
    if not spans:
        return
    first = period.card.minimum[:10] if period.card and period.card.minimum else None
    starts = [span.start for span in spans if span.start is not None]
    if ask.over == "year":
        covered = [span for span in spans if span.start and span.end]
        if any((span.end - span.start) < timedelta(days=367) for span in covered if span.end and span.start):
            draft.refuse("ambiguous", "growth_filter", ask.text)
    cuts = any(first is None or start.isoformat() > first for start in starts)
    if cuts and not draft.filtered_apart:
        draft.refuse("ambiguous", "growth_filter", ask.text)


def _grouped_at(draft: Draft) -> int:
    return max(place for place, one in enumerate(draft.operations) if isinstance(one, Aggregate))


def _prefixed(draft: Draft, item: Field, base: str) -> str:
    return f"{item.title}{base}" if draft.language == "zh" else f"{item.title} {base}"
