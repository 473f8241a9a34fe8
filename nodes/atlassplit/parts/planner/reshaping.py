"""Adds cross tables, splitting, duplicates, cleaning, formulas and lookups to the plan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk
from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import (
    AxisAsk,
    CleanAsk,
    DedupeAsk,
    DeriveAsk,
    DistinctAsk,
    JoinAsk,
    SplitAsk,
)
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field, fields_of
from mindatlas.nodes.atlassplit.parts.planner.operations import (
    Aggregate,
    Clean,
    Deduplicate,
    Derive,
    Distinct,
    Join,
    Key,
    Measure,
    Pivot,
    Select,
    Split,
)
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Arithmetic, Column
from mindatlas.nodes.atlassplit.parts.planner.results import aggregate, derived_field


def put_on_axis(draft: Draft, ask: AxisAsk) -> None:
    """Note what goes on one axis of a cross table.

    Raises:
        Refused: Something else is on that axis already.
    """
    parts = draft.pivot
    taken = {"rows": parts.rows, "columns": parts.columns, "values": parts.measure}[ask.axis]
    if taken is not None:
        draft.refuse("contradictory", "both_ends", str(getattr(taken, "name", "")))
    parts.wanted = True
    if ask.axis == "values":
        parts.measure = ask.measure
    elif ask.axis == "rows":
        parts.rows = ask.key
    else:
        parts.columns = ask.key


def finish_pivot(draft: Draft, text: str) -> None:
    """Add the cross table whose parts were read.

    Raises:
        Refused: A part is missing.
    """
    parts = draft.pivot
    if parts.rows is None or parts.columns is None:
        draft.refuse("ambiguous", "which_group", text)
    if parts.measure is None:
        draft.refuse("ambiguous", "which_figure", text, draft.numeric_titles())
    pivot(draft, (parts.rows, parts.columns), parts.measure)
    draft.pivot = type(parts)()


def pivot(draft: Draft, keys: Sequence[Key], measure: MeasureAsk) -> None:
    """Add a cross table of the first key by the second."""
    aggregate(draft, keys, [measure])
    grouped = draft.operations.pop()
    assert isinstance(grouped, Aggregate)
    rows, columns = grouped.keys
    figure: Measure = grouped.measures[0]
    draft.operations.append(Pivot(rows=rows, columns=columns, measure=figure))
    draft.stage = "pivot"


def spread_groups(draft: Draft, text: str) -> None:
    """Make the groups that were just made a cross table; those by one key are one as they are.

    Raises:
        Refused: They have more than two keys or more than one figure, or something else was done since.
    """
    last = draft.operations[-1]
    if not isinstance(last, Aggregate) or not 1 <= len(last.keys) <= 2:
        draft.refuse("ambiguous", "which_group", text)
    rows, *columns = last.keys
    if not columns:
        return
    if len(last.measures) != 1:
        draft.refuse("ambiguous", "which_figure", text)
    draft.operations[-1] = Pivot(rows=rows, columns=columns[0], measure=last.measures[0])
    draft.stage = "pivot"


def split(draft: Draft, ask: SplitAsk) -> None:
    """Add the splitting into one table per value."""
    if draft.stage not in ("rows", "groups"):
        draft.refuse("outside", "after_result", ask.text)
    if draft.field_of(ask.key.column) is None:
        draft.refuse("missing_column", "no_such_column", str(ask.key.name), draft.titles())
    if ask.into is None:
        draft.tell("into_sheets")
    draft.operations.append(Split(key=ask.key, into=ask.into or "sheets"))
    draft.stage = "tables"


def deduplicate(draft: Draft, ask: DedupeAsk) -> None:
    """Add the removal of duplicate rows."""
    _need_rows(draft, ask.text)
    if ask.keep is None and ask.fields:
        draft.tell("rows_kept")
    columns = tuple(item.column for item in ask.fields)
    draft.operations.append(Deduplicate(columns=columns, keep=ask.keep or "first"))


def list_distinct(draft: Draft, ask: DistinctAsk) -> None:
    """Add the list of different values."""
    _need_rows(draft, ask.text)
    draft.operations.append(Distinct(columns=tuple(item.column for item in ask.fields)))
    draft.fields = ask.fields
    draft.stage = "list"


def select(draft: Draft, fields: Sequence[Field], text: str) -> None:
    """Add the choice of some columns."""
    if draft.stage not in ("rows", "groups"):
        draft.refuse("outside", "after_result", text)
    for item in fields:
        if item not in draft.fields:
            draft.refuse("missing_column", "no_such_column", item.title, draft.titles())
    draft.operations.append(Select(columns=tuple(dict.fromkeys(item.name for item in fields))))
    draft.fields = tuple(dict.fromkeys(fields))


def clean(draft: Draft, ask: CleanAsk) -> None:
    """Add the conversion of texts to the numbers or dates they say.

    Raises:
        Refused: A column holds neither, or the other of the two.
    """
    _need_rows(draft, ask.text)
    for item in ask.fields:
        kind = item.column.kind
        if kind not in ("number", "date") or (ask.to is not None and ask.to != kind):
            draft.refuse("outside", "not_a_number" if ask.to != "date" else "no_date", item.title)
        if item.column.stored == "value":
            draft.tell("already", about=item.title)
        if item.is_date and any(pattern.startswith("D/M") for pattern in item.column.patterns):
            draft.refuse("ambiguous", "date_order", item.title)
        draft.operations.append(Clean(column=item.column))
        real = replace(item, column=Column(name=item.name, kind=kind))
        draft.fields = tuple(real if other is item else other for other in draft.fields)


def derive(draft: Draft, ask: DeriveAsk) -> None:
    """Add a column by formula."""
    if draft.stage not in ("rows", "groups"):
        draft.refuse("outside", "after_result", ask.name)
    present = {item.column for item in draft.fields}
    if not _columns(ask.expression) <= present:
        draft.refuse("outside", "filter_late", ask.name)
    draft.operations.append(Derive(name=ask.name, expression=ask.expression))
    item = derived_field(ask.name, is_fraction=_is_fraction(ask))
    draft.fields = (*draft.fields, item)


def _is_fraction(ask: DeriveAsk) -> bool:
    """Return whether a new column is a rate that a division makes: 0.1 in it is 10 %."""
    formula = ask.expression
    return (
        isinstance(formula, Arithmetic)
        and formula.operator == "/"
        and ask.name.endswith(("率", "占比", "比例"))
    )


def join(draft: Draft, ask: JoinAsk) -> None:
    """Add a lookup, from the table that gets the columns."""
    tables = {table.key: table for table in draft.card.tables}
    if ask.base != draft.table.key:
        if draft.operations or draft.keys:
            draft.refuse("outside", "after_result", ask.text)
        draft.table = tables[ask.base]
        draft.fields = fields_of(draft.table)
    _need_rows(draft, ask.text)
    draft.operations.append(
        Join(
            table=ask.table,
            left_on=ask.left_on,
            right_on=ask.right_on,
            columns=ask.columns,
            folded=ask.folded,
        )
    )
    looked_up = [item for item in fields_of(tables[ask.table]) if item.name in ask.columns]
    draft.fields = (*draft.fields, *(replace(item, role="joined") for item in looked_up))


def _need_rows(draft: Draft, text: str) -> None:
    if draft.stage != "rows":
        draft.refuse("outside", "after_result", text)


def _columns(expression: object) -> set[Column]:
    if isinstance(expression, Column):
        return {expression}
    left, right = getattr(expression, "left", None), getattr(expression, "right", None)
    return _columns(left) | _columns(right) if left is not None else set()
