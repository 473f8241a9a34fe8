"""Operators on values: arithmetic and truth, folded where the operands are known."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Hashable, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import combine, map_names, subset
from mindatlas.nodes.atlassplit.parts.frame_flow.state import (
    MOST_CHOICES,
    about_columns,
    choose_among,
    opened,
    options,
    union,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    UNKNOWN,
    Choice,
    ColumnIndex,
    Const,
    Expression,
    HeapObject,
    ListObject,
    Ref,
    Series,
    Table,
    TupleValue,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow

LONGEST_TEXT = 1_000  # characters of a text that is put together while reading
_MASKING = (ast.BitAnd, ast.BitOr, ast.BitXor)
_SETS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Sub: lambda left, right: [item for item in left if item not in right],
    ast.BitAnd: lambda left, right: [item for item in left if item in right],
    ast.BitOr: lambda left, right: [*left, *(item for item in right if item not in left)],
    ast.Add: operator.add,
}


def binary(flow: Flow, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """Return `left op right`."""
    if isinstance(left, Expression) or isinstance(right, Expression):
        return merge_expressions(left, right)
    if isinstance(left, Const | Choice) and isinstance(right, Const | Choice):
        return _fold(op, options(left), options(right))
    table = between_tables(flow, left, right)
    if table is not None:
        return flow.allocate(table, node)
    if isinstance(left, Series) or isinstance(right, Series):
        return _between_series(op, left, right)
    items = _between_lists(op, left, right, flow.state.heap)
    if items is not None:
        return flow.allocate(items, node)
    return _between_others(op, left, right)


def merge_expressions(*values: Value) -> Expression:
    """Return the expression that takes the columns of all given ones."""
    return Expression(union(*(value.names for value in values if isinstance(value, Expression))))


def _between_others(op: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(op, ast.Add) and isinstance(left, ColumnIndex) and isinstance(right, Const):
        return map_names(left, lambda name: _fold_pair(op, name, right.value))
    if isinstance(op, ast.Add) and isinstance(right, ColumnIndex) and isinstance(left, Const):
        return map_names(right, lambda name: _fold_pair(op, left.value, name))
    about = about_columns(left) or about_columns(right)
    scalar = _is_scalar(left) and _is_scalar(right)
    return Unknown(about_columns=about, mask=isinstance(op, _MASKING), scalar=scalar)


def _fold(op: ast.operator, lefts: tuple[Hashable, ...], rights: tuple[Hashable, ...]) -> Value:
    if len(lefts) * len(rights) > MOST_CHOICES:
        return UNKNOWN
    folded = [_fold_pair(op, left, right) for left, right in product(lefts, rights)]
    return UNKNOWN if HIDDEN in folded else choose_among(folded)


def _fold_pair(op: ast.operator, left: Any, right: Any) -> Hashable:
    """Return the sum of two texts or tuples, the sum or difference of two whole numbers, else HIDDEN."""
    whole = type(left) is int and type(right) is int
    if isinstance(op, ast.Add) and (whole or (type(left) is type(right) and isinstance(left, str | tuple))):
        joined: Any = left + right  # pyright: ignore[reportOperatorIssue] - both are of one type here
        folded: Hashable = joined
        return HIDDEN if isinstance(folded, str | tuple) and len(folded) > LONGEST_TEXT else folded
    return left - right if isinstance(op, ast.Sub) and whole else HIDDEN


def _between_series(op: ast.operator, left: Value, right: Value) -> Series:
    series = [side for side in (left, right) if isinstance(side, Series)]
    if len(series) == 2:
        name = series[0].name if series[0].name == series[1].name else None
        index = series[0].index if series[0].index == series[1].index else None
        if HIDDEN in (series[0].name, series[1].name):
            name = HIDDEN
    else:
        name, index = series[0].name, series[0].index
        if not _is_scalar(left) and not _is_scalar(right):
            name, index = HIDDEN, None
    return Series(name, index, mask=isinstance(op, _MASKING) or any(side.mask for side in series))


def _is_scalar(value: Value) -> bool:
    return isinstance(value, Const | Choice) or (isinstance(value, Unknown) and value.scalar)


def between_tables(flow: Flow, left: Value, right: Value) -> Table | None:
    """Return the table that an operator makes of two sides, None where neither is a table."""
    first, second = flow.table(left), flow.table(right)
    if first is not None and second is not None:
        return combine(second, first) if first.row else combine(first, second)
    table = first if first is not None else second
    other = right if first is not None else left
    if table is None or _is_scalar(other):
        return table
    widened = opened(subset(table))
    assert isinstance(widened, Table)  # `opened` keeps the kind
    return widened


def _between_lists(
    op: ast.operator, left: Value, right: Value, heap: Mapping[int, HeapObject]
) -> ListObject | None:
    if not isinstance(left, Ref) or not (isinstance(right, Ref) or known_items(right, heap) is not None):
        return None
    lefts, rights = known_items(left, heap), known_items(right, heap)
    if lefts is not None and rights is not None and type(op) in _SETS:
        return ListObject(tuple(_SETS[type(op)](lefts, rights)))
    objects = [heap[key] for side in (left, right) if isinstance(side, Ref) for key in side.ids]
    parts = [item for item in objects if isinstance(item, ListObject)]
    if len(parts) < len(objects):
        return None
    items = tuple(value for part in parts for value in part.items)
    certain = tuple(value for part in parts for value in (part.items if part.exact else part.certain))
    is_open = any(part.open for part in parts)
    return ListObject(items, exact=False, open=is_open, certain=certain if isinstance(op, ast.Add) else ())


def truth(value: Value, heap: Mapping[int, HeapObject]) -> bool | None:
    """Return whether `value` counts as true, None where that is not known."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, TupleValue):
        return bool(value.items)
    if isinstance(value, Ref) and not value.optional:
        items = None if any(isinstance(heap[key], Table) for key in value.ids) else known_items(value, heap)
        return None if items is None else bool(items)
    return None
