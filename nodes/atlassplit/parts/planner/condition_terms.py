"""Reads one condition: on a named column, on a value that only one column has, or on time."""

from __future__ import annotations

from dataclasses import dataclass

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import HavingAsk
from mindatlas.nodes.atlassplit.parts.planner.cell_match import (
    lists_values,
    one_of,
    read_values,
)
from mindatlas.nodes.atlassplit.parts.planner.condition_dates import read_dates
from mindatlas.nodes.atlassplit.parts.planner.condition_numbers import Bound, condition_of, read_bounds
from mindatlas.nodes.atlassplit.parts.planner.condition_texts import read_text_match
from mindatlas.nodes.atlassplit.parts.planner.conditions import (
    AnyOf,
    Condition,
    Empty,
    Not,
    all_of,
    columns_of,
)
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.measures import read_measure
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token


@dataclass(frozen=True, kw_only=True)
class Term:
    """One condition; `listed` is its column when its values were only named, joined by and."""

    condition: Condition
    listed: Column | None = None
    is_date: bool = False
    bare: bool = False


@attempt
def read_term(cursor: Cursor, draft: Draft) -> Term | None:
    """Return the condition that stands here, None when none does."""
    cursor.skip("filler")
    if _opens_values(cursor):
        cursor.next()
        cursor.skip("filler")
    token = cursor.token
    if token.fields and not token.total and (found := _on_field(cursor, draft)):
        return found
    if "lack" in token.classes and cursor.peek(1).fields:
        return _lacking(cursor, draft)
    if token.values and (values := _bare_values(cursor, draft)):
        return values
    dates = read_dates(cursor, draft)
    if dates is not None:
        listed = columns_of(dates.condition)[0] if dates.several else None
        return Term(condition=dates.condition, listed=listed, is_date=True, bare=True)
    return _bare_values(cursor, draft)


@attempt
def read_having(cursor: Cursor, draft: Draft) -> HavingAsk | None:
    """Return a condition on a figure of groups: 总销售额大于1000, or 大于1000 once rows are grouped."""
    start = cursor.at
    cursor.skip("filler", "where")
    measure = None
    if not cursor.sees("compare", "between"):
        measure = read_measure(cursor, draft)
        if measure is None or measure.function is None:
            return None
    elif draft.stage != "groups":
        return None
    bounds = read_bounds(cursor, draft)
    if bounds is None or len(bounds) != 1:
        return None
    cursor.skip("filler")
    return HavingAsk(
        text=cursor.written(start),
        measure=measure,
        comparison=bounds[0].comparison,
        value=bounds[0].value,
    )


def _on_field(cursor: Cursor, draft: Draft) -> Term | None:
    """Read a condition that names its column."""
    start = cursor.at
    token = cursor.next()
    cursor.skip("filler")
    for reader in (_empty, _dates, _numbers, read_text_match, _values):
        at = cursor.at
        if condition := reader(cursor, draft, token):
            return Term(condition=condition, is_date=reader is _dates)
        cursor.at = at
    cursor.at = start
    return None


def _empty(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    state = cursor.take("empty")
    if state is None:
        return None
    condition = Empty(column=draft.choose(token).column)
    return condition if state == "empty" else Not(condition=condition)


def _lacking(cursor: Cursor, draft: Draft) -> Term:
    cursor.next()
    return Term(condition=Empty(column=draft.choose(cursor.next()).column))


def _dates(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    if not any(item.is_date or item.unit for item in token.fields):
        return None
    found = read_dates(cursor, draft, token if any(item.is_date for item in token.fields) else None)
    return None if found is None else found.condition


def _numbers(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    if not any(item.is_number for item in token.fields):
        return None
    bounds = read_bounds(cursor, draft)
    if bounds is None:
        return None
    only_equals = all(bound.comparison in ("==", "!=") for bound in bounds)
    item = draft.number(token, code_allowed=only_equals)
    first = condition_of(draft, item, bounds)
    joint, more = _further_bounds(cursor, draft)
    if not more:
        return first
    second = condition_of(draft, item, more)
    return AnyOf(conditions=(first, second)) if joint == "or" else all_of((first, second))


def _further_bounds(cursor: Cursor, draft: Draft) -> tuple[str, tuple[Bound, ...]]:
    """Return more bounds of the same column, and what joins them: 大于10且小于20, below 5 or above 9."""
    start = cursor.at
    joint = "or" if cursor.take("or") else "and"
    cursor.skip("filler", "also")
    bounds = read_bounds(cursor, draft) if cursor.sees("compare") else None
    if bounds is None:
        cursor.at = start
    return joint, bounds or ()


def _values(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    """Read 为X, 不是X, 是X或Y, is X, and a value right behind its column (城市北京)."""
    sign = cursor.take("compare", "between")
    if sign not in (None, "==", "!=", "between"):
        return None
    first = cursor.peek(1) if cursor.sees("paren") else cursor.token
    if sign is None and not any(value.field in token.fields for value in first.values):
        return None
    candidates = tuple(item for item in token.fields if item.column.kind in ("text", "mixed", "boolean"))
    if not candidates and not any(item.is_code for item in token.fields):
        return None
    cursor.skip("filler")
    bracketed = cursor.take("paren") == "open"
    item = draft.choose(token, candidates)
    if cursor.token.dates is not None and not cursor.token.values and not lists_values(item):
        return None
    found = read_values(cursor, draft, item)
    if found is None or (bracketed and cursor.take("paren") != "close"):
        return None
    return Not(condition=found) if sign == "!=" else found


def _opens_values(cursor: Cursor) -> bool:
    """Return whether a word such as in or from only leads to a value or time."""
    after = cursor.peek(1)
    return cursor.token.folded in ("in", "from", "at", "属于") and bool(after.values or after.dates)


def _bare_values(cursor: Cursor, draft: Draft) -> Term | None:
    """Read values without their column, such as 北京和上海; the column may follow (华东区域)."""
    token = cursor.token
    if not token.values or (token.classes and not token.quoted) or token.fields:
        return None
    fields = tuple(value.field for value in token.values)
    named = _column_behind(cursor, fields)
    if len(fields) > 1 and named is None:
        titles = tuple(item.title for item in fields)
        draft.refuse("ambiguous", "which_value_column", token.text, titles)
    item = named or next(iter(fields))
    texts, joined_by_and = _value_list(cursor, item)
    cursor.skip("filler")
    if cursor.token.fields == (item,):
        cursor.next()
    if item.card is not None:
        draft.column_map.setdefault(token.text, str(item.name))
    condition = one_of(draft, item, texts)
    return Term(condition=condition, listed=item.column if joined_by_and else None, bare=True)


def _column_behind(cursor: Cursor, fields: tuple[Field, ...]) -> Field | None:
    behind = cursor.peek(1)
    same = [item for item in behind.fields if item in fields]
    return same[0] if len(same) == 1 else None


def _value_list(cursor: Cursor, item: Field) -> tuple[list[str], bool]:
    texts, joined_by_and = [cursor.next().text], False
    while True:
        start = cursor.at
        joined = cursor.take("join")
        if not joined and not cursor.take("or"):
            break
        cursor.skip("filler")
        if not any(value.field == item for value in cursor.token.values):
            cursor.at = start
            break
        joined_by_and = joined_by_and or bool(joined)
        texts.append(cursor.next().text)
    return texts, joined_by_and
