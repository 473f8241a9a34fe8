"""What operations make of the table: the columns that later clauses may refer to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.planner.asks_figures import MeasureAsk
from mindatlas.nodes.atlassplit.parts.planner.asks_shapes import RoundAsk
from mindatlas.nodes.atlassplit.parts.planner.column_match import column_names, plain_name
from mindatlas.nodes.atlassplit.parts.planner.draft import Draft
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.figure_functions import function_of
from mindatlas.nodes.atlassplit.parts.planner.operations import (
    Aggregate,
    Derive,
    Function,
    Growth,
    Key,
    Measure,
    Round,
)
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column, Kind, Unit

_FUNCTION_NAMES = {
    "zh": {"sum": "合计", "mean": "平均值", "max": "最大值", "min": "最小值", "median": "中位数"},
    "en": {"sum": "total", "mean": "average", "max": "maximum", "min": "minimum", "median": "median"},
}
_UNIT_KINDS: dict[Unit, Kind] = {
    "day": "date",
    "week": "date",
    "month": "text",
    "quarter": "text",
    "year": "number",
}


def aggregate(draft: Draft, keys: Sequence[Key], asks: Sequence[MeasureAsk]) -> tuple[Field, ...]:
    """Add the operation that groups rows, and return the fields of its figures.

    Raises:
        Refused: Rows are grouped already, or a figure or name is not clear.
    """
    if draft.stage != "rows":
        draft.refuse("outside", "after_result", asks[0].text)
    for ask in asks:
        if ask.field is not None and ask.field not in draft.fields:
            draft.refuse("missing_column", "no_such_column", ask.text, draft.titles())
    keys = _renamed(keys)
    measures = _measures(draft, asks, [str(key.name) for key in keys])
    draft.operations.append(Aggregate(keys=tuple(keys), measures=measures))
    return enter_groups(draft, keys, measures)


def enter_groups(draft: Draft, keys: Sequence[Key], measures: Sequence[Measure]) -> tuple[Field, ...]:
    """Make the groups the table that later clauses refer to; return the fields of the figures."""
    of_keys = [_key_field(draft, key) for key in keys]
    of_measures = [_measure_field(draft, measure) for measure in measures]
    names = {item.name for item in of_keys}
    draft.earlier = tuple(item for item in draft.fields if item.name not in names)
    draft.fields = (*of_keys, *of_measures)
    draft.stage = "groups" if keys else "scalar"
    draft.ordered = False
    return tuple(of_measures)


def extend(draft: Draft, asks: Sequence[MeasureAsk]) -> None:
    """Add figures to the groups that were just made (…，并计算平均单价).

    Raises:
        Refused: Something else was done in between, a function is missing, or the figure is there already.
    """
    last = draft.operations[-1] if draft.operations else None
    if not isinstance(last, Aggregate) or not last.keys:
        draft.refuse("outside", "after_result", asks[0].text)
    for ask in asks:
        if ask.function is None or (ask.field is not None and ask.field not in draft.earlier):
            draft.refuse("ambiguous", "which_function", ask.text)
    taken = [str(key.name) for key in last.keys] + [str(measure.name) for measure in last.measures]
    added = _measures(draft, asks, taken)
    if any(
        one.function == other.function and one.column == other.column
        for one in last.measures
        for other in added
    ):
        draft.refuse("ambiguous", "together_or_each", asks[0].text)
    draft.operations[-1] = replace(last, measures=(*last.measures, *added))
    draft.fields = (*draft.fields, *(_measure_field(draft, measure) for measure in added))


def round_figures(draft: Draft, ask: RoundAsk, text: str) -> None:
    """Add the rounding of the figures that operations made; columns of the input stay as they are.

    Raises:
        Refused: No operation made any.
    """
    made = tuple(item.name for item in draft.fields if item.role in ("measure", "derived"))
    if draft.stage not in ("scalar", "pivot") and not made:
        draft.refuse("ambiguous", "which_figure", text, draft.numeric_titles())
    columns = made if draft.stage in ("rows", "groups") else ()
    draft.operations.append(Round(columns=columns, decimals=ask.decimals))


def derived_field(name: str, *, is_fraction: bool = False) -> Field:
    """Return the field of a column of figures that an operation adds."""
    column = Column(name=name, kind="number")
    return Field(column=column, title=name, role="derived", is_fraction=is_fraction)


def figure(draft: Draft, ask: MeasureAsk | None, about: str) -> Field:
    """Return the column of the grouped table that holds a figure; the only one when none is named.

    Raises:
        Refused: There is no such figure, or more than one.
    """
    figures = [item for item in draft.fields if item.role in ("measure", "derived")]
    if ask is None:
        measures = [item for item in figures if item.role == "measure"]
        found = measures if len(measures) == 1 and not _reorders(draft) else figures
        candidates = found
    elif ask.field is not None and ask.field in draft.fields and ask.field.role != "key":
        fits = ask.function is None or (ask.field.measure and ask.field.measure.function == ask.function)
        found, candidates = [ask.field] if fits else [], figures
    else:
        found = [item for item in figures if item.measure and _holds(item.measure, ask)]
        candidates = found or figures
    if len(found) != 1:
        titles = tuple(item.title for item in candidates)
        draft.refuse("ambiguous", "which_column" if found else "no_such_column", about, titles)
    return found[0]


def _reorders(draft: Draft) -> bool:
    """Return whether a derived column orders rows otherwise than the figure it comes from."""
    return any(isinstance(operation, Derive | Growth) for operation in draft.operations)


def _holds(measure: Measure, ask: MeasureAsk) -> bool:
    if ask.field is None:
        return measure.function == ask.function
    same = measure.column == ask.field.column
    return same and (ask.function is None or measure.function == ask.function)


def _measures(draft: Draft, asks: Sequence[MeasureAsk], taken: Sequence[str]) -> tuple[Measure, ...]:
    named: list[tuple[MeasureAsk, Function]] = [(ask, function_of(draft, ask)) for ask in asks]
    measures: list[Measure] = []
    for ask, function in named:
        several = sum(ask.field == other.field and other.field is not None for other, _ in named) > 1
        base = _name(draft, ask, function, several=several)
        name, count = base, 1
        while name in [*taken, *(str(measure.name) for measure in measures)]:
            count += 1
            name = f"{base}{count}"
        measures.append(_measure(ask, function, name))
    return tuple(measures)


def _measure(ask: MeasureAsk, function: Function, name: str) -> Measure:
    item = ask.field
    card = item.card if item else None
    return Measure(
        function=function,
        column=item.column if item else None,
        name=name,
        missing_if_empty=function == "sum" and card is not None and card.errors + card.uncached > 0,
        folded=function == "distinct" and item is not None and item.column.kind == "text",
    )


def _name(draft: Draft, ask: MeasureAsk, function: Function, *, several: bool) -> str:
    if ask.field is None or function == "distinct":
        return ask.name
    title = str(ask.field.name)
    if function == "sum" and not several:
        return title
    word = _FUNCTION_NAMES[draft.language][function]
    return f"{title}{word}" if draft.language == "zh" else f"{word} {title}"


def _renamed(keys: Sequence[Key]) -> list[Key]:
    """Return the keys with different names."""
    found: list[Key] = []
    for key in keys:
        name, count = key.name, 1
        while any(other.name == name for other in found):
            count += 1
            name = f"{key.name}{count}"
        found.append(replace(key, name=name))
    return found


def _key_field(draft: Draft, key: Key) -> Field:
    origin = draft.field_of(key.column)
    kind = _UNIT_KINDS[key.unit] if key.unit else key.column.kind
    return Field(
        column=Column(name=key.name, kind=kind),
        title=str(key.name),
        card=origin.card if origin else None,
        role="key",
        unit=key.unit or _unit_in(origin),
    )


def _unit_in(item: Field | None) -> Unit | None:
    """Return year for a column of whole numbers called 年份 or year, whose rows can so be counted on from."""
    if item is None or item.card is None or item.card.type != "integer":
        return None
    return "year" if column_names().units.get(plain_name(item.title)) == "year" else None


def _measure_field(draft: Draft, measure: Measure) -> Field:
    origin = draft.field_of(measure.column) if measure.column else None
    kind: Kind = "number"
    if measure.column is not None and measure.function in ("max", "min") and measure.column.kind == "date":
        kind = "date"
    return Field(
        column=Column(name=measure.name, kind=kind),
        title=str(measure.name),
        card=origin.card if origin else None,
        role="measure",
        measure=measure,
    )
