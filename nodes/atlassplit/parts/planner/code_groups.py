"""Source lines for groups: figures, growth, shares, cross tables."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.code_text import (
    key_values,
    label,
    labels,
    period_label,
    raw,
    values,
)
from mindatlas.nodes.atlassplit.parts.planner.operations import Aggregate, Growth, Key, Measure, Pivot, Share
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Unit

Lines = list[str]

_STEPS: dict[tuple[str, Unit], int] = {
    ("year", "month"): 12,
    ("year", "quarter"): 4,
    ("year", "year"): 1,
}


def aggregate_lines(operation: Aggregate, *, as_periods: bool) -> Lines:
    """Return the lines that make one row a group; with `as_periods` calendar units stay periods."""
    keys, measures = operation.keys, operation.measures
    lines = _parsed(measures)
    if not keys:
        return [*lines, *_overall(measures)]
    figures = ", ".join(f"{str(measure.name)!r}: {_figure(measure, keys)}" for measure in measures)
    return [
        *lines,
        f"groups = table.groupby({_keys(keys, as_periods=as_periods)}, dropna=False)",
        f"table = groups.agg(**{{{figures}}}).reset_index()",
    ]


def growth_lines(operation: Growth) -> Lines:
    """Return the lines that put the figure of the earlier period beside each figure, and compare."""
    period, measure = label(operation.period), label(operation.measure)
    step = _STEPS.get((operation.over, operation.unit), 1)
    keys = labels([*operation.by, operation.period])
    rate = f'table[{measure}] / table["_earlier"].where(table["_earlier"] != 0) - 1'
    amount = f'table[{measure}] - table["_earlier"]'
    return [
        f"earlier = table[{labels([*operation.by, operation.period, operation.measure])}]"
        f".dropna(subset={labels([operation.period])})",
        f"earlier = earlier.assign(**{{{str(operation.period)!r}: earlier[{period}] + {step}}})"
        f'.rename(columns={{{measure}: "_earlier"}})',
        f'table = table.merge(earlier, on={keys}, how="left")',
        f"table[{operation.name!r}] = {rate if operation.as_rate else amount}",
        'table = table.drop(columns="_earlier")',
    ]


def label_lines(keys: tuple[Key, ...]) -> Lines:
    """Return the lines that turn periods into labels."""
    return [
        f"table[{label(key.name)}] = {period_label(key.name, key.unit)}"
        for key in keys
        if key.unit is not None
    ]


def share_lines(operation: Share) -> Lines:
    """Return the lines that divide a figure by its total."""
    measure = f"table[{label(operation.measure)}]"
    return [
        f"total = {measure}.sum()",
        f"table[{operation.name!r}] = {measure} / total if total else np.nan",
    ]


def pivot_lines(operation: Pivot, missing: str) -> Lines:
    """Return the lines that make a cross table; `missing` heads the column of rows without a value."""
    rows, columns, measure = operation.rows, operation.columns, operation.measure
    grouped = aggregate_lines(Aggregate(keys=(rows, columns), measures=(measure,)), as_periods=False)
    empty = ", fill_value=0" if measure.function in ("rows", "distinct") else ""
    return [
        *grouped,
        f"table[{label(columns.name)}] = table[{label(columns.name)}].astype(object)"
        f".where(table[{label(columns.name)}].notna(), {missing!r})",
        f"table = table.set_index({labels([rows.name, columns.name])})[{label(measure.name)}]"
        f".unstack({label(columns.name)}{empty})",
        "table.columns = [str(name.date()) if isinstance(name, pd.Timestamp) else str(name) for name in table.columns]",
        "table = table.reset_index()",
    ]


def _keys(keys: tuple[Key, ...], *, as_periods: bool) -> str:
    plain = all(
        key.unit is None and not (key.folded or key.column.whole) and key.name == key.column.name
        for key in keys
    )
    if plain:
        return labels(key.name for key in keys)
    return f"[{', '.join(key_values(key, as_period=as_periods) for key in keys)}]"


def _parsed(measures: tuple[Measure, ...]) -> Lines:
    """Return the lines that parse the columns that figures are made of."""
    stored = dict.fromkeys(m.column for m in measures if m.column and m.column.stored != "value")
    return [f"table = table.assign(**{{{str(column.name)!r}: {values(column)}}})" for column in stored]


def _figure(measure: Measure, keys: tuple[Key, ...]) -> str:
    if measure.column is None:
        return f'({label(keys[0].column.name)}, "size")'
    column = label(measure.column.name)
    if measure.function == "distinct":
        return (
            f"({column}, lambda values: folded(values).nunique())"
            if measure.folded
            else f'({column}, "nunique")'
        )
    if measure.missing_if_empty:
        return f"({column}, lambda values: values.sum(min_count=1))"
    return f'({column}, "{measure.function}")'


def _overall(measures: tuple[Measure, ...]) -> Lines:
    figures = [_overall_figure(measure) for measure in measures]
    if len(figures) == 1:
        return [f"result = {figures[0]}"]
    pairs = ", ".join(f"{str(m.name)!r}: [{figure}]" for m, figure in zip(measures, figures, strict=True))
    return [f"result = pd.DataFrame({{{pairs}}})"]


def _overall_figure(measure: Measure) -> str:
    if measure.column is None:
        return "len(table)"
    column = raw(measure.column)
    if measure.function == "distinct":
        return f"folded({column}).nunique()" if measure.folded else f"{column}.nunique()"
    count = "min_count=1" if measure.missing_if_empty else ""
    return f"{column}.{measure.function}({count})"
