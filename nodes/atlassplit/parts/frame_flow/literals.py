"""Lists, tuples, dicts and f-strings as they are written in a program."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from mindatlas.nodes.atlassplit.parts.frame_flow.constants import format_field
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items, typical_item
from mindatlas.nodes.atlassplit.parts.frame_flow.operators import LONGEST_TEXT
from mindatlas.nodes.atlassplit.parts.frame_flow.state import MOST_CHOICES, choose_among, options
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    UNKNOWN,
    Choice,
    Const,
    DictObject,
    ListObject,
    Ref,
    Table,
    TupleValue,
    Value,
)

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow


def _items(flow: Flow, elements: Sequence[ast.expr]) -> tuple[tuple[Value, ...], bool]:
    """Return the values of the elements, starred ones spread, and whether all are known."""
    values: list[Value] = []
    exact = True
    for element in elements:
        value = flow.evaluate(element.value if isinstance(element, ast.Starred) else element)
        if not isinstance(element, ast.Starred):
            values.append(value)
            continue
        inner = known_items(value, flow.state.heap)
        exact &= inner is not None
        values.extend(inner if inner is not None else [typical_item(flow, value, element)])
    return tuple(values), exact


def list_literal(flow: Flow, node: ast.List | ast.Set) -> Value:
    """Return the list or set that a display makes."""
    items, exact = _items(flow, node.elts)
    plain = () if exact else _items(flow, [part for part in node.elts if isinstance(part, ast.Constant)])[0]
    return flow.allocate(ListObject(items, exact=exact, certain=plain), node)


def tuple_literal(flow: Flow, node: ast.Tuple) -> Value:
    """Return the tuple: a constant where all its elements are."""
    items, exact = _items(flow, node.elts)
    if not exact:
        return UNKNOWN
    if all(isinstance(item, Const) for item in items):
        return Const(tuple(item.value for item in items if isinstance(item, Const)))
    return TupleValue(items)


def dict_literal(flow: Flow, node: ast.Dict) -> Value:
    """Return the dict; a `**spread` or key that is not known leaves it open."""
    items: dict[Any, Value] = {}
    is_open = False
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        key = flow.evaluate(key_node) if key_node is not None else None
        value = flow.evaluate(value_node)
        if isinstance(key, Const):
            items[key.value] = value
            continue
        spread = flow.state.heap[value.ids[0]] if isinstance(value, Ref) and len(value.ids) == 1 else None
        if key is None and isinstance(spread, DictObject):
            items.update(spread.items)
            is_open |= spread.open
        elif key is None and isinstance(spread, Table):
            items.update(dict.fromkeys(spread.columns, UNKNOWN))
            is_open |= spread.open or not spread.exact
        else:
            is_open = True
    return flow.allocate(DictObject(tuple(items.items()), open=is_open), node)


def joined_text(flow: Flow, node: ast.JoinedStr) -> Value:
    """Return the text of an f-string, over all choices of its fields."""
    pools = [_field_texts(flow, part) for part in node.values]
    if None in pools:
        return UNKNOWN
    known = [pool for pool in pools if pool is not None]
    count = 1
    for pool in known:
        count *= len(pool)
    if count > MOST_CHOICES:
        return UNKNOWN
    texts = ["".join(parts) for parts in product(*known)]
    return choose_among(texts) if all(len(text) <= LONGEST_TEXT for text in texts) else UNKNOWN


def _field_texts(flow: Flow, node: ast.expr) -> list[str] | None:
    if not isinstance(node, ast.FormattedValue):
        return [str(node.value)] if isinstance(node, ast.Constant) else None
    value = flow.evaluate(node.value)
    spec = flow.evaluate(node.format_spec) if node.format_spec is not None else Const("")
    if not isinstance(value, Const | Choice) or not isinstance(spec, Const) or node.conversion != -1:
        return None
    texts = [format_field(item, str(spec.value)) for item in options(value)]
    return None if HIDDEN in texts else [str(text) for text in texts]
