"""Python source for columns, dates, conditions and formulas of a plan."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime

from mindatlas.nodes.atlassplit.parts.planner.conditions import (
    AllOf,
    AnyOf,
    Compare,
    CompareColumns,
    Condition,
    During,
    Empty,
    Matches,
    Not,
    OneOf,
)
from mindatlas.nodes.atlassplit.parts.planner.operations import Key
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Arithmetic, Column, Expression, Number, Unit
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName

_READERS = {"number_text": "to_number", "date_text": "to_date"}
_LABELS: dict[Unit, str] = {
    "day": "{}.dt.normalize()",
    "week": '{}.dt.to_period("W").dt.start_time',
    "month": '{}.dt.strftime("%Y-%m")',
    "quarter": '{}.dt.to_period("Q").dt.strftime("%YQ%q")',
    "year": '{}.dt.year.astype("Int64")',
}
_PERIODS: dict[Unit, str] = {"day": "D", "week": "W", "month": "M", "quarter": "Q", "year": "Y"}
_PERIOD_LABELS: dict[Unit, str] = {
    "day": "{}.dt.start_time",
    "week": "{}.dt.start_time",
    "month": '{}.dt.strftime("%Y-%m")',
    "quarter": '{}.dt.strftime("%YQ%q")',
    "year": '{0}.dt.year.where({0}.notna()).astype("Int64")',  # the year of no period is -1
}
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2}


def label(name: ColumnName) -> str:
    """Return the source of a column label."""
    return f"pd.Timestamp({name.isoformat()!r})" if isinstance(name, datetime) else repr(name)


def labels(names: Iterable[ColumnName]) -> str:
    """Return the source of a list of column labels."""
    return f"[{', '.join(map(label, names))}]"


def shown(name: object) -> str:
    """Return a name for a comment, on one line."""
    return " ".join(str(name).split())


def raw(column: Column, table: str = "table") -> str:
    """Return the source of a column as it is stored."""
    return f"{table}[{label(column.name)}]"


def values(column: Column, table: str = "table") -> str:
    """Return the source of a column's values, parsed where they are stored as text."""
    reader = _READERS.get(column.stored)
    return f"{reader}({raw(column, table)})" if reader else raw(column, table)


def key_values(key: Key, *, as_period: bool = False) -> str:
    """Return the source of the groups that a key puts rows into.

    Calendar units become labels, or with `as_period` periods that can be counted on from.
    """
    if key.unit is not None:
        form = f'{{}}.dt.to_period("{_PERIODS[key.unit]}")' if as_period else _LABELS[key.unit]
        source = form.format(values(key.column))
    else:
        source = f"one_spelling({raw(key.column)})" if key.folded else labels_of(key.column)
    plain = key.unit is None and key.name == key.column.name
    return source if plain else f"{source}.rename({label(key.name)})"


def labels_of(column: Column, table: str = "table") -> str:
    """Return the source of a column as labels: 2022 stays 2022 where blanks among them made it 2022.0."""
    return f'{raw(column, table)}.astype("Int64")' if column.whole else raw(column, table)


def period_label(name: ColumnName, unit: Unit) -> str:
    """Return the source of the labels of a column of periods."""
    return _PERIOD_LABELS[unit].format(f"table[{label(name)}]")


def condition(wanted: Condition) -> str:
    """Return the source of a condition, as a boolean Series."""
    if isinstance(wanted, Not):
        return f"~{_enclosed(wanted.condition)}"
    if isinstance(wanted, AllOf):
        return " & ".join(map(_enclosed, wanted.conditions))
    if isinstance(wanted, AnyOf):
        return " | ".join(map(_enclosed, wanted.conditions))
    if isinstance(wanted, Compare):
        return f"{values(wanted.column)} {wanted.comparison} {number(wanted.value)}"
    if isinstance(wanted, CompareColumns):
        return f"{values(wanted.column)} {wanted.comparison} {values(wanted.other)}"
    if isinstance(wanted, OneOf):
        return _one_of(wanted)
    if isinstance(wanted, Matches):
        return _matches(wanted)
    return _during(wanted) if isinstance(wanted, During) else _empty(wanted)


def formula(expression: Expression, outer: int = 0) -> str:
    """Return the source of a formula; dividing by zero gives a missing value."""
    if isinstance(expression, Number):
        return number(expression.value)
    if isinstance(expression, Column):
        return values(expression)
    binding = _BINDING[expression.operator]
    left, right = formula(expression.left, binding), formula(expression.right, binding + 1)
    if expression.operator == "/":
        right = _divisor(expression, right)
    source = f"{left} {expression.operator} {right}"
    return f"({source})" if binding < outer else source


def number(value: float) -> str:
    """Return the source of a number, whole ones without a point."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)


def _divisor(division: Arithmetic, source: str) -> str:
    if isinstance(division.right, Number):
        return source if division.right.value else "np.nan"
    return f"{source}.where(lambda divisor: divisor != 0)"


def _enclosed(wanted: Condition) -> str:
    source = condition(wanted)
    single = isinstance(wanted, OneOf | Matches) or (isinstance(wanted, During | Empty) and " " not in source)
    return source if single else f"({source})"


def _one_of(wanted: OneOf) -> str:
    column = wanted.column
    if column.kind == "boolean":
        flags = [value.strip().lower() == "true" for value in wanted.values]
        return f"{raw(column)}.isin({flags})"
    if wanted.listed and column.kind == "text":
        return f"{raw(column)}.isin({list(wanted.values)!r})"
    if wanted.listed:
        return f"folded({raw(column)}).isin({[_folded(value) for value in wanted.values]!r})"
    return f"folded({raw(column)}).isin({[_folded(value) for value in wanted.values]!r})"


def _matches(wanted: Matches) -> str:
    method = {"contains": "contains", "starts": "startswith", "ends": "endswith"}[wanted.how]
    option = ", regex=False" if wanted.how == "contains" else ""
    sources = [
        f"folded({raw(wanted.column)}).str.{method}({_folded(text)!r}{option}, na=False)"
        for text in wanted.texts
    ]
    return sources[0] if len(sources) == 1 else f"({' | '.join(sources)})"


def _during(wanted: During) -> str:
    source = values(wanted.column)
    if wanted.unit is not None and wanted.unit not in ("day", "week"):
        first, last = _unit_label(wanted.start, wanted.unit), _unit_label(wanted.end, wanted.unit)
        return _bounded(source, first, last, "<=")
    first = _day(wanted.start) if wanted.start else None
    last = _day(date.fromordinal(wanted.end.toordinal() + 1)) if wanted.end else None
    return _bounded(source, first, last, "<")


def _bounded(source: str, first: str | None, last: str | None, last_sign: str) -> str:
    low = f"{source} >= {first}" if first else ""
    high = f"{source} {last_sign} {last}" if last else ""
    return f"({low}) & ({high})" if low and high else low or high


def _day(day: date) -> str:
    return f"pd.Timestamp({day.isoformat()!r})"


def _unit_label(day: date | None, unit: Unit) -> str | None:
    if day is None:
        return None
    if unit == "year":
        return str(day.year)
    return repr(f"{day:%Y-%m}" if unit == "month" else f"{day.year}Q{(day.month + 2) // 3}")


def _empty(wanted: Empty) -> str:
    source = raw(wanted.column)
    if wanted.column.kind in ("text", "mixed") or wanted.column.stored != "value":
        return f'{source}.astype("string").str.strip().fillna("").eq("")'
    return f"{source}.isna()"


def _folded(text: str) -> str:
    import unicodedata

    return unicodedata.normalize("NFKC", text).strip().casefold()
