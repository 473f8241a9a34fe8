"""Binds values to the targets of assignments, loops and comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.access import store_attribute, store_subscript
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items, typical_item
from mindatlas.nodes.atlassplit.parts.frame_flow.values import UNKNOWN, Value

if TYPE_CHECKING:
    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow


def assign(flow: Flow, target: ast.expr, value: Value) -> None:
    """Bind `value` to a name, a column, an attribute, or its items to several of them."""
    match target:
        case ast.Name(name):
            flow.bind(name, value)
        case ast.Tuple(elements) | ast.List(elements):
            _unpack(flow, elements, value)
        case ast.Starred(inner):
            assign(flow, inner, UNKNOWN)
        case ast.Subscript():
            store_subscript(flow, target, value)
        case ast.Attribute():
            store_attribute(flow, target, value)


def _unpack(flow: Flow, elements: Sequence[ast.expr], value: Value) -> None:
    items = known_items(value, flow.state.heap)
    if items is None or len(items) != len(elements) or any(isinstance(e, ast.Starred) for e in elements):
        items = (typical_item(flow, value, elements[0]) if items is None else UNKNOWN,) * len(elements)
    for element, item in zip(elements, items, strict=True):
        assign(flow, element, item)
