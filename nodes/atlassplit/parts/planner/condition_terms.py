"""Reads one condition: on a named column, on a value that only one column has, or on time."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import HavingAsk, MeasureAsk
from mindatlas.nodes.atlassplit.parts.planner.bare_values import (
    opens_values,
    read_bare_values,
    read_denied_values,
)
from mindatlas.nodes.atlassplit.parts.planner.column_match import plain_name
from mindatlas.nodes.atlassplit.parts.planner.condition_dates import read_dates
from mindatlas.nodes.atlassplit.parts.planner.condition_numbers import condition_of, read_bounds
from mindatlas.nodes.atlassplit.parts.planner.conditions import (
    Empty,
    Not,
    columns_of,
)
from mindatlas.nodes.atlassplit.parts.planner.counts import is_record_noun, rows_measure
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.field_conditions import read_on_field
from mindatlas.nodes.atlassplit.parts.planner.measures import read_measure
from mindatlas.nodes.atlassplit.parts.planner.terms import Term


@attempt
def read_term(cursor: Cursor, draft: Draft, *, excluding: bool = False) -> Term | None:
    """Return the condition that stands here, None when none does.

    Behind a word such as 除 the 以外 at its end belongs to that word, which `excluding` says.
    """
    cursor.skip("filler")
    if opens_values(cursor):
        cursor.next()
        cursor.skip("filler")
    if denied := read_denied_values(cursor, draft):
        return denied
    token = cursor.token
    if token.fields and not token.total and (found := read_on_field(cursor, draft)):
        return found
    if "lack" in token.classes and cursor.peek(1).fields:
        return _lacking(cursor, draft)
    if "empty" in token.classes and cursor.peek(1).fields and token.folded.isascii():
        return _empty_before(cursor, draft)
    if "compare" in token.classes and (found := _number_first(cursor, draft)):
        return found
    if token.number is not None and (aged := _aged(cursor, draft)):
        return aged
    if token.values and (values := read_bare_values(cursor, draft, excluding=excluding)):
        return values
    dates = read_dates(cursor, draft)
    if dates is not None:
        listed = columns_of(dates.condition)[0] if dates.several else None
        return Term(condition=dates.condition, listed=listed, is_date=True, bare=True)
    return read_bare_values(cursor, draft, excluding=excluding)


@attempt
def read_having(cursor: Cursor, draft: Draft) -> HavingAsk | None:
    """Return a condition on a figure of groups: 总销售额大于1000, or 大于1000 once rows are grouped."""
    start = cursor.at
    cursor.skip("filler", "where")
    measure = None
    counted = cursor.sees("compare", "between")
    if not counted:
        measure = read_measure(cursor, draft) or _named_total(cursor, draft)
        if measure is None or measure.function is None:
            return None
    bounds = read_bounds(cursor, draft)
    if bounds is None or len(bounds) != 1:
        return None
    cursor.skip("filler")
    if counted and (noun := cursor.token.classes.get("noun")) and not cursor.token.fields:
        if not is_record_noun(noun, draft):
            return None
        measure = rows_measure(draft, cursor.next().text)
    elif counted and draft.stage != "groups":
        return None
    return HavingAsk(
        text=cursor.written(start),
        measure=measure,
        bound=bounds[0],
    )


def _named_total(cursor: Cursor, draft: Draft) -> MeasureAsk | None:
    """Read 合计, average: the only figure of the groups that was made by that function."""
    text, word = cursor.token.text, cursor.take("aggregate", "aggregate_behind")
    made = [item for item in draft.fields if item.measure is not None and item.measure.function == word]
    if word is None or draft.stage != "groups" or len(made) != 1 or made[0].measure is None:
        return None
    return MeasureAsk(text=text, function=made[0].measure.function, field=made[0])


def _lacking(cursor: Cursor, draft: Draft) -> Term | None:
    """Read 没有备注, without remarks; without the column 备注 is about the column, not its cells."""
    cursor.next()
    token = cursor.next()
    if cursor.is_followed_by("列", "字段", "这一列", "这列", "column", "field"):
        return None
    item = draft.choose(token)
    if item.is_number and item.card and item.card.minimum and float(item.card.minimum) <= 0:
        draft.refuse("ambiguous", "empty_or_zero", token.text)  # no delay may be a delay of 0
    return Term(condition=Empty(column=item.column))


def _empty_before(cursor: Cursor, draft: Draft) -> Term:
    """Read empty remarks, missing dates: the state in front of its column."""
    state = cursor.take("empty")
    condition = Empty(column=draft.choose(cursor.next()).column)
    return Term(condition=condition if state == "empty" else Not(condition=condition))


@attempt
def _number_first(cursor: Cursor, draft: Draft) -> Term | None:
    """Read more than 5 nights: a bound in front of its column, as English has it."""
    bounds = read_bounds(cursor, draft)
    token = cursor.token
    if bounds is None or not token.folded.isascii() or not any(item.is_number for item in token.fields):
        return None
    cursor.next()
    return Term(condition=condition_of(draft, draft.number(token), bounds))


@attempt
def _aged(cursor: Cursor, draft: Draft) -> Term | None:
    """Read 60岁以上: only an age is counted in 岁."""
    ages = [item for item in draft.fields if item.is_number and plain_name(item.title) in ("年龄", "age")]
    if len(ages) != 1 or cursor.peek(1).folded not in ("岁", "years old"):
        return None
    bounds = read_bounds(cursor, draft)
    if bounds is None:
        return None
    draft.column_map.setdefault(bounds[0].text, str(ages[0].name))
    return Term(condition=condition_of(draft, ages[0], bounds))
