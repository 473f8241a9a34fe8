"""Reads figures: totals, means and other functions of a column, numbers of rows and of different values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk, MeasuresAsk
from mindatlas.nodes.atlassplit.parts.planner.counts import read_count
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.operations import Function
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token

_FUNCTIONS: dict[str, Function] = {
    "sum": "sum",
    "mean": "mean",
    "max": "max",
    "min": "min",
    "median": "median",
}


@attempt
def read_measures(cursor: Cursor, draft: Draft) -> MeasuresAsk | None:
    """Return the figures of a phrase such as 总销售额和平均单价, 数量的最大值, average price, number of orders.

    A function in front of several columns is that of all of them when it is the sum, one behind them when 的
    stands before it; else it is not clear whose it is, and refused.
    """
    items = [_one(cursor, draft)]
    if not items[0]:
        return None
    while more := _next(cursor, draft):
        items.append(more)
    measures, together = _shared_function(items, draft, spread=_is_spread(cursor))
    return MeasuresAsk(measures=tuple(measures), together=together)


@attempt
def read_measure(cursor: Cursor, draft: Draft) -> MeasureAsk | None:
    """Return exactly one figure."""
    measures = _one(cursor, draft)
    return measures[0] if measures and len(measures) == 1 else None


def _next(cursor: Cursor, draft: Draft) -> list[MeasureAsk]:
    start = cursor.at
    cursor.skip("filler")
    if cursor.take("join") or (cursor.token.folded == "以及" and cursor.next()):
        cursor.skip("filler")
        cursor.skip("join")
        found = _one(cursor, draft)
        if found:
            return found
    cursor.at = start
    return []


def _one(cursor: Cursor, draft: Draft) -> list[MeasureAsk]:
    """Return one figure, or several functions of one column."""
    count = read_count(cursor, draft)
    if count is not None:
        return [count]
    start = cursor.at
    cursor.skip("filler")
    functions = _functions(cursor, "aggregate")
    dates = [] if functions else _functions(cursor, "date_aggregate")
    bracketed = bool(functions) and cursor.take("paren") == "open"
    cursor.skip("filler")
    token = cursor.token
    if not _is_figure(token, date_wanted=bool(dates), named=bool(functions)):
        if functions and not token.known and token.text and token.separator == "":
            draft.refuse("missing_column", "no_such_column", token.text, draft.numeric_titles())
        cursor.at = start
        return []
    if not functions and not dates and token.classes.keys() & {"how_many", "count_verb"}:
        draft.refuse("ambiguous", "count_or_column", token.text, column=token.fields[0].title)
    cursor.next()
    if bracketed and cursor.take("paren") != "close":
        cursor.at = start
        return []
    behind = [] if functions or dates else _functions_behind(cursor)
    asked: list[Function] = list(functions or dates or behind)
    if token.total:
        asked.insert(0, "sum")
    return _measures(cursor, draft, token, asked, start)


def _measures(
    cursor: Cursor, draft: Draft, token: Token, asked: Sequence[Function], start: int
) -> list[MeasureAsk]:
    wanted_date = bool(asked) and all(item.is_date for item in token.fields)
    item = draft.date(token.text, token) if wanted_date else draft.number(token)
    text = cursor.written(start)
    if not asked:
        return [MeasureAsk(text=text, function=None, field=item)]
    return [MeasureAsk(text=text, function=function, field=item) for function in dict.fromkeys(asked)]


def _is_figure(token: Token, *, date_wanted: bool, named: bool) -> bool:
    """Return whether a token is a column to compute with; with a function named, an identifier is one to refuse."""
    if date_wanted:
        return any(item.is_date for item in token.fields)
    return any(
        (item.is_number and (named or not item.is_code)) or item.column.kind == "duration"
        for item in token.fields
    )


def _functions(cursor: Cursor, word_class: str) -> list[Function]:
    """Return the functions named here: total, total and average."""
    found: list[Function] = []
    while word := cursor.take(word_class):
        found.append(_FUNCTIONS[word])
        start = cursor.at
        cursor.skip("filler")
        if not (cursor.take("join") and cursor.sees(word_class)) or _opens_next(cursor, word_class):
            cursor.at = start
            break
    return found


def _opens_next(cursor: Cursor, word_class: str) -> bool:
    """Return whether a function behind a column belongs to the next one: 销售额总和、平均单价."""
    return word_class == "aggregate_behind" and bool(cursor.peek(1).fields)


def _functions_behind(cursor: Cursor) -> list[Function]:
    """Return the functions behind a column: 销售额的总和、平均值, price (average)."""
    start = cursor.at
    cursor.skip("filler")
    cursor.skip("paren")
    found = _functions(cursor, "aggregate_behind")
    if not found:
        cursor.at = start
    elif cursor.sees("paren"):
        cursor.next()
    return found


def _is_spread(cursor: Cursor) -> bool:
    """Return whether the function just read stands behind 的, and so behind a whole list: 语文、数学的平均分."""
    word = cursor.peek(-1)
    return "aggregate_behind" in word.classes and cursor.text[: word.start].rstrip().endswith("的")


def _shared_function(
    items: Sequence[list[MeasureAsk]], draft: Draft, *, spread: bool
) -> tuple[list[MeasureAsk], bool]:
    """Return the figures, those without a function with that of their list, and whether they may be meant as one.

    Raises:
        Refused: It is not clear whether a function is that of one column or of all.
    """
    measures = [measure for item in items for measure in item]
    bare = [measure for measure in measures if measure.function is None]
    if not bare or len(bare) == len(measures):
        return measures, False
    first, last = items[0][0].function, [measure.function for measure in items[-1]]
    if first is None and len(bare) == len(items) - 1 and last[0] not in ("rows", "distinct"):
        if not spread and last != ["sum"]:
            draft.refuse("ambiguous", "which_function", bare[0].text)
        shared = [replace(measure, function=function) for measure in bare for function in last]
        return [*shared, *items[-1]], True
    if first not in ("sum", "rows", "distinct", None):
        draft.refuse("ambiguous", "which_function", bare[0].text)
    return measures, False
