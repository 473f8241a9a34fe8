"""Operators on values: arithmetic, comparison and truth, folded where the operands are known."""

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
)
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    UNKNOWN,
    Choice,
    ColumnIndex,
    Const,
    DictObject,
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
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def binary(flow: Flow, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
    """Return `left op right`."""
    if isinstance(left, Const | Choice) and isinstance(right, Const | Choice):
        return _fold(op, options(left), options(right))
    table = _between_tables(flow, left, right)
    if table is not None:
        return flow.allocate(table, node)
    if isinstance(left, Series) or isinstance(right, Series):
        return _between_series(op, left, right)
    items = _between_lists(op, left, right, flow.state.heap)
    if items is not None:
        return flow.allocate(items, node)
    return _between_others(op, left, right)


def _between_others(op: ast.operator, left: Value, right: Value) -> Value:
    if isinstance(op, ast.Add) and isinstance(left, ColumnIndex) and isinstance(right, Const):
        return map_names(left, lambda name: _fold_pair(op, name, right.value))
    if isinstance(op, ast.Add) and isinstance(right, ColumnIndex) and isinstance(left, Const):
        return map_names(right, lambda name: _fold_pair(op, left.value, name))
    about = about_columns(left) or about_columns(right)
    return Unknown(about_columns=about, mask=isinstance(op, _MASKING))


def _fold(op: ast.operator, lefts: tuple[Hashable, ...], rights: tuple[Hashable, ...]) -> Value:
    if len(lefts) * len(rights) > MOST_CHOICES:
        return UNKNOWN
    folded = [_fold_pair(op, left, right) for left, right in product(lefts, rights)]
    return UNKNOWN if HIDDEN in folded else choose_among(folded)


def _fold_pair(op: ast.operator, left: Any, right: Any) -> Hashable:
    """Return the sum of two texts or tuples, the sum or difference of two whole numbers, else HIDDEN."""
    whole = type(left) is int and type(right) is int
    if isinstance(op, ast.Add) and (whole or (type(left) is type(right) and isinstance(left, str | tuple))):
        folded: Hashable = left + right
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
        if not isinstance(left, Const | Choice) and not isinstance(right, Const | Choice):
            name, index = HIDDEN, None
    return Series(name, index, mask=isinstance(op, _MASKING) or any(side.mask for side in series))


def _between_tables(flow: Flow, left: Value, right: Value) -> Table | None:
    first, second = flow.table(left), flow.table(right)
    if first is not None and second is not None:
        return combine(second, first) if first.row else combine(first, second)
    table = first if first is not None else second
    other = right if first is not None else left
    if table is None or isinstance(other, Const | Choice):
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
    return ListObject(items, exact=False, open=any(part.open for part in parts))


def compare(op: ast.cmpop, left: Value, right: Value, heap: Mapping[int, HeapObject]) -> Value:
    """Return `left op right` for one comparison."""
    folded = _compare_known(op, left, right, heap)
    if folded is not None:
        return Const(folded)
    if isinstance(left, Series) or isinstance(right, Series):
        series = left if isinstance(left, Series) else right
        return Series(series.name if isinstance(series, Series) else HIDDEN, None, mask=True)
    about = about_columns(left) or about_columns(right) or isinstance(op, ast.In | ast.NotIn)
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
