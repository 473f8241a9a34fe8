"""Reads the conditions of a column that is named: 金额大于10且小于20, 备注为空, status is not Lost."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.cell_match import (
    begins_name,
    lists_values,
    read_values,
)
from mindatlas.nodes.atlassplit.parts.planner.column_match import scale_in_name
from mindatlas.nodes.atlassplit.parts.planner.condition_dates import read_dates
from mindatlas.nodes.atlassplit.parts.planner.condition_numbers import COMPARISONS, condition_of, read_bounds
from mindatlas.nodes.atlassplit.parts.planner.condition_texts import read_text_match
from mindatlas.nodes.atlassplit.parts.planner.conditions import (
    AnyOf,
    CompareColumns,
    Condition,
    Empty,
    Not,
    OneOf,
    all_of,
)
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.terms import Term
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token

_FLAGS = {"是": "True", "yes": "True", "true": "True", "真": "True"} | dict.fromkeys(
    ("否", "no", "false", "假"), "False"
)


def read_on_field(cursor: Cursor, draft: Draft) -> Term | None:
    """Read a condition that names its column."""
    start = cursor.at
    token = cursor.next()
    cursor.skip("filler", "both_not")
    first = _of_field(cursor, draft, token)
    if first is None:
        cursor.at = start
        return None
    parts, joints = [first[0]], set[str]()
    while more := _further_of_field(cursor, draft, token):
        joints.add(more[0])
        parts.append(more[1])
    if len(joints) > 1:
        draft.refuse("ambiguous", "and_or", cursor.written(start))
    if not joints:
        listed = _only_listed(cursor, start, first[0])
        return Term(condition=first[0], is_date=first[1], listed=token.fields[0].column if listed else None)
    condition = AnyOf(conditions=tuple(parts)) if "or" in joints else all_of(tuple(parts))
    return Term(condition=condition)


def _only_listed(cursor: Cursor, start: int, condition: Condition) -> bool:
    """Return whether values stand behind their column with no more than and between them: 等级A和B."""
    read = cursor.tokens[start : cursor.at]
    marked = any(token.classes.keys() & {"compare", "between", "paren"} for token in read)
    return isinstance(condition, OneOf) and not marked and any("join" in token.classes for token in read)


def _of_field(cursor: Cursor, draft: Draft, token: Token) -> tuple[Condition, bool] | None:
    """Return one condition of a column, and whether it is about time."""
    for reader in (_empty, _dates, _numbers, _columns, read_text_match, _values):
        at = cursor.at
        if condition := reader(cursor, draft, token):
            return condition, reader is _dates
        cursor.at = at
    return None


def _further_of_field(cursor: Cursor, draft: Draft, token: Token) -> tuple[str, Condition] | None:
    """Return one more condition of the same column and its joint: 大于10且小于20, 包含A但不包含B, below 5 or above 9."""
    start = cursor.at
    joint = "or" if cursor.take("or") else "and"
    cursor.skip("filler", "also")
    signs = ("compare", "matches", "matches_not", "empty", "sign")
    found = _of_field(cursor, draft, token) if cursor.sees(*signs) and not cursor.token.fields else None
    if found is None:
        cursor.at = start
        return None
    return joint, found[0]


def _empty(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    state = cursor.take("empty")
    if state is None or (state == "empty" and cursor.is_followed_by("的列", "列")):
        return None
    condition = Empty(column=draft.choose(token).column)
    return condition if state == "empty" else Not(condition=condition)


def _dates(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    if not any(item.is_date or item.unit for item in token.fields):
        return None
    found = read_dates(cursor, draft, token if any(item.is_date for item in token.fields) else None)
    return None if found is None else found.condition


def _numbers(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    if not any(item.is_number for item in token.fields):
        return None
    bounds = read_bounds(cursor, draft, of_column=True)
    if bounds is None:
        return None
    only_equals = all(bound.comparison in ("==", "!=") for bound in bounds)
    item = draft.number(token, code_allowed=only_equals)
    return condition_of(draft, item, bounds)


def _columns(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    """Read 大于预算, > budget: a comparison with another column of numbers."""
    if not any(item.is_number for item in token.fields):
        return None
    sign = cursor.take("compare")
    if sign == "==" and cursor.sees("compare"):
        sign = cursor.take("compare")  # is less than
    cursor.skip("filler")
    other = cursor.next() if sign else None
    if sign is None or other is None or not any(item.is_number for item in other.fields) or other.values:
        return None
    if cursor.sees("math", "aggregate_behind", "amount_word", "pair") or cursor.token.number:
        return None
    left, right = draft.number(token), draft.number(other)
    if left.column == right.column:
        return None
    if scale_in_name(left.title) != scale_in_name(right.title):
        draft.refuse("ambiguous", "unit_scale", other.text, column=left.title)
    return CompareColumns(column=left.column, comparison=COMPARISONS[sign], other=right.column)


def _values(cursor: Cursor, draft: Draft, token: Token) -> Condition | None:
    """Read 为X, 不是X, 是X或Y, is X, and a value right behind its column (城市北京)."""
    sign = cursor.take("compare", "between")
    if sign not in (None, "==", "!=", "between"):
        return None
    if cursor.token.folded == "neither" and sign == "==":
        cursor.next()
        sign = "!="
    first = cursor.peek(1) if cursor.sees("paren") else cursor.token
    if sign is None and not any(value.field in token.fields for value in first.values):
        return None
    candidates = tuple(item for item in token.fields if item.column.kind in ("text", "mixed", "boolean"))
    if not candidates and not any(item.is_code for item in token.fields):
        return None
    if not begins_name(cursor):
        cursor.skip("filler")
    bracketed = cursor.take("paren") == "open"
    item = draft.choose(token, candidates)
    if item.column.kind == "boolean" and (flag := _FLAGS.get(cursor.token.folded)) and not bracketed:
        cursor.next()
        flagged = OneOf(column=item.column, values=(flag,), listed=True)
        return Not(condition=flagged) if sign == "!=" else flagged
    if cursor.token.dates is not None and not cursor.token.values and not lists_values(item):
        return None
    found = read_values(cursor, draft, item)
    if found is None or (bracketed and cursor.take("paren") != "close"):
        return None
    return Not(condition=found) if sign == "!=" else found
