"""Built-in functions that make and go through iterables: `zip`, `map`, `enumerate`, and `functools.reduce`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import MOST_UNROLLED, known_items, typical_item
from mindatlas.nodes.atlassplit.parts.frame_flow.operators import truth
from mindatlas.nodes.atlassplit.parts.frame_flow.state import join
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    UNKNOWN,
    Const,
    Function,
    ListObject,
    Member,
    Module,
    Stream,
    TupleValue,
    Value,
)


def listed(call: Call, items: Sequence[Value]) -> Value:
    """Return a new list of exactly these items."""
    return call.flow.allocate(ListObject(tuple(items)), call.node)


def first_argument(call: Call) -> Value:
    """Return the first positional argument, unknown where there is none."""
    return call.args[0] if call.args else UNKNOWN


def _enumerate(call: Call) -> Value:
    items = known_items(first_argument(call), call.heap)
    start = call.constant(1, "start", 0)
    if items is None or not isinstance(start, int):
        return Stream(TupleValue((UNKNOWN, typical_item(call.flow, first_argument(call), call.node))))
    return listed(call, [TupleValue((Const(at), item)) for at, item in enumerate(items, start)])


def _zip(call: Call) -> Value:
    sides = [known_items(value, call.heap) for value in call.args]
    known = [side for side in sides if side is not None]
    if len(known) < len(sides) or call.spread:
        return Stream(TupleValue(tuple(typical_item(call.flow, value, call.node) for value in call.args)))
    return listed(call, [TupleValue(items) for items in zip(*known, strict=False)])


def _range(call: Call) -> Value:
    bounds = [item.value for item in call.args if isinstance(item, Const) and type(item.value) is int]
    if not bounds or len(bounds) < len(call.args) or (len(bounds) == 3 and bounds[2] == 0):
        return Stream(UNKNOWN)
    numbers = range(*bounds)
    return listed(call, list(map(Const, numbers))) if len(numbers) <= MOST_UNROLLED else Stream(UNKNOWN)


def _map(call: Call) -> Value:
    """Follow `map` and `filter`."""
    function, iterables = first_argument(call), call.args[1:]
    items = known_items(iterables[0], call.heap) if len(iterables) == 1 else None
    if items is None:
        values = [typical_item(call.flow, value, call.node) for value in iterables]
        returned = _apply(call, function, *values)
        return Stream(returned if call.name == "map" else values[0] if values else UNKNOWN)
    returned_items = []
    for position, item in enumerate(items):
        with call.flow.within((id(call.node), position)):
            returned_items.append(_apply(call, function, item))
    if call.name == "map":
        return listed(call, returned_items)
    verdicts = [truth(value, call.heap) for value in returned_items]
    kept = tuple(item for item, verdict in zip(items, verdicts, strict=True) if verdict is not False)
    return call.flow.allocate(ListObject(kept, exact=None not in verdicts), call.node)


def _apply(call: Call, function: Value, *values: Value) -> Value:
    if isinstance(function, Function):
        return call.run(function, *values)
    if function == Member(Module("builtins"), "str") and len(values) == 1 and isinstance(values[0], Const):
        return Const(str(values[0].value))
    return UNKNOWN


def _next(call: Call) -> Value:
    value = first_argument(call)
    items = known_items(value, call.heap)
    if items:
        return items[0]
    default = call.args[1] if len(call.args) > 1 else None
    if items is not None:
        return default or UNKNOWN
    typical = typical_item(call.flow, value, call.node)
    return typical if default is None else join(typical, default)


def _reduce(call: Call) -> Value:
    """Follow `functools.reduce`."""
    function = first_argument(call)
    items = known_items(call.args[1], call.heap) if len(call.args) > 1 else None
    start = call.args[2:3]
    if items is None or not (*start, *items):
        call.run(function, UNKNOWN, UNKNOWN)
        return UNKNOWN
    reduced, *rest = (*start, *items)
    for position, item in enumerate(rest[:MOST_UNROLLED]):
        with call.flow.within((id(call.node), position)):
            reduced = call.run(function, reduced, item)
    return reduced if len(rest) <= MOST_UNROLLED else UNKNOWN


FUNCTOOLS: Mapping[str, Method] = {"reduce": _reduce}
ITERATION_FUNCTIONS: Mapping[str, Method] = {
    "enumerate": _enumerate,
    "filter": _map,
    "map": _map,
    "next": _next,
    "range": _range,
    "zip": _zip,
}
