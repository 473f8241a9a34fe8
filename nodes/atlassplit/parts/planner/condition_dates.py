"""Reads conditions on dates: in a stretch of time, before, after or since one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from mindatlas.nodes.atlassplit.parts.planner.column_match import column_names, plain_name
from mindatlas.nodes.atlassplit.parts.planner.conditions import AnyOf, Compare, Condition, During
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.lexer import in_year
from mindatlas.nodes.atlassplit.parts.planner.spans import are_whole
from mindatlas.nodes.atlassplit.parts.planner.tokens import DateValue, Token
from mindatlas.nodes.date_ranges import DateRange

_DAY = timedelta(days=1)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_OPEN = re.compile(r"以来$|^since ")
_SIDES = {">": "after", ">=": "from", "<": "before", "<=": "until"}


@dataclass(frozen=True, kw_only=True)
class DateCondition:
    """A condition on dates; `several` when it joins stretches that may be meant each by itself."""

    condition: Condition
    column_title: str
    several: bool


@attempt
def read_dates(cursor: Cursor, draft: Draft, of: Token | None = None) -> DateCondition | None:
    """Return the condition of a phrase such as 2024年3月, before 2024-05-01, 2024年3月1日之后, since May 2024.

    Args:
        cursor: Stands at the phrase.
        draft: The plan so far.
        of: The date column, where the request names it.
    """
    cursor.skip("filler", "date_word")
    side = cursor.take("date_side")
    if side is None and cursor.sees("compare", "from", "between"):
        side = _SIDES.get(cursor.next().classes.get("compare", ""), "")
    cursor.skip("filler", "date_word")
    if cursor.token.dates is None or (of is None and _names_column(draft, cursor.token)):
        return None
    tokens = [cursor.next()]
    cursor.skip("date_word")
    side = side or _side_behind(cursor, draft)
    while not side and (more := _joined(cursor)):
        tokens.append(more)
    cursor.skip("date_word", "between_end")
    stem = draft.date_called(cursor.token) if of is None else None
    if stem is not None:
        cursor.next()  # 2024年3月入职
    item = stem or _column(draft, tokens[0], of)
    parts = tuple(_condition(draft, item, token, side or "") for token in _with_years(tokens))
    condition = parts[0] if len(parts) == 1 else AnyOf(conditions=parts)
    return DateCondition(condition=condition, column_title=item.title, several=len(parts) > 1)


def _names_column(draft: Draft, token: Token) -> bool:
    """Return whether a time such as 2024 is the name of a column, in a table without dates."""
    if not token.fields:
        return False
    dates = [item.title for item in draft.fields if item.is_date]
    if dates:
        draft.refuse("ambiguous", "which_column", token.text, (token.fields[0].title, *dates))
    return True


def _with_years(tokens: list[Token]) -> list[Token]:
    """Return times joined in a list, those without a year in that of the first: 2023年1月和3月."""
    first = tokens[0].dates
    if first is None or first.needs_year or first.range.start.year != first.range.end.year:
        return tokens
    return [tokens[0], *(_in_year_of(token, first.range.start.year) for token in tokens[1:])]


def _in_year_of(token: Token, number: int) -> Token:
    found = in_year(token, number) if token.dates is not None and token.dates.needs_year else None
    return token if found is None else replace(token, dates=DateValue(range=found, needs_year=False))


def _side_behind(cursor: Cursor, draft: Draft) -> str | None:
    """Return the side named behind a date: 之前, 以后, 起; 前5 is no date side."""
    if cursor.token.folded in ("以前", "以后"):
        draft.refuse("ambiguous", "inclusive_time", cursor.peek(-1).text + cursor.token.text)
    if cursor.sees("date_side") and not (cursor.sees("top") and cursor.peek(1).number):
        return cursor.take("date_side")
    return None


def _joined(cursor: Cursor) -> Token | None:
    start = cursor.at
    if cursor.take("join", "or") and cursor.token.dates is not None:
        return cursor.next()
    cursor.at = start
    return None


def _column(draft: Draft, token: Token, of: Token | None) -> Field:
    """Return the date column meant, or a column of years where there is no date."""
    if of is not None:
        return draft.date(token.text, of)
    years = [item for item in draft.fields if column_names().units.get(plain_name(item.title)) == "year"]
    years = [item for item in years if not item.is_date and item.unit is None and item.role == "raw"]
    dates = [item for item in draft.fields if item.is_date]
    whole_year = token.dates is not None and token.dates.range.grain == "year"
    if years and dates and whole_year:
        titles = tuple(item.title for item in (*years, *dates))
        draft.refuse("ambiguous", "which_column", token.text, titles)
    if len(years) == 1 and not dates and whole_year:
        return years[0]
    labelled = [item for item in draft.fields if item.unit is not None]
    return labelled[0] if not dates and len(labelled) == 1 else draft.date(token.text)


def _condition(draft: Draft, item: Field, token: Token, side: str) -> Condition:
    days = _days(draft, item, token)
    draft.column_map.setdefault(token.text, str(item.name))
    if not item.is_date and item.unit is None:
        return _of_year(draft, item, token, days, side)
    if not side and _OPEN.search(token.folded):
        side = "from"  # rows after today belong to it as well
    start, end = _ends(days, side)
    if side in ("before", "after"):
        draft.tell("exclusive", about=f"{token.text} {side}" if draft.language == "en" else token.text)
    if not side or side in ("after", "from"):
        _check_covered(draft, item, token, start, None if side else end)
    if item.unit is not None and not are_whole(start, end, item.unit):
        draft.refuse("ambiguous", "parts_of_units", token.text)
    return During(column=item.column, start=start, end=end, unit=item.unit)


def _ends(days: DateRange, side: str) -> tuple[date | None, date | None]:
    if side == "before":
        return None, days.start - _DAY
    if side == "after":
        return days.end + _DAY, None
    if side == "from":
        return days.start, None
    return (None, days.end) if side == "until" else (days.start, days.end)


def _of_year(draft: Draft, item: Field, token: Token, days: DateRange, side: str) -> Condition:
    if side or days.start.year != days.end.year or not item.is_number:
        draft.refuse("outside", "not_understood", token.text)
    values = item.card.values if item.card else ()
    if values and str(days.start.year) not in values:
        draft.refuse("outside", "no_such_value", token.text, values, column=item.title)
    return Compare(column=item.column, comparison="==", value=days.start.year)


def _days(draft: Draft, item: Field, token: Token) -> DateRange:
    """Return the days that a time expression means; one without a year is of the data's year."""
    assert token.dates is not None
    if not token.dates.needs_year:
        return token.dates.range
    years = _years(item)
    if years is None or years[0] != years[1]:
        draft.refuse("ambiguous", "which_year", token.text)
    found = in_year(token, years[0])
    if found is None:
        draft.refuse("ambiguous", "which_year", token.text)
    draft.tell("year", about=token.text, year=str(years[0]))
    return found


def _years(item: Field) -> tuple[int, int] | None:
    """Return the first and last year of a date column, None when the card does not tell."""
    if item.card is None:
        return None
    if item.card.minimum and item.card.maximum:
        return int(item.card.minimum[:4]), int(item.card.maximum[:4])
    if len(item.card.values) < item.card.distinct:
        return None
    years = [int(match[0]) for value in item.card.values if (match := _YEAR.search(value))]
    return (min(years), max(years)) if years else None


def _check_covered(draft: Draft, item: Field, token: Token, start: date | None, end: date | None) -> None:
    """Refuse a time that the data do not reach, instead of giving an empty result."""
    card = item.card
    if card is None or not card.minimum or not card.maximum or not item.is_date:
        return
    first, last = card.minimum[:10], card.maximum[:10]
    if (start and start.isoformat() > last) or (end and end.isoformat() < first):
        draft.refuse("outside", "no_such_time", token.text, first=first, last=last)
