"""Reads what to sort by, and in which direction."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk, OrderAsk, RankAsk, SortAsk
from mindatlas.nodes.atlassplit.parts.planner.counts import is_record_noun, rows_measure
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.groupings import read_key
from mindatlas.nodes.atlassplit.parts.planner.measures import read_measure

_RANKS = ("rank", "ranked", "rank by", "ranked by")
_ASCENDING = {"ascending": True, "descending": False}


@attempt
def read_sort(cursor: Cursor, draft: Draft, *, at_start: bool) -> SortAsk | None:
    """Return the order of a phrase such as 按销售额降序, sorted by date, in descending order of amount.

    A column and a direction alone (销售额降序) are an order only at the start of a clause: elsewhere the column
    is the figure that was asked for.
    """
    start = cursor.at
    if not any(token.classes.keys() & {"sort", "sort_by", "direction"} for token in cursor.tokens[start:]):
        return None
    cursor.skip("filler", "first")
    ranks = cursor.token.folded in _RANKS
    marked = cursor.take("sort_by") is not None
    sort_word = marked or cursor.take("sort") is not None
    direction = None if marked else _direction(cursor)
    if sort_word and not marked:
        cursor.skip("filler", "noun")
        direction = direction or _direction(cursor)
    marked = _by(cursor) or marked
    orders = _orders(cursor, draft) if marked or sort_word or direction or at_start else []
    behind = _direction(cursor) if orders and direction is None else None
    sort_word = sort_word or cursor.take("sort") is not None
    behind = behind or (_direction(cursor) if not direction else None)
    if not (sort_word or direction or behind or any(order.ascending is not None for order in orders)):
        return None
    if not orders and not (direction or behind):
        return None
    if ranks and not (direction or behind):
        draft.refuse("ambiguous", "which_order", cursor.written(start))
    return SortAsk(
        text=cursor.written(start),
        orders=_directed(draft, orders, direction or behind, cursor.written(start)),
    )


@attempt
def read_rank(cursor: Cursor, draft: Draft) -> RankAsk | None:
    """Return the figure behind by or 按 that something else is ranked by: top 3 stores by sales."""
    start = cursor.at
    cursor.skip("filler")
    if not _by(cursor):
        return None
    measure = read_measure(cursor, draft) or _counted(cursor, draft)
    return None if measure is None else RankAsk(text=cursor.written(start), measure=measure)


def _counted(cursor: Cursor, draft: Draft) -> MeasureAsk | None:
    """Read the rows themselves as what is ranked by: top 3 customers by orders."""
    token = cursor.token
    noun = None if token.fields else token.classes.get("noun")
    if noun is None or not token.folded.isascii() or not is_record_noun(noun, draft):
        return None
    cursor.next()
    return rows_measure(draft, token.text)


def _by(cursor: Cursor) -> bool:
    if cursor.token.folded in ("按", "按照", "依照", "根据", "依据", "by", "依"):
        cursor.next()
        return True
    return cursor.take("sort_by") is not None


def _orders(cursor: Cursor, draft: Draft) -> list[OrderAsk]:
    orders: list[OrderAsk] = []
    while True:
        start = cursor.at
        if orders:
            cursor.skip("filler")
            if not cursor.take("join", "then"):
                break
            cursor.skip("filler", "also")
            _by(cursor)
        order = _order(cursor, draft)
        if order is None:
            cursor.at = start
            break
        orders.append(order)
    return orders


def _order(cursor: Cursor, draft: Draft) -> OrderAsk | None:
    cursor.skip("filler")
    token = cursor.token
    measure = read_measure(cursor, draft)
    if measure is None and token.fields:
        cursor.next()
        measure = MeasureAsk(text=token.text, function=None, field=draft.choose(token))
    key = None if measure else read_key(cursor, draft)
    if measure is None and key is None:
        return None
    cursor.skip("filler")
    cursor.skip("paren")
    direction = _direction(cursor)
    cursor.skip("paren")
    return OrderAsk(measure=measure, key=key, ascending=_ASCENDING.get(direction or ""))


def _direction(cursor: Cursor) -> str | None:
    start = cursor.at
    cursor.skip("filler")
    direction = cursor.take("direction")
    if direction is None:
        cursor.at = start
    return direction


def _directed(draft: Draft, orders: list[OrderAsk], direction: str | None, text: str) -> tuple[OrderAsk, ...]:
    """Return the orders with the direction of the whole phrase where they have none of their own.

    One direction behind several columns may be that of all or of the last only.
    """
    if not orders:
        return (OrderAsk(measure=None, key=None, ascending=_ASCENDING.get(direction or "")),)
    open_orders = [order for order in orders if order.ascending is None]
    if open_orders and len(orders) > 1 and (direction or len(open_orders) < len(orders)):
        draft.refuse("ambiguous", "which_order", text)
    given = _ASCENDING.get(direction or "")
    return tuple(
        OrderAsk(measure=o.measure, key=o.key, ascending=given if o.ascending is None else o.ascending)
        for o in orders
    )
