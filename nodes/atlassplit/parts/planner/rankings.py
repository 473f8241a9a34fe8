"""Reads which rows or groups to keep: the first n, the largest, the lowest."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk, TopAsk
from mindatlas.nodes.atlassplit.parts.planner.counts import is_record_noun, rows_measure
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.groupings import key_of_field, read_key
from mindatlas.nodes.atlassplit.parts.planner.measures import read_measure
from mindatlas.nodes.atlassplit.parts.planner.operations import Key
from mindatlas.nodes.atlassplit.parts.planner.orderings import read_rank

_MOST = 10_000
_ROW_COUNTERS = ("行", "条", "笔")
_PLACED = ("排名前", "排前", "排名最前", "最前", "排在前", "最靠前的", "排名后", "排名倒数")
_COUNT_NAMES = {"zh": "订单数", "en": "orders"}

Entity = Key | Literal["rows"] | None


@attempt
def read_top(cursor: Cursor, draft: Draft) -> TopAsk | None:
    """Return the ranking of a phrase such as 销售额前5的门店, 最高的3个, top 5 products by revenue, first 10 rows."""
    start = cursor.at
    cursor.skip("filler")
    for reader in (_asked, _head, _named_first, _figure_first, _entity_with):
        at = cursor.at
        found = reader(cursor, draft)
        if found is not None:
            cursor.skip("what")
            return replace(found, text=cursor.written(start))
        cursor.at = at
    return None


def _head(cursor: Cursor, draft: Draft) -> TopAsk | None:
    """Read the first or last rows as they stand: 前10行, first 10 rows, last 5 rows."""
    placed = cursor.token.folded in _PLACED
    end = _end(cursor, draft)
    count = _number(cursor) if end else None
    if placed and not draft.ordered:
        return None  # 排名前3 needs something to rank by
    counter = cursor.token.folded
    cursor.skip("counted", "filler")
    noun = cursor.take("noun")
    if count is None or end not in ("head", "tail", "top", "bottom"):
        return None
    rows = noun is not None and is_record_noun(noun, draft)
    if end in ("head", "tail") and not rows:
        return None
    if end in ("top", "bottom") and not (rows and noun == "rows") and counter not in _ROW_COUNTERS:
        return None
    if (noun is not None and not rows) or cursor.token.folded in ("by", "按"):
        return None
    return TopAsk(text="", count=count, ascending=end in ("bottom", "tail"), entity="rows", in_order=True)


def _named_first(cursor: Cursor, draft: Draft) -> TopAsk | None:
    """Read top 5 products by revenue, 前5名, the 3 largest orders by amount, 最高的3个门店."""
    count: int | None = None
    end = _end(cursor, draft)
    if end in ("head", "tail"):
        return None
    extreme = end is None
    if extreme:
        count = _count(cursor)
        cursor.skip("filler", "counted")
        end = {"max": "top", "min": "bottom"}.get(cursor.take("super") or "")
    if end is None:
        return None
    cursor.skip("filler")
    count = _count(cursor) if count is None else count
    if count is None:
        return None
    extreme = cursor.sees("super") or extreme
    cursor.skip("counted", "filler", "super")
    entity = _entity(cursor, draft)
    rank = read_rank(cursor, draft)
    by = rank.measure if rank else None
    return TopAsk(text="", count=count, ascending=end == "bottom", by=by, entity=entity, extreme=extreme)


def _figure_first(cursor: Cursor, draft: Draft) -> TopAsk | None:
    """Read 销售额前5的门店, 销售额最高的5个门店, 销售额最高的是哪个门店, 按销售额取前5名."""
    rank = read_rank(cursor, draft)
    measure = rank.measure if rank else _figure(cursor, draft)
    if measure is None:
        return None
    cursor.skip("filler", "verb")
    end = _end(cursor, draft)
    least = end == "bottom"
    count = None
    if end is None:
        extreme = cursor.take("super")
        if extreme is None or rank:
            return None
        least = extreme == "min"
        cursor.skip("filler")
        at = cursor.at
        if cursor.take("top") and not cursor.token.number:
            cursor.at = at
        count = _count(cursor)
    else:
        count = _count(cursor)
        if count is None or _is_span(cursor):
            return None
    counts_rows = count is not None and cursor.peek(-1).folded in _ROW_COUNTERS
    cursor.skip("filler", "counted")
    if cursor.token.folded == "是" and cursor.peek(1).classes.keys() & {"ask"}:
        cursor.next()
        cursor.next()
    entity = _entity(cursor, draft)
    if entity and cursor.token.folded == "是" and "ask" in cursor.peek(1).classes:
        cursor.at += 2
    if entity is None and counts_rows:
        entity = "rows"
    return TopAsk(text="", count=count, ascending=least, by=measure, entity=entity)


def _asked(cursor: Cursor, draft: Draft) -> TopAsk | None:
    """Read 哪个门店销售额最高, which store has the highest sales."""
    if cursor.take("ask") is None:
        return None
    cursor.skip("filler", "counted")
    entity = _entity(cursor, draft)
    if entity is None:
        return None
    cursor.skip("filler", "whole")
    extreme = cursor.take("super")
    measure = _figure(cursor, draft)
    extreme = extreme or cursor.take("super")
    if measure is None or extreme is None:
        return None
    return TopAsk(text="", count=None, ascending=extreme == "min", by=measure, entity=entity)


def _entity_with(cursor: Cursor, draft: Draft) -> TopAsk | None:
    """Read the 3 stores with the highest sales, store with the lowest total amount."""
    count = _count(cursor)
    cursor.skip("filler")
    if not (cursor.token.fields or cursor.sees("unit", "noun")):
        return None
    for ahead in range(1, 4):
        if cursor.peek(ahead).folded in ("with", "that have", "having", "which have"):
            break
    else:
        return None
    entity = _entity(cursor, draft)
    if entity is None or cursor.take("where") is None:
        return None
    cursor.skip("filler")
    extreme = cursor.take("super")
    measure = _figure(cursor, draft) if extreme else None
    if measure is None:
        return None
    return TopAsk(text="", count=count, ascending=extreme == "min", by=measure, entity=entity)


def _figure(cursor: Cursor, draft: Draft) -> MeasureAsk | None:
    """Return the figure that something is ranked by; orders alone means their number (订单最多)."""
    measure = read_measure(cursor, draft)
    if measure is not None:
        return measure
    start = cursor.at
    cursor.skip("filler")
    token = cursor.token
    noun = cursor.take("noun")
    extreme = cursor.token.folded in ("最多", "最少", "最多的", "最少的")
    behind = start > 0 and cursor.tokens[start - 1].folded in ("most", "fewest", "the most", "least")
    if noun is not None and not token.fields and (extreme or behind) and is_record_noun(noun, draft):
        return rows_measure(draft, token.text, _COUNT_NAMES[draft.language] if noun == "order" else "")
    cursor.at = start
    return None


def _entity(cursor: Cursor, draft: Draft) -> Entity:
    start = cursor.at
    cursor.skip("filler", "whole")
    token = cursor.token
    if token.fields and any(item.is_number and not item.is_code for item in token.fields):
        cursor.at = start
        return None
    if token.fields:
        cursor.next()
        return key_of_field(draft, draft.choose(token), token.text)
    if unit := token.classes.get("unit"):
        cursor.at = start
        cursor.skip("filler", "whole")
        return read_key(cursor, draft) if unit else None
    noun = cursor.take("noun")
    if noun is not None and is_record_noun(noun, draft):
        return "rows"
    cursor.at = start
    return None


def _end(cursor: Cursor, draft: Draft) -> str | None:
    """Return which end a word such as 前, 倒数 or top names; one with the name of a column in it may mean that.

    排名前3 beside a column 排名 may be about the ranks in that column or about an order of its own.
    """
    token = cursor.token
    end = cursor.take("top")
    named = [item.title for item in draft.fields if len(item.title) > 1 and item.title in token.text]
    if end is not None and named and not token.fields:
        draft.refuse("ambiguous", "which_column", token.text, tuple(named))
    return end


def _is_span(cursor: Cursor) -> bool:
    """Return whether a unit stands right behind a number: 前3个月 may be a stretch of time."""
    return (
        cursor.sees("unit")
        and cursor.touches()
        and cursor.token.folded in ("月", "年", "周", "天", "日", "季度")
    )


def _count(cursor: Cursor) -> int | None:
    count = _number(cursor)
    if count is not None:
        cursor.skip("counted")
    return count


def _number(cursor: Cursor) -> int | None:
    number = cursor.token.number
    if number is None or number.percent or not number.value.is_integer() or not 0 < number.value <= _MOST:
        return None
    cursor.next()
    return int(number.value)
