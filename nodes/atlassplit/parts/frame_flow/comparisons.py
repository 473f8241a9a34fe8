"""Comparisons and membership, folded where both sides are known."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Hashable, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items
from mindatlas.nodes.atlassplit.parts.frame_flow.state import (
    about_columns,
    options,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    Choice,
    ColumnIndex,
    Const,
    DictObject,
    Expression,
    HeapObject,
    Ref,
    Series,
    Table,
    Unknown,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow
from mindatlas.nodes.atlassplit.parts.frame_flow.operators import between_tables, merge_expressions

_MEMBERSHIP = (ast.In, ast.NotIn, ast.Is, ast.IsNot)
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def compare(flow: Flow, op: ast.cmpop, left: Value, right: Value, node: ast.AST) -> Value:
    """Return `left op right` for one comparison."""
    heap = flow.state.heap
    if isinstance(left, Expression) or isinstance(right, Expression):
        return merge_expressions(left, right)
    folded = _compare_known(op, left, right, heap)
    if folded is not None:
        return Const(folded)
    table = None if isinstance(op, _MEMBERSHIP) else between_tables(flow, left, right)
    if table is not None:
        return flow.allocate(table, node)
    if isinstance(left, Series) or isinstance(right, Series):
        series = left if isinstance(left, Series) else right
        return Series(series.name if isinstance(series, Series) else HIDDEN, None, mask=True)
    about = about_columns(left) or about_columns(right) or isinstance(op, _MEMBERSHIP)
    return Unknown(about_columns=about, mask=True)


def _compare_known(op: ast.cmpop, left: Value, right: Value, heap: Mapping[int, HeapObject]) -> bool | None:
    match op:
        case ast.In():
            return contains(right, left, heap)
        case ast.NotIn():
            found = contains(right, left, heap)
            return None if found is None else not found
        case ast.Is() | ast.IsNot():
            same = _is_none(left) if right == Const(None) else None
            return same if same is None or isinstance(op, ast.Is) else not same
    return _compare_constants(_COMPARISONS[type(op)], left, right, heap)


def _is_none(value: Value) -> bool | None:
    if isinstance(value, Const):
        return value.value is None
    return False if isinstance(value, Ref) and not value.optional else None


def _compare_constants(
    test: Callable[[Any, Any], bool], left: Value, right: Value, heap: Mapping[int, HeapObject]
) -> bool | None:
    if isinstance(left, Const | Choice) and isinstance(right, Const | Choice):
        pairs = list(product(options(left), options(right)))
        plain = all(type(a) is type(b) and isinstance(a, str | int | float) for a, b in pairs)
        verdicts = {test(a, b) for a, b in pairs} if plain else set()
        return verdicts.pop() if len(verdicts) == 1 else None
    sides = [_constant_set(side, heap) for side in (left, right)]
    if test in (operator.le, operator.ge) and None not in sides:
        return test(*sides)
    return None


def _constant_set(value: Value, heap: Mapping[int, HeapObject]) -> set[Hashable] | None:
    items = known_items(value, heap) if isinstance(value, Ref | ColumnIndex) else None
    if items is None or not all(isinstance(item, Const) for item in items):
        return None
    return {item.value for item in items if isinstance(item, Const)}


def contains(container: Value, item: Value, heap: Mapping[int, HeapObject]) -> bool | None:
    """Return whether `item in container`, None where that is not known."""
    if not isinstance(item, Const | Choice):
        return None
    verdicts = {_contains_one(container, name, heap) for name in options(item)}
    return verdicts.pop() if len(verdicts) == 1 else None


def _contains_one(container: Value, name: Hashable, heap: Mapping[int, HeapObject]) -> bool | None:
    match container:
        case ColumnIndex(names, is_open, exact):
            return (True if exact else None) if name in names else (None if is_open else False)
        case Const(str() as text) if isinstance(name, str):
            return name in text
        case Ref((single,)):
            return _object_contains(heap[single], name)
    constants = known_items(container, heap)
    if constants is None or not all(isinstance(item, Const) for item in constants):
        return None
    return Const(name) in constants


def _object_contains(item: HeapObject, name: Hashable) -> bool | None:
    if isinstance(item, Table):
        verdict = item.lookup(name)
        return False if verdict == "absent" else True if verdict == "present" and item.exact else None
    if isinstance(item, DictObject):
        return any(key == name for key, _ in item.items) or (None if item.open else False)
    if Const(name) in item.items:
        return True if item.exact else None
    return None if item.open or not all(isinstance(value, Const) for value in item.items) else False
