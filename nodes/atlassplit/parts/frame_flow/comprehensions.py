"""Comprehensions: followed item by item over known iterables, once with a typical item over others."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mindatlas.nodes.atlassplit.parts.frame_flow.assignment import assign
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items, possible_items
from mindatlas.nodes.atlassplit.parts.frame_flow.operators import truth
from mindatlas.nodes.atlassplit.parts.frame_flow.state import about_columns, join_values
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    UNKNOWN,
    Const,
    DictObject,
    ListObject,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mindatlas.nodes.atlassplit.parts.frame_flow.flow import Flow

MOST_ITEMS = 256  # a comprehension over more is followed once with any of its items
_Visit = Callable[[bool], None]


def list_comprehension(flow: Flow, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    """Return the list that a list, set or generator comprehension makes."""
    items: list[Value] = []
    exact = True

    def visit(certain: bool) -> None:
        nonlocal exact
        exact &= certain
        items.append(flow.evaluate(node.elt))

    with _own_names(flow, node.generators):
        _follow(flow, node.generators, visit, certain=True)
    return flow.allocate(ListObject(tuple(items), exact=exact), node)


def dict_comprehension(flow: Flow, node: ast.DictComp) -> Value:
    """Return the dict that a comprehension makes; open unless every key is a constant."""
    items: dict[object, Value] = {}
    others: list[Value] = []

    def visit(certain: bool) -> None:
        key, value = flow.evaluate(node.key), flow.evaluate(node.value)
        if isinstance(key, Const) and certain:
            items[key.value] = value
        else:
            others.append(value)

    with _own_names(flow, node.generators):
        _follow(flow, node.generators, visit, certain=True)
    default = join_values(others) if others else UNKNOWN
    return flow.allocate(DictObject(tuple(items.items()), open=bool(others), default=default), node)


@contextmanager
def _own_names(flow: Flow, generators: Sequence[ast.comprehension]) -> Iterator[None]:
    """Give the loop variables back their outer values after this block."""
    targets = [part.id for gen in generators for part in ast.walk(gen.target) if isinstance(part, ast.Name)]
    outer = {(flow.scope, name): flow.state.names.get((flow.scope, name)) for name in targets}
    yield
    for key, value in outer.items():
        if value is None:
            flow.state.names.pop(key, None)
        else:
            flow.state.names[key] = value


def _follow(flow: Flow, generators: Sequence[ast.comprehension], visit: _Visit, *, certain: bool) -> None:
    if not generators:
        visit(certain)
        return
    generator, *inner = generators
    iterable = flow.evaluate(generator.iter)
    items = known_items(iterable, flow.state.heap)
    if items is None or len(items) > MOST_ITEMS:
        items, certain = possible_items(flow, iterable, generator.iter), False
    for position, item in enumerate(items):
        with flow.within((id(generator), position)):
            assign(flow, generator.target, item)
            _follow_if(flow, generator.ifs, lambda sure: _follow(flow, inner, visit, certain=sure), certain)


def _follow_if(flow: Flow, conditions: Sequence[ast.expr], visit: _Visit, certain: bool) -> None:
    if not conditions:
        visit(certain)
        return
    condition, *rest = conditions
    test = flow.evaluate(condition)
    known = truth(test, flow.state.heap)
    if known is not False:
        with flow.log.guarded(about_columns(test)), flow.log.maybe(known is None):
            _follow_if(flow, rest, visit, certain and known is True)
