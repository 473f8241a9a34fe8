"""Answers by plain Python: groups, sums, shares, growth, cross tables. No pandas, none of the product's code."""

from __future__ import annotations

import datetime as dt
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

Row = Mapping[str, Any]
Cell = str | int | float | None
Figure = Callable[[Sequence[Row]], Any]


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> dict[str, Any]:
    """Return an expected table; numbers become plain JSON numbers, dates ISO 8601."""
    return {
        "kind": "table",
        "columns": list(columns),
        "rows": [[cell(value) for value in row] for row in rows],
    }


def scalar(value: Any) -> dict[str, Any]:
    """Return an expected single value."""
    return {"kind": "scalar", "value": cell(value)}


def tables(parts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return expected tables by name."""
    return {
        "kind": "tables",
        "tables": {name: {key: part[key] for key in ("columns", "rows")} for name, part in parts.items()},
    }


def cell(value: Any) -> Cell:
    """Return a value as JSON holds it; whole Decimals and Fractions as integers."""
    if isinstance(value, Decimal | Fraction):
        return int(value) if value == int(value) else float(value)
    return value.isoformat() if isinstance(value, dt.date) else value


def chosen(rows: Iterable[Row], columns: Sequence[str]) -> dict[str, Any]:
    """Return an expected table of some columns of rows."""
    return table(columns, ([row[name] for name in columns] for row in rows))


def groups(rows: Iterable[Row], *keys: str | Callable[[Row], Any]) -> dict[tuple[Any, ...], list[Row]]:
    """Return rows by the values of keys, in order of the values; a key is a column or a function of a row."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        key = tuple(row[one] if isinstance(one, str) else one(row) for one in keys)
        found.setdefault(key, []).append(row)
    return dict(sorted(found.items()))


def grouped(
    rows: Iterable[Row], keys: Mapping[str, str | Callable[[Row], Any]], /, **figures: Figure
) -> dict[str, Any]:
    """Return an expected table of figures by group; `keys` maps the result's columns to a column or a function."""
    parts = groups(rows, *keys.values())
    return table(
        [*keys, *figures],
        ([*key, *(figure(part) for figure in figures.values())] for key, part in parts.items()),
    )


def total(name: str) -> Figure:
    """Return the sum of a column, blanks left out."""
    return lambda rows: sum(values(rows, name), Fraction(0))


def mean(name: str) -> Figure:
    """Return the mean of a column, blanks left out; None where there is no value."""
    return lambda rows: (
        sum(values(rows, name), Fraction(0)) / len(found) if (found := values(rows, name)) else None
    )


def median(name: str) -> Figure:
    """Return the median of a column, blanks left out."""
    return lambda rows: statistics.median(values(rows, name))


def largest(name: str) -> Figure:
    """Return the largest value of a column, blanks left out."""
    return lambda rows: max(row[name] for row in rows if row[name] is not None)


def smallest(name: str) -> Figure:
    """Return the smallest value of a column, blanks left out."""
    return lambda rows: min(row[name] for row in rows if row[name] is not None)


def different(name: str) -> Figure:
    """Return how many different values a column has, blanks left out."""
    return lambda rows: len({row[name] for row in rows if row[name] is not None})


def values(rows: Iterable[Row], name: str) -> list[Fraction]:
    """Return the numbers of a column as exact fractions, blanks left out."""
    return [Fraction(row[name]) for row in rows if row[name] is not None]


def first(rows: Iterable[Row], count: int, by: Callable[[Row], Any], *, least: bool = False) -> list[Row]:
    """Return the rows with the largest (or least) `by`.

    Raises:
        ValueError: the last place is shared, so that the answer would not be one.
    """
    ordered = sorted(rows, key=by, reverse=not least)
    if len(ordered) > count and by(ordered[count - 1]) == by(ordered[count]):
        raise ValueError(f"place {count} is shared: the task has no single answer")
    return ordered[:count]


def top_groups(
    rows: Iterable[Row], key: str, figure: Figure, count: int, *, least: bool = False
) -> list[list[Any]]:
    """Return [key, figure] of the groups with the largest (or least) figure, in order."""
    lines = [{"key": group[0], "figure": figure(part)} for group, part in groups(rows, key).items()]
    return [
        [line["key"], line["figure"]]
        for line in first(lines, count, lambda line: line["figure"], least=least)
    ]


def shares(rows: Sequence[Row], key: str, name: str) -> list[list[Any]]:
    """Return [key, sum, share of the whole sum] of each group."""
    whole = total(name)(rows)
    return [
        [group[0], total(name)(part), total(name)(part) / whole] for group, part in groups(rows, key).items()
    ]


def growth(figures: Sequence[tuple[Any, Fraction]], lag: int = 1) -> list[list[Any]]:
    """Return [period, figure, (figure - earlier) / earlier]; None where there is no period `lag` before."""
    return [
        [period, figure, None if at < lag else (figure - figures[at - lag][1]) / figures[at - lag][1]]
        for at, (period, figure) in enumerate(figures)
    ]


def by_period(
    rows: Iterable[Row], period: Callable[[Row], Any], figure: Figure
) -> list[tuple[Any, Fraction]]:
    """Return the figure of each period, in order of time."""
    return [(key[0], figure(part)) for key, part in groups(rows, period).items()]


def month(name: str) -> Callable[[Row], str]:
    """Return the month of a date column, as YYYY-MM."""
    return lambda row: str(row[name].strftime("%Y-%m"))


def quarter(name: str) -> Callable[[Row], str]:
    """Return the quarter of a date column, as YYYY-Qn."""
    return lambda row: f"{row[name].year}-Q{(row[name].month + 2) // 3}"


def crossed(
    rows: Iterable[Row], down: str | Callable[[Row], Any], across: str, figure: Figure, *, heading: str = ""
) -> dict[str, Any]:
    """Return an expected cross table: one row a value of `down`, one column a value of `across`.

    Raises:
        ValueError: a pair has no row, so that 0 and blank would both be right.
    """
    rows = list(rows)
    names = sorted({row[across] for row in rows})
    lines = []
    for (key,), part in groups(rows, down).items():
        cells = [[row for row in part if row[across] == name] for name in names]
        if not all(cells):
            raise ValueError(f"{key!r} has no row for each of {names!r}")
        lines.append([key, *map(figure, cells)])
    return table([heading or str(down), *map(str, names)], lines)


def joined(rows: Iterable[Row], others: Iterable[Row], key: str) -> list[dict[str, Any]]:
    """Return rows with the columns of the one row of `others` that has the same key; blanks where there is none."""
    known = {other[key]: other for other in others}
    names = list(next(iter(known.values())))
    return [
        {**row, **{name: known.get(row[key], {}).get(name) for name in names if name != key}} for row in rows
    ]


def without_repeats(rows: Iterable[Row], *keys: str) -> list[Row]:
    """Return the first row of each value of keys (of all columns without), in order."""
    found: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        found.setdefault(tuple(row[key] for key in keys or row), row)
    return list(found.values())
