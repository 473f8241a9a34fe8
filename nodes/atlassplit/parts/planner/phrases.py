"""Reads a clause into what its phrases ask for; a word that no rule reads ends in a refusal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NoReturn

from mindatlas.nodes.atlassplit.parts.planner.asks import Ask, Mark, MarkKind
from mindatlas.nodes.atlassplit.parts.planner.asks_figures import (
    ConditionAsk,
    GroupAsk,
    GrowthAsk,
    ShareAsk,
    TopAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import DeriveAsk, FieldsAsk
from mindatlas.nodes.atlassplit.parts.planner.cell_match import nearest
from mindatlas.nodes.atlassplit.parts.planner.condition_phrases import read_conditions
from mindatlas.nodes.atlassplit.parts.planner.condition_terms import read_having
from mindatlas.nodes.atlassplit.parts.planner.counts import is_record_noun
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.finishes import read_chart, read_clean, read_round
from mindatlas.nodes.atlassplit.parts.planner.formulas import read_derived
from mindatlas.nodes.atlassplit.parts.planner.groupings import read_group
from mindatlas.nodes.atlassplit.parts.planner.growths import read_growth, read_relation_bound, read_share
from mindatlas.nodes.atlassplit.parts.planner.measures import read_measures
from mindatlas.nodes.atlassplit.parts.planner.orderings import read_rank, read_sort
from mindatlas.nodes.atlassplit.parts.planner.rankings import read_top
from mindatlas.nodes.atlassplit.parts.planner.reshapes import (
    read_axis,
    read_dedupe,
    read_distinct,
    read_fields,
    read_pivot,
    read_split,
)
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token

Reader = Callable[[Cursor, Draft], Ask | None]


def read_phrases(cursor: Cursor, draft: Draft) -> Iterator[Ask]:
    """Yield what the phrases of a clause ask for, in order.

    Raises:
        Refused: A word is left that no rule reads, or a phrase has several readings.
    """
    asks: list[Ask] = []
    while True:
        _skip_idle(cursor)
        if cursor.done:
            return
        ask = _next(cursor, draft, asks)
        if ask is None:
            _refuse_rest(cursor, draft, asks)
        asks.append(ask)
        yield ask
        if isinstance(ask, DeriveAsk):
            return  # what follows may name the new column


def _next(cursor: Cursor, draft: Draft, asks: list[Ask]) -> Ask | None:
    for reader in _readers(draft, asks):
        ask = reader(cursor, draft)
        if ask is not None:
            return ask
    return None


def _readers(draft: Draft, asks: list[Ask]) -> Iterator[Reader]:
    """Yield the rules in the order in which they are tried: those that need more words first."""
    yield from (read_round, read_chart, read_clean)
    if not asks or not isinstance(asks[-1], ConditionAsk):
        yield read_derived
    if asks and isinstance(asks[-1], GrowthAsk | ShareAsk):
        yield read_relation_bound
    yield from (read_split, read_axis, read_dedupe, read_distinct, read_top)
    starts = all(isinstance(ask, Mark) and ask.kind != "sum_verb" for ask in asks[-1:])
    yield lambda cursor, draft: read_sort(cursor, draft, at_start=starts)
    if any(isinstance(ask, TopAsk) and ask.by is None for ask in asks):
        yield read_rank
    yield from (read_growth, read_share, read_pivot, read_conditions, read_having, read_group, read_measures)
    yield from (_read_named_fields, _read_mark)


@attempt
def _read_named_fields(cursor: Cursor, draft: Draft) -> FieldsAsk | None:
    """Return columns that are only named."""
    start = cursor.at
    fields = read_fields(cursor, draft)
    if not fields:
        return None
    as_columns = cursor.is_followed_by("列", "字段", "这一列", "这列", "column", "field")
    if cursor.token.number is not None and "column_word" in cursor.peek(1).classes:
        as_columns = True
        cursor.at += 2
    return FieldsAsk(text=cursor.written(start), fields=fields, as_columns=as_columns)


_BEFORE_COLUMN = {"sum_verb", "by", "each", "sort_by", "aggregate", "new_column"}
_BEHIND_COLUMN = {
    "compare",
    "super",
    "top",
    "direction",
    "aggregate_behind",
    "matches",
    "empty",
    "share",
    "growth",
    "by",
}
_LISTS_AT_END = ("哪些", "有哪些", "谁", "哪几个")
_DRAWS = ("plot", "draw", "画", "绘制", "画出")
_MARKS: dict[str, MarkKind] = {
    "list": "list",
    "keep": "keep",
    "verb": "verb",
    "sum_verb": "sum_verb",
    "count_verb": "count_verb",
    "whole": "whole",
    "group_word": "group_word",
    "what": "what",
    "be": "verb",
    "chart_verb": "verb",
    "also": "also",
    "join": "also",
    "then": "also",
}


@attempt
def _read_mark(cursor: Cursor, draft: Draft) -> Mark | None:
    token = cursor.token
    if token.folded in _LISTS_AT_END and cursor.peek(1).separator == "end":
        cursor.next()
        return Mark(kind="verb", text=token.text)
    ahead = cursor.peek(2) if "filler" in cursor.peek(1).classes else cursor.peek(1)
    if {"then", "top"} <= token.classes.keys() and ahead.classes.keys() & {"unit", "unit_by"}:
        return None  # 最后一个季度
    for word_class, kind in _MARKS.items():
        if word_class in token.classes and (word_class != "chart_verb" or token.folded in _DRAWS):
            cursor.next()
            return Mark(kind="keep" if "keep" in token.classes and kind == "list" else kind, text=token.text)
    if (noun := token.classes.get("noun")) and not token.fields and is_record_noun(noun, draft):
        cursor.next()
        return Mark(kind="noun", text=token.text)
    if "after_step" in token.classes:
        cursor.next()
        return Mark(kind="also", text=token.text)
    if token.tables and draft.table.key in token.tables and not token.fields:
        cursor.next()
        return Mark(kind="noun", text=token.text)
    return None


def _skip_idle(cursor: Cursor) -> None:
    """Skip words that add nothing where a phrase begins."""
    while cursor.skip("filler") or (not cursor.peek(1).number and cursor.skip("first")):
        pass
    while cursor.token.separator == ":":
        cursor.next()


def _refuse_rest(cursor: Cursor, draft: Draft, asks: list[Ask]) -> NoReturn:
    """Refuse because of the next token, as a missing column where one was expected."""
    place, known = cursor.at, cursor.token.known
    about = _unknown(cursor)
    if not known and _expects_column(cursor, place, asks):
        draft.refuse("missing_column", "no_such_column", about, nearest(about, draft.titles()))
    draft.refuse("outside", "not_understood", about)


def _expects_column(cursor: Cursor, place: int, asks: list[Ask]) -> bool:
    """Return whether only a column can stand where an unknown word does: behind 各门店, before 大于 or 最高."""
    before = cursor.tokens[place - 1].classes if place else {}
    after = cursor.token.classes
    if before.keys() & _BEFORE_COLUMN or after.keys() & _BEHIND_COLUMN:
        return True
    return bool(asks) and isinstance(asks[-1], GroupAsk)


def _unknown(cursor: Cursor) -> str:
    """Return the next token with the unknown or one-character tokens that touch it: 退款, not 退."""
    start = cursor.at
    while start > 0 and _belongs(cursor.tokens[start - 1]) and _touch(cursor, start - 1):
        start -= 1
    cursor.next()
    while not cursor.done and cursor.touches() and (not cursor.token.known or _belongs(cursor.token)):
        cursor.next()
    return cursor.written(start) or cursor.text


def _touch(cursor: Cursor, place: int) -> bool:
    one, other = cursor.tokens[place], cursor.tokens[place + 1]
    return one.end == other.start


def _belongs(token: Token) -> bool:
    return not token.known or (len(token.folded) == 1 and token.classes.keys() <= {"counted", "amount_word"})
