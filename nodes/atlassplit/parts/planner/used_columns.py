"""The columns of the input that a plan reads, and in which of them dates decide."""

from __future__ import annotations

from collections.abc import Iterator

from mindatlas.nodes.atlassplit.parts.planner.conditions import columns_of
from mindatlas.nodes.atlassplit.parts.planner.filtering import date_spans
from mindatlas.nodes.atlassplit.parts.planner.operations import (
    Aggregate,
    Clean,
    Deduplicate,
    Derive,
    Distinct,
    Filter,
    Join,
    Key,
    Measure,
    Operation,
    Pivot,
    Sort,
    Split,
    Top,
)
from mindatlas.nodes.atlassplit.parts.planner.plan import Plan
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Arithmetic, Column, Expression


def parsed_columns(plan: Plan) -> list[Column]:
    """Return the columns of the input whose texts the plan reads as numbers or dates, each once."""
    looked_up = _looked_up(plan)
    found = dict.fromkeys(column for operation in plan.operations for column in _columns(operation))
    return [column for column in found if column.stored != "value" and column.name not in looked_up]


def dated_columns(plan: Plan) -> list[Column]:
    """Return the columns of the input whose dates decide which rows are kept, or into which group they go."""
    looked_up = _looked_up(plan)
    found: dict[Column, None] = {}
    for operation in plan.operations:
        if isinstance(operation, Filter):
            spans = date_spans([operation.condition])
            found |= dict.fromkeys(span.column for span in spans if span.unit is None)
        found |= dict.fromkeys(key.column for key in _keys(operation) if key.unit is not None)
        if isinstance(operation, Aggregate | Pivot):
            break  # later dates are those of groups
    return [column for column in found if column.name not in looked_up]


def _looked_up(plan: Plan) -> set[object]:
    return {name for one in plan.operations if isinstance(one, Join) for name in one.columns}


def _columns(operation: Operation) -> Iterator[Column]:
    yield from (key.column for key in _keys(operation))
    yield from (measure.column for measure in _measures(operation) if measure.column is not None)
    match operation:
        case Filter():
            yield from columns_of(operation.condition)
        case Clean():
            yield operation.column
        case Derive():
            yield from formula_columns(operation.expression)
        case Sort():
            yield from (order.column for order in operation.by)
        case Top(by=Column() as by):
            yield by
        case Distinct() | Deduplicate():
            yield from operation.columns
        case _:
            return


def formula_columns(expression: Expression) -> Iterator[Column]:
    """Yield the columns in a formula, from left to right."""
    if isinstance(expression, Column):
        yield expression
    elif isinstance(expression, Arithmetic):
        yield from formula_columns(expression.left)
        yield from formula_columns(expression.right)


def _keys(operation: Operation) -> tuple[Key, ...]:
    if isinstance(operation, Aggregate):
        return operation.keys
    if isinstance(operation, Pivot):
        return operation.rows, operation.columns
    return (operation.key,) if isinstance(operation, Split) else ()


def _measures(operation: Operation) -> tuple[Measure, ...]:
    if isinstance(operation, Aggregate):
        return operation.measures
    return (operation.measure,) if isinstance(operation, Pivot) else ()
