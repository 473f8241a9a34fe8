"""Reads what to group by: columns, and calendar units of dates."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import GroupAsk
from mindatlas.nodes.atlassplit.parts.planner.column_match import column_names, is_additive, plain_name
from mindatlas.nodes.atlassplit.parts.planner.cursor import Cursor, attempt
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.lexicon import folded_values
from mindatlas.nodes.atlassplit.parts.planner.operations import Key
from mindatlas.nodes.atlassplit.parts.planner.plan import Language
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Unit
from mindatlas.nodes.atlassplit.parts.planner.tokens import Token

_UNIT_NAMES: dict[Language, dict[Unit, str]] = {
    "zh": {"day": "日期", "week": "周", "month": "月份", "quarter": "季度", "year": "年份"},
    "en": {"day": "date", "week": "week", "month": "month", "quarter": "quarter", "year": "year"},
}
_UNITS: dict[str, Unit] = {unit: unit for unit in _UNIT_NAMES["en"]}


@attempt
def read_group(cursor: Cursor, draft: Draft) -> GroupAsk | None:
    """Return the groups of a phrase such as 按门店和月份, 每个门店, 每月, by region and month, per store."""
    start = cursor.at
    cursor.skip("filler")
    keys: list[Key] = []
    while key := _marked_key(cursor, draft, further=bool(keys)):
        keys.append(key)
        keys += _joined_keys(cursor, draft)
    if not keys and (named := _named_as_dimension(cursor, draft)):
        keys = named
    if not keys:
        return None
    cursor.skip("group_word")
    return GroupAsk(text=cursor.written(start), keys=tuple(dict.fromkeys(keys)))


def read_key(cursor: Cursor, draft: Draft) -> Key | None:
    """Return a column, a calendar unit, or the unit of a named date column (下单日期的月份)."""
    cursor.skip("filler")
    token = cursor.token
    if token.fields:
        cursor.next()
        return _field_or_its_unit(cursor, draft, token)
    stem = draft.date_called(token) if cursor.peek(1).classes.keys() & {"unit", "unit_by"} else None
    if stem is not None:
        cursor.next()  # order month, 下单月份
        return key_of_unit(_unit(cursor.token), draft, cursor.next().text, stem)
    if not cursor.sees("unit_by", "unit"):
        return None
    cursor.next()
    cursor.skip("filler")
    if cursor.token.fields and all(item.is_date for item in cursor.token.fields) and token.folded.isascii():
        of = draft.choose(cursor.next())  # month of order date
        return key_of_unit(_unit(token), draft, token.text, of)
    return key_of_unit(_unit(token), draft, token.text)


def key_of_field(draft: Draft, item: Field, text: str) -> Key:
    """Return the key for a column; figures are no groups, dates are grouped by day."""
    column = item.column
    if item.unit is not None or item.role == "key":
        return Key(column=column, name=item.name, unit=item.unit)
    if item.is_date:
        if any(pattern.startswith("D/M") for pattern in column.patterns):
            draft.refuse("ambiguous", "date_order", item.title)
        if item.card is not None and item.card.type == "datetime" and not _names_days(item):
            draft.refuse("ambiguous", "which_period", text)
        return Key(column=column, name=item.name, unit="month" if _holds_months(item) else "day")
    if not groups_by(item):
        draft.refuse("ambiguous", "not_a_group", text)
    return Key(column=column, name=item.name, folded=_may_vary(item, draft))


def key_of_unit(unit: Unit, draft: Draft, text: str, of: Field | None = None) -> Key:
    """Return the key for a calendar unit of the date column `of`, or of the only one there is."""
    present = [item for item in draft.fields if item.unit == unit]
    if present and of is None:
        return Key(column=present[0].column, name=present[0].name, unit=unit)
    named = draft.unit_fields(unit) if of is None else ()
    dates = [item for item in draft.fields if item.is_date]
    if named and any(item not in named for item in dates):
        titles = tuple(item.title for item in (*named, *dates))
        draft.refuse("ambiguous", "which_column", text, tuple(dict.fromkeys(titles)))
    if named and not dates:
        if len(named) > 1:
            draft.refuse("ambiguous", "which_column", text, tuple(item.title for item in named))
        only = next(iter(named))
        draft.column_map.setdefault(text, str(only.name))
        return Key(column=only.column, name=only.name, folded=_may_vary(only, draft))
    item = of or draft.date(text)
    draft.column_map.setdefault(text, str(item.name))
    return Key(column=item.column, name=_UNIT_NAMES[draft.language][unit], unit=unit)


def _marked_key(cursor: Cursor, draft: Draft, *, further: bool) -> Key | None:
    """Return the key behind a word such as 按 or each, or a word that holds both (每月)."""
    start = cursor.at
    if further:
        cursor.skip("filler")
        cursor.take("join")
    if cursor.sees("unit_by") and not cursor.token.fields:
        token = cursor.token
        cursor.next()
        return key_of_unit(_unit(token), draft, token.text)
    if not cursor.sees("by", "each") and not (cursor.sees("different") and not further):
        cursor.at = start
        return None
    cursor.next()
    cursor.skip("filler", "each", "different")
    if not further and not cursor.token.known and draft.date_called(cursor.token) is None:
        _missing(cursor, draft)
    if further and not _starts_key(cursor, draft):
        cursor.at = start
        return None
    key = read_key(cursor, draft)
    if key is None:
        cursor.at = start
    return key


def _missing(cursor: Cursor, draft: Draft) -> None:
    about = cursor.token.text
    draft.refuse("missing_column", "no_such_column", about, draft.titles())


def _joined_keys(cursor: Cursor, draft: Draft) -> list[Key]:
    """Return further keys joined by 和, and, 、, + or /, as far as they are keys."""
    keys: list[Key] = []
    while True:
        start = cursor.at
        cursor.skip("filler")
        if not (cursor.take("join") or (cursor.token.folded in ("+", "/", "×") and cursor.next())):
            break
        cursor.skip("filler", "each", "by")
        if not _starts_key(cursor, draft):
            cursor.at = start
            break
        key = read_key(cursor, draft)
        if key is None:
            cursor.at = start
            break
        keys.append(key)
    return keys


def _starts_key(cursor: Cursor, draft: Draft) -> bool:
    token = cursor.token
    if token.fields:
        return any(groups_by(item) or item.is_date for item in token.fields)
    return cursor.sees("unit", "unit_by") or draft.date_called(token) is not None


@attempt
def _named_as_dimension(cursor: Cursor, draft: Draft) -> list[Key] | None:
    """Return keys that only the word behind them makes groups: 门店维度, 门店分别."""
    ahead = (cursor.peek(place) for place in range(1, 8))
    if not _starts_key(cursor, draft) or not any("group_word" in token.classes for token in ahead):
        return None
    key = read_key(cursor, draft)
    if key is None:
        return None
    keys = [key, *_joined_keys(cursor, draft)]
    return keys if cursor.sees("group_word") else None


def _field_or_its_unit(cursor: Cursor, draft: Draft, token: Token) -> Key:
    item = token.fields[0]
    start = cursor.at
    cursor.skip("filler")
    if item.is_date and cursor.sees("unit", "unit_by") and not cursor.token.fields:
        word = cursor.next()
        return key_of_unit(_unit(word), draft, word.text, draft.choose(token))
    cursor.at = start
    return key_of_field(draft, draft.choose(token), token.text)


def _unit(token: Token) -> Unit:
    return _UNITS[token.classes.get("unit") or token.classes["unit_by"]]


def groups_by(item: Field) -> bool:
    """Return whether a column may be grouped by: names, codes, years, levels, but no amounts."""
    if not item.is_number:
        return item.column.kind in ("text", "boolean", "mixed")
    if item.role in ("measure", "derived") or item.column.stored != "value" or item.card is None:
        return False
    named = plain_name(item.title) in column_names().units
    return item.card.type == "integer" and (item.is_code or named or not is_additive(item))


def _holds_months(item: Field) -> bool:
    """Return whether a column's dates are texts such as 2024-01, without a day."""
    return bool(item.column.patterns) and set(item.column.patterns) <= {"YYYY-MM", "YYYY年M月"}


def _names_days(item: Field) -> bool:
    return any(word in plain_name(item.title) for word in ("日期", "date", "日"))


def _may_vary(item: Field, draft: Draft) -> bool:
    """Return whether the texts of a column differ in case, width or outer spaces only, or may for all we know."""
    if item.card is None or item.column.kind != "text":
        return False
    if len(item.card.values) < item.card.distinct:
        return True
    varies = any(len(written) > 1 for written in folded_values(item.card.values).values())
    if varies:
        draft.tell("also_folded", about=item.title)
    return varies
