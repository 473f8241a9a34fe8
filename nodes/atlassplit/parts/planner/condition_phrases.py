"""Reads conditions joined by and or or, and those that rows are to be removed by."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import ConditionAsk
from mindatlas.nodes.atlassplit.parts.planner.condition_terms import read_term
from mindatlas.nodes.atlassplit.parts.planner.conditions import AnyOf, Condition, Not, all_of
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.terms import Term


@attempt
def read_conditions(cursor: Cursor, draft: Draft) -> ConditionAsk | None:
    """Return the conditions that stand here, joined as they are written.

    Several without a word between them must all be met. And and or in one phrase are refused.
    """
    start = cursor.at
    _skip_openers(cursor)
    excluded = _exclusion(cursor, draft, start)
    if excluded is not None:
        return excluded
    first = read_term(cursor, draft)
    if first is None:
        return None
    terms, joints = [first], set[str]()
    while more := _further(cursor, draft):
        joints.add(more[0])
        terms.append(more[1])
    if len(joints) > 1:
        draft.refuse("ambiguous", "and_or", cursor.written(start))
    return _ask(cursor.written(start), terms, any_of="or" in joints)


def _ask(text: str, terms: list[Term], *, any_of: bool) -> ConditionAsk:
    parts = tuple(term.condition for term in terms)
    condition: Condition = AnyOf(conditions=parts) if any_of and len(parts) > 1 else all_of(parts)
    listed = tuple(term.listed for term in terms if term.listed is not None)
    return ConditionAsk(
        text=text, condition=condition, listed=listed, only_dates=all(term.is_date for term in terms)
    )


def _skip_openers(cursor: Cursor) -> None:
    cursor.skip("filler", "where")
    if cursor.token.folded in ("are", "is") and cursor.peek(1).folded in ("from", "in"):
        cursor.next()


def _further(cursor: Cursor, draft: Draft, *, excluding: bool = False) -> tuple[str, Term] | None:
    """Return the next condition and whether it is joined by and or by or."""
    start = cursor.at
    cursor.skip("filler")
    if cursor.token.separator == "," and "or" in cursor.peek(1).classes:
        cursor.next()
    joint = "and"
    values_allowed = True
    if cursor.take("or"):
        joint = "or"
    elif cursor.sees("also", "join"):
        cursor.next()
        values_allowed = False
    _skip_openers(cursor)
    term = read_term(cursor, draft, excluding=excluding)
    if term is None or (term.bare and not term.is_date and not values_allowed):
        cursor.at = start
        return None
    return joint, term


@attempt
def _exclusion(cursor: Cursor, draft: Draft, start: int) -> ConditionAsk | None:
    """Read 排除北京, 除了北京以外, 删除备注为空的行, excluding returns: rows that meet it are removed."""
    if cursor.take("exclude") is None:
        return None
    cursor.skip("filler", "whole")
    if cursor.sees("noun") and cursor.peek(1).classes.keys() & {"where"}:
        cursor.next()
    cursor.skip("filler", "where")
    if cursor.token.folded in ("in", "from") or (cursor.sees("noun") and cursor.peek(1).values):
        cursor.next()
    first = read_term(cursor, draft, excluding=True)
    if first is None:
        return None
    terms, joints = [first], set[str]()
    joined = cursor.sees("also", "join", "or")
    while more := _further(cursor, draft, excluding=True):
        if first.bare and not more[1].bare and not joined:
            draft.refuse("ambiguous", "exclusion_scope", cursor.written(start))
        joints.add(more[0])
        terms.append(more[1])
        joined = cursor.sees("also", "join", "or")
    if len(joints) > 1:
        draft.refuse("ambiguous", "and_or", cursor.written(start))
    cursor.skip("filler", "exclude_end")
    ask = _ask(cursor.written(start), terms, any_of="or" in joints)
    return ConditionAsk(text=ask.text, condition=Not(condition=ask.condition), only_dates=ask.only_dates)
