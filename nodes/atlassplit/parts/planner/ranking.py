"""Adds sorting and ranking to the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk, OrderAsk, SortAsk, TopAsk
from mindatlas.nodes.atlassplit.parts.planner.column_match import column_names, plain_name
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import is_unique
from mindatlas.nodes.atlassplit.parts.planner.operations import Key, Order, Sort, Top
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column
from mindatlas.nodes.atlassplit.parts.planner.results import aggregate, figure
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName


def sort(draft: Draft, ask: SortAsk) -> None:
    """Add an order; one right after another goes behind it (先按门店，再按金额).

    Raises:
        Refused: What to sort by is not clear, or one column is to be sorted both ways.
    """
    if draft.stage not in ("rows", "groups", "list"):
        draft.refuse("outside", "after_result", ask.text)
    if draft.undirected and _is_direction(ask):
        _direct(draft, ascending=ask.orders[0].ascending is True)
        return
    orders = tuple(_order(draft, order, ask.text) for order in ask.orders)
    draft.undirected = ask.orders[-1].ascending is None
    last = draft.operations[-1] if draft.operations else None
    if isinstance(last, Sort):
        orders = (*last.by, *orders)
        draft.operations.pop()
    columns = [order.column for order in orders]
    if len(set(columns)) < len(columns):
        draft.refuse("contradictory", "both_ends", ask.text)
    draft.operations.append(Sort(by=orders))
    draft.ordered = True


def _is_direction(ask: SortAsk) -> bool:
    """Return whether only a direction was named: …, latest first."""
    order = ask.orders[0]
    return (
        len(ask.orders) == 1 and order.measure is None and order.key is None and order.ascending is not None
    )


def _direct(draft: Draft, *, ascending: bool) -> None:
    """Give the last sort key the direction that was named behind it."""
    last = draft.operations[-1]
    if isinstance(last, Sort):
        draft.operations[-1] = Sort(by=(*last.by[:-1], replace(last.by[-1], ascending=ascending)))
        draft.untell("ascending")
    draft.undirected = False


def rank(draft: Draft, ask: TopAsk, by: MeasureAsk | None, keys: Sequence[Key]) -> None:
    """Add what keeps the first rows or groups, grouping the rows first where groups are ranked.

    Args:
        draft: The plan so far.
        ask: What to keep.
        by: The figure named apart from it.
        keys: The groups within which to rank.

    Raises:
        Refused: It is not clear what is ranked or by what, or both ends are asked for.
    """
    if any(isinstance(one, Top) and one.by and one.ascending != ask.ascending for one in draft.operations):
        draft.refuse("contradictory", "both_ends", ask.text)
    by = by or ask.by
    if ask.in_order or (by is None and draft.ordered and draft.stage in ("rows", "groups", "list")):
        _head(draft, ask, keys)
    elif draft.stage == "groups":
        _rank_groups(draft, ask, by, keys)
    elif draft.stage == "rows" and by is not None:
        _rank_rows(draft, ask, by, keys)
    else:
        draft.refuse("ambiguous", "which_order", ask.text)


def _head(draft: Draft, ask: TopAsk, keys: Sequence[Key]) -> None:
    if draft.stage not in ("rows", "groups", "list"):
        draft.refuse("outside", "after_result", ask.text)
    if isinstance(ask.entity, Key) and (draft.stage == "rows" or ask.entity.name not in _key_names(draft)):
        draft.refuse("ambiguous", "which_rows", ask.text)
    within = _within(draft, keys, ask.text)
    draft.operations.append(Top(count=ask.count or 1, by=None, within=within, from_end=ask.ascending))


def _rank_groups(draft: Draft, ask: TopAsk, by: MeasureAsk | None, keys: Sequence[Key]) -> None:
    if by is None and not ask.extreme and isinstance(ask.entity, Key) and ask.entity.unit is not None:
        draft.refuse(
            "ambiguous", "which_order", ask.text, draft.titles()
        )  # 前3个月: the first or the largest?
    item = figure(draft, by, ask.text)
    if isinstance(ask.entity, Key) and ask.entity.name not in _key_names(draft):
        draft.refuse("ambiguous", "which_rows", ask.text)
    within = _within(draft, keys, ask.text)
    left = [name for name in _key_names(draft) if name not in [key.name for key in within]]
    if not left or (isinstance(ask.entity, Key) and left != [ask.entity.name]):
        draft.refuse("ambiguous", "which_rows", ask.text)
    _add_top(draft, ask, item.column, within)


def _rank_rows(draft: Draft, ask: TopAsk, by: MeasureAsk, keys: Sequence[Key]) -> None:
    entity = ask.entity if ask.entity is not None else _implied_entity(draft, ask, keys)
    if isinstance(entity, Key) and not (_is_unique(draft, entity) and by.function is None and by.field):
        if entity in keys:
            draft.refuse("ambiguous", "which_rows", ask.text)
        made = aggregate(draft, [*keys, entity], [by])
        _add_top(draft, ask, made[0].column, _within(draft, keys, ask.text))
        return
    if by.function is not None or by.field is None:
        draft.refuse("ambiguous", "which_rows", ask.text)
    _add_top(draft, ask, by.field.column, _within(draft, keys, ask.text))


def _implied_entity(draft: Draft, ask: TopAsk, keys: Sequence[Key]) -> str:
    """Return rows where nothing else can be meant: each row is a person, or the words speak of rows."""
    persons = [item for item in draft.fields if plain_name(item.title) in column_names().persons]
    if not any(is_unique(item, draft.table.rows) for item in persons):
        draft.refuse("ambiguous", "which_rows", ask.text)
    return "rows"


def _add_top(draft: Draft, ask: TopAsk, column: Column, within: tuple[Key, ...]) -> None:
    if ask.count is None:
        draft.tell("ties")
    draft.operations.append(
        Top(
            count=ask.count or 1,
            by=column,
            ascending=ask.ascending,
            within=within,
            all_ties=ask.count is None,
        )
    )
    draft.ordered = True


def _within(draft: Draft, keys: Sequence[Key], text: str) -> tuple[Key, ...]:
    """Return the groups to rank within, as keys of the present table."""
    found: list[Key] = []
    for key in keys:
        if draft.stage == "rows" and draft.field_of(key.column) is not None:
            found.append(key)
            continue
        item = next((field for field in draft.fields if field.name == key.name), None)
        if item is None or (key.unit is not None and item.unit != key.unit):
            draft.refuse("ambiguous", "which_rows", text)
        found.append(Key(column=item.column, name=item.name))
    return tuple(found)


def _order(draft: Draft, order: OrderAsk, text: str) -> Order:
    column = _order_column(draft, order, text)
    if order.ascending is None:
        draft.tell("ascending")
    return Order(column=column, ascending=order.ascending is not False)


def _order_column(draft: Draft, order: OrderAsk, text: str) -> Column:
    if draft.stage == "groups":
        if order.key is not None:
            return _present(draft, order.key.name, text)
        asked = order.measure
        if asked is not None and asked.field is not None and asked.field.role == "key" and not asked.function:
            return asked.field.column
        return figure(draft, asked, asked.text if asked else text).column
    if order.measure is None or order.measure.function or order.measure.field is None:
        draft.refuse("ambiguous", "which_order", text, draft.numeric_titles())
    return order.measure.field.column


def _present(draft: Draft, name: ColumnName, text: str) -> Column:
    found = next((item.column for item in draft.fields if item.name == name), None)
    if found is None:
        draft.refuse("ambiguous", "which_order", text, draft.titles())
    return found


def _key_names(draft: Draft) -> list[ColumnName]:
    return [item.name for item in draft.fields if item.role == "key"]


def _is_unique(draft: Draft, key: Key) -> bool:
    item = draft.field_of(key.column)
    return key.unit is None and item is not None and is_unique(item, draft.table.rows)
