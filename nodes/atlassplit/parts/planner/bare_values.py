"""Reads values that are named without their column: 北京和上海, 不是北京, East or West."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.cell_match import (
    one_of,
)
from mindatlas.nodes.atlassplit.parts.planner.conditions import (
    Not,
)
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.terms import Term


def opens_values(cursor: Cursor) -> bool:
    """Return whether a word such as in or from only leads to a value or time."""
    after = cursor.peek(1)
    return cursor.token.folded in ("in", "from", "at", "属于") and bool(after.values or after.dates)


def read_bare_values(cursor: Cursor, draft: Draft, *, excluding: bool = False) -> Term | None:
    """Read values without their column, such as 北京和上海; the column may follow (华东区域)."""
    token = cursor.token
    if not token.values or (token.classes and not token.quoted) or token.fields:
        return None
    fields = tuple(value.field for value in token.values)
    if token.dates is not None and not token.quoted and (dates := _date_titles(draft)):
        titles = (*(item.title for item in fields), *dates)
        draft.refuse("ambiguous", "which_value_column", token.text, titles)
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
    if not excluding and cursor.token.folded in ("以外", "之外"):
        cursor.next()
        cursor.skip("filler")
        return Term(condition=Not(condition=condition))
    return Term(condition=condition, listed=item.column if joined_by_and else None, bare=True)


@attempt
def read_denied_values(cursor: Cursor, draft: Draft) -> Term | None:
    """Read 不是北京, 非北京, not East, neither East nor West: values without their column that must not be."""
    cursor.skip("filler")
    neither = cursor.skip("both_not") > 0 and cursor.peek(-1).folded == "neither"
    if not neither and (cursor.token.folded == "not" or cursor.take("compare") != "!="):
        return None  # not shipped may be said of more than one status
    cursor.skip("filler")
    found = read_bare_values(cursor, draft) if cursor.token.values else None
    return None if found is None else Term(condition=Not(condition=found.condition))


def _date_titles(draft: Draft) -> tuple[str, ...]:
    return tuple(item.title for item in draft.fields if item.is_date)


def _column_behind(cursor: Cursor, fields: tuple[Field, ...]) -> Field | None:
    behind = cursor.peek(1)
    same = [item for item in behind.fields if item in fields]
    return same[0] if len(same) == 1 else None


def _value_list(cursor: Cursor, item: Field) -> tuple[list[str], bool]:
    texts, joined_by_and = [cursor.next().text], False
    while True:
        start = cursor.at
        joined = cursor.take("join")
        if not joined and not cursor.take("or", "nor"):
            break
        cursor.skip("filler")
        if not any(value.field == item for value in cursor.token.values):
            cursor.at = start
            break
        joined_by_and = joined_by_and or bool(joined)
        texts.append(cursor.next().text)
    return texts, joined_by_and
