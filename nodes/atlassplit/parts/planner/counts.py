"""Reads numbers of rows and numbers of different values."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk
from mindatlas.nodes.atlassplit.parts.planner.column_match import column_names, plain_name
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field, is_unique
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token
from mindatlas.nodes.text import is_cjk

_COUNTED_NOUNS = {"行": "rows", "条": "rows", "笔": "rows", "人": "person", "名": "person"}
_ROW_NAMES = {"zh": "行数", "en": "rows"}
_NOUN_NAMES = {"zh": {"order": "订单数", "person": "人数"}, "en": {"order": "orders", "person": "people"}}


@attempt
def read_count(cursor: Cursor, draft: Draft) -> MeasureAsk | None:
    """Return a number of rows (订单数, how many rows) or of different values (客户数, number of customers)."""
    start = cursor.at
    cursor.skip("filler")
    _skip_date_of_all(cursor, draft)
    for reader in (_count_word, _how_many, _different, _field_counted):
        if found := reader(cursor, draft):
            return found
    cursor.at = start
    return None


def _skip_date_of_all(cursor: Cursor, draft: Draft) -> None:
    """Go past 入职 of 入职人数 where 入职日期 is the only date and every row has one: so many rows happened."""
    item = draft.date_called(cursor.token) if "count" in cursor.peek(1).classes else None
    if item is None or item.card is None or item.card.null_rate:
        return
    if [one for one in draft.fields if one.is_date] == [item]:
        cursor.next()


def is_record_noun(noun: str | None, draft: Draft) -> bool:
    """Return whether a noun means the rows of the table.

    Orders are its rows unless a column numbers the orders and repeats; persons are where a column that names
    them does not repeat.
    """
    if noun == "person":
        persons = [item for item in draft.fields if _named(item, column_names().persons)]
        return any(is_unique(item, draft.table.rows) for item in persons)
    if noun != "order":
        return noun in ("rows", "record")
    numbers = [item for item in (*draft.fields, *draft.earlier) if _named(item, column_names().orders)]
    return all(is_unique(item, draft.table.rows) for item in numbers)


def rows_measure(draft: Draft, text: str, name: str = "") -> MeasureAsk:
    """Return the number of rows as a figure."""
    return MeasureAsk(text=text, function="rows", field=None, name=name or _ROW_NAMES[draft.language])


@attempt
def _count_word(cursor: Cursor, draft: Draft) -> MeasureAsk | None:
    """Read a word that holds the noun: 订单数, 行数, 人数, number of orders."""
    token = cursor.token
    noun = cursor.take("count")
    if noun is None or token.fields:
        return None
    return _of_noun(noun, draft, token.text)


@attempt
def _how_many(cursor: Cursor, draft: Draft) -> MeasureAsk | None:
    """Read 多少个客户, how many different customers, number of rows."""
    start = cursor.at
    if cursor.take("how_many") is None:
        return None
    rows_only = cursor.tokens[start].folded in ("count", "count of", "count the")
    counter = cursor.token.folded
    cursor.skip("filler", "counted")
    different = cursor.skip("different", "whole") > 0
    cursor.skip("filler", "counted")
    token = cursor.token
    if token.fields and not _is_quantity(token):
        cursor.next()
        return _of_field(draft, token, cursor.written(start), sure=different or not rows_only)
    noun = cursor.take("noun") or (_COUNTED_NOUNS.get(counter) if cursor.done else None)
    return None if noun is None else _of_noun(noun, draft, cursor.written(start))


@attempt
def _different(cursor: Cursor, draft: Draft) -> MeasureAsk | None:
    """Read 不同客户数, 去重客户数, distinct count of customers, unique customer count."""
    start = cursor.at
    if not cursor.skip("different", "dedupe"):
        return None
    cursor.skip("filler", "verb", "counted")
    counted = cursor.skip("count_of", "count_verb")
    cursor.skip("filler")
    token = cursor.token
    if not token.fields or _is_quantity(token):
        return None
    cursor.next()
    cursor.skip("filler")
    counted += cursor.skip("count_of", "count_verb")
    return _of_field(draft, token, cursor.written(start), sure=True) if counted else None


@attempt
def _field_counted(cursor: Cursor, draft: Draft) -> MeasureAsk | None:
    """Read 客户数, 客户去重数, customer count, 门店有多少个."""
    start = cursor.at
    token = cursor.token
    if not token.fields or token.classes.keys() & {"count_of", "unit"} or _is_quantity(token):
        return None
    cursor.next()
    cursor.skip("filler")
    different = cursor.skip("different", "dedupe") > 0
    cursor.skip("filler", "verb")
    word = cursor.token
    if word.fields and "count_of" in word.classes and not different:
        titles = (f"{token.text}（去重计数）", word.fields[0].title)
        draft.refuse(
            "ambiguous", "count_or_column", token.text + word.text, titles, column=word.fields[0].title
        )
    if not cursor.skip("count_of", "count_verb"):
        if cursor.take("how_many") is None or not is_cjk(word.folded):
            return None
        cursor.skip("counted")
    if cursor.token.fields and cursor.touches():
        return None
    sure = different or is_cjk(word.folded)
    return _of_field(draft, token, cursor.written(start), sure=sure)


def _of_noun(noun: str, draft: Draft, text: str) -> MeasureAsk:
    if noun == "rows":
        return rows_measure(draft, text)
    if noun == "record":
        return rows_measure(draft, text, text if text.endswith("数") else "")
    known = column_names()
    name = _NOUN_NAMES[draft.language][noun]
    fields = [
        item for item in draft.fields if _named(item, known.orders if noun == "order" else known.persons)
    ]
    if noun == "person" and not fields:
        draft.refuse("missing_column", "no_such_column", text, draft.titles())
    if any(is_unique(item, draft.table.rows) for item in fields) or not fields:
        return rows_measure(draft, text, name)
    if noun == "person" or len(fields) > 1:
        draft.refuse("ambiguous", "rows_or_distinct", text, tuple(item.title for item in fields))
    draft.tell("distinct", about=fields[0].title)
    return MeasureAsk(text=text, function="distinct", field=fields[0], name=name)


def _of_field(draft: Draft, token: Token, text: str, *, sure: bool) -> MeasureAsk:
    """Return the number of different values; without `sure` only when rows would give the same."""
    item = draft.choose(token)
    if item.role == "measure" or (item.is_number and not item.is_code):
        draft.refuse("ambiguous", "rows_or_distinct", text)
    name = f"{item.title}数" if draft.language == "zh" else f"{item.title} count"
    if not sure and not is_unique(item, draft.table.rows):
        draft.refuse("ambiguous", "rows_or_distinct", text)
    draft.tell("distinct", about=item.title)
    return MeasureAsk(text=text, function="distinct", field=item, name=name)


def _is_quantity(token: Token) -> bool:
    return any(item.is_number and not item.is_code for item in token.fields)


def _named(item: Field, names: frozenset[str]) -> bool:
    return item.role == "raw" and plain_name(item.title) in names
