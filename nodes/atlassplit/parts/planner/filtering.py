"""Adds what a request keeps and removes to the plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import (
    ConditionAsk,
    HavingAsk,
    RelationBoundAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.condition_numbers import condition_of
from mindatlas.nodes.atlassplit.parts.planner.conditions import (
    AllOf,
    AnyOf,
    Condition,
    During,
    Not,
    all_of,
    columns_of,
)
from mindatlas.nodes.atlassplit.parts.planner.contradictions import contradict
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.operations import Aggregate, Filter, Growth, Share
from mindatlas.nodes.atlassplit.parts.planner.results import figure


def filter_rows(draft: Draft, asks: Sequence[ConditionAsk]) -> None:
    """Add the filter for all of `asks`; one on rows that are grouped already goes before the grouping.

    Raises:
        Refused: No row can meet them, or it is too late to filter by them.
    """
    if not asks:
        return
    text = "、".join(ask.text for ask in asks)
    condition = all_of(tuple(ask.condition for ask in asks))
    if draft.stage not in ("rows", "groups"):
        draft.refuse("outside", "after_result", text)
    present = {item.column for item in draft.fields}
    place = len(draft.operations)
    if not set(columns_of(condition)) <= present:
        place = _before_grouping(draft, condition, text)
    same_rows = [
        operation.condition
        for operation in (
            draft.operations[:place] if place < len(draft.operations) else _since_grouping(draft)
        )
        if isinstance(operation, Filter)
    ]
    if contradict([*same_rows, condition]):
        draft.refuse("contradictory", "impossible", text)
    draft.operations.insert(place, Filter(condition=condition))


def filter_groups(draft: Draft, ask: HavingAsk) -> None:
    """Add a condition on a figure of the groups that were made."""
    item = figure(draft, ask.measure, ask.text)
    condition = condition_of(draft, item, (ask.bound,))
    known = [one.condition for one in _since_grouping(draft) if isinstance(one, Filter)]
    if contradict([*known, condition]):
        draft.refuse("contradictory", "impossible", ask.text)
    draft.operations.append(Filter(condition=condition))


def filter_relation(draft: Draft, ask: RelationBoundAsk) -> None:
    """Add a condition on the share or growth that was computed last."""
    related = [item for item in draft.fields if item.role == "derived"]
    if not related or not isinstance(draft.operations[-1], Share | Growth):
        draft.refuse("ambiguous", "which_column", ask.text)
    draft.operations.append(Filter(condition=condition_of(draft, related[-1], (ask.bound,))))


def check_together(draft: Draft, asks: Iterable[ConditionAsk], keys: Iterable[object]) -> None:
    """Refuse a total over values that were only listed (北京和上海的销售额) unless they are groups.

    It may be meant for all of them together or for each.
    """
    grouped = set(keys)
    for ask in asks:
        if any(column not in grouped for column in ask.listed):
            draft.refuse("ambiguous", "together_or_each", ask.text)


def date_spans(conditions: Iterable[Condition]) -> list[During]:
    """Return the conditions on time among those that must all hold."""
    found: list[During] = []
    for condition in conditions:
        if isinstance(condition, During):
            found.append(condition)
        elif isinstance(condition, Not):
            found += date_spans([condition.condition])
        elif isinstance(condition, AllOf | AnyOf):
            found += date_spans(condition.conditions)
    return found


def _before_grouping(draft: Draft, condition: Condition, text: str) -> int:
    """Return the place of the grouping, when nothing has been done since and the rows had the columns."""
    earlier = {item.column for item in draft.earlier}
    last = draft.operations[-1] if draft.operations else None
    if not isinstance(last, Aggregate) or not set(columns_of(condition)) <= earlier:
        draft.refuse("outside", "filter_late", text)
    return len(draft.operations) - 1


def _since_grouping(draft: Draft) -> list[object]:
    places = [place for place, one in enumerate(draft.operations) if isinstance(one, Aggregate)]
    return list(draft.operations[places[-1] + 1 if places else 0 :])
