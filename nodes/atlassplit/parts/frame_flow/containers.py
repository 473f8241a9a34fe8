"""Methods of lists, sets and dicts."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.comparisons import contains
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import known_items, typical_item
from mindatlas.nodes.atlassplit.parts.frame_flow.state import join_values, opened, union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    ABOUT_COLUMNS,
    HIDDEN,
    NONE,
    UNKNOWN,
    ColumnIndex,
    Const,
    DictObject,
    HeapObject,
    ListObject,
    Ref,
    Stream,
    TupleValue,
    Value,
)


def _replace_object(call: Call, item: HeapObject) -> None:
    """Store the changed container; where it may be another one, or in a loop, both outcomes stay possible."""
    assert isinstance(call.base, Ref)  # only heap objects have these methods
    for identity in call.base.ids:
        call.flow.state.heap[identity] = item if len(call.base.ids) == 1 else opened(item)


def _list(call: Call) -> ListObject:
    """Return the receiver, an open list where it may be one of several."""
    item = call.heap[call.base.ids[0]] if isinstance(call.base, Ref) and len(call.base.ids) == 1 else None
    return (
        replace(item, certain=()) if isinstance(item, ListObject) else ListObject((), exact=False, open=True)
    )


def _append(call: Call) -> Value:
    old = _list(call)
    _replace_object(call, replace(old, items=(*old.items, call.arg(0, "item") or UNKNOWN)))
    return NONE


def _insert(call: Call) -> Value:
    old = _list(call)
    position, item = call.constant(0, "index", HIDDEN), call.arg(1, "object") or UNKNOWN
    items = list(old.items)
    if isinstance(position, int):
        items.insert(position, item)
        _replace_object(call, replace(old, items=tuple(items)))
    else:
        _replace_object(call, replace(old, items=(*items, item), exact=False))
    return NONE


def _extend(call: Call) -> Value:
    old, given = _list(call), call.arg(0, "iterable") or UNKNOWN
    items = known_items(given, call.heap)
    if items is not None:
        _replace_object(call, replace(old, items=(*old.items, *items)))
    else:
        item = typical_item(call.flow, given, call.node)
        _replace_object(call, replace(old, items=(*old.items, item), exact=False))
    return NONE


def _remove(call: Call) -> Value:
    old, item = _list(call), call.arg(0, "value") or UNKNOWN
    if isinstance(item, Const) and item in old.items:
        at = old.items.index(item)
        _replace_object(call, replace(old, items=old.items[:at] + old.items[at + 1 :]))
    elif not isinstance(item, Const):
        _replace_object(call, replace(old, exact=False))
    return NONE


def _pop(call: Call) -> Value:
    old, position = _list(call), call.constant(0, "index", -1)
    if isinstance(position, int) and old.exact and -len(old.items) <= position < len(old.items):
        items = list(old.items)
        popped = items.pop(position)
        _replace_object(call, replace(old, items=tuple(items)))
        return popped
    _replace_object(call, replace(old, exact=False))
    return join_values(old.items) if old.items and not old.open else UNKNOWN


def _shuffle(call: Call) -> Value:
    _replace_object(call, replace(_list(call), exact=False))
    return NONE


def _clear(call: Call) -> Value:
    _replace_object(call, ListObject(()))
    return NONE


def _copy(call: Call) -> Value:
    return call.flow.allocate(_list(call), call.node)


def _set_change(call: Call) -> Value:
    """Return a union, difference or intersection of sets; exact where both sides are constants."""
    sides = [known_items(value, call.heap) for value in (call.base, *call.args)]
    known = [side for side in sides if side is not None and all(isinstance(item, Const) for item in side)]
    if len(known) < len(sides):
        about = any(isinstance(value, ColumnIndex) for value in call.args)
        items = union(*(side for side in sides if side is not None))
        return (
            ABOUT_COLUMNS
            if about
            else call.flow.allocate(ListObject(items, exact=False, open=True), call.node)
        )
    return call.flow.allocate(ListObject(_combine_sets(call.name, known)), call.node)


def _combine_sets(name: str, sides: list[tuple[Value, ...]]) -> tuple[Value, ...]:
    first, *others = sides
    if name == "union":
        return union(*sides)
    if name == "difference":
        return tuple(item for item in first if not any(item in other for other in others))
    return tuple(item for item in first if all(item in other for other in others))


def _is_subset(call: Call) -> Value:
    other = call.arg(0, "other") or UNKNOWN
    inner, outer = (call.base, other) if call.name == "issubset" else (other, call.base)
    items = known_items(inner, call.heap)
    verdicts = {contains(outer, item, call.heap) for item in items} if items is not None else {None}
    if False in verdicts:
        return Const(False)
    return ABOUT_COLUMNS if None in verdicts else Const(True)


def _dict(call: Call) -> DictObject:
    """Return the receiver, an open dict where it may be one of several."""
    item = call.heap[call.base.ids[0]] if isinstance(call.base, Ref) and len(call.base.ids) == 1 else None
    return item if isinstance(item, DictObject) else DictObject((), open=True)


def _get(call: Call) -> Value:
    old, key = _dict(call), call.constant(0, "key", HIDDEN)
    listed = dict(old.items)
    if key in listed:
        return listed[key]
    default = call.arg(1, "default") or NONE
    return join_values([*listed.values(), old.default]) if key is HIDDEN or old.open else default


def _take(call: Call) -> Value:
    old, key = _dict(call), call.constant(0, "key", HIDDEN)
    value = _get(call)
    _replace_object(call, replace(old, items=tuple(item for item in old.items if item[0] != key)))
    return value


def _set_default(call: Call) -> Value:
    old, key = _dict(call), call.constant(0, "key", HIDDEN)
    listed = dict(old.items)
    if key in listed:
        return listed[key]
    value = call.arg(1, "default") or NONE
    known = key is not HIDDEN and not old.open
    items = (*old.items, (key, value)) if known else old.items
    _replace_object(call, replace(old, items=items, open=not known))
    return value if known else UNKNOWN


def _update(call: Call) -> Value:
    given = call.dict_argument(call.arg(0, "other"))
    old = _dict(call)
    items: dict[Hashable, Value] = dict(old.items)
    items.update(given.items if given else ())
    items.update(call.keywords)
    is_open = old.open or (bool(call.args) and (given is None or given.open))
    _replace_object(call, replace(old, items=tuple(items.items()), open=is_open))
    return NONE


def _pairs(call: Call) -> Value:
    old = _dict(call)
    pairs = tuple(TupleValue((Const(key), value)) for key, value in old.items)
    if not old.open:
        return call.flow.allocate(ListObject(pairs), call.node)
    typical = join_values([*(value for _, value in old.items), old.default])
    return Stream(TupleValue((UNKNOWN, typical)))


def _keys(call: Call) -> Value:
    old = _dict(call)
    keys = tuple(Const(key) for key, _ in old.items)
    return call.flow.allocate(ListObject(keys, exact=not old.open, open=old.open), call.node)


def _values(call: Call) -> Value:
    old = _dict(call)
    values = tuple(value for _, value in old.items)
    if not old.open:
        return call.flow.allocate(ListObject(values), call.node)
    return Stream(join_values([*values, old.default]))


def _copy_dict(call: Call) -> Value:
    return call.flow.allocate(_dict(call), call.node)


DICT_METHODS: dict[str, Method] = {
    "copy": _copy_dict,
    "get": _get,
    "items": _pairs,
    "keys": _keys,
    "pop": _take,
    "setdefault": _set_default,
    "update": _update,
    "values": _values,
}
LIST_METHODS: dict[str, Method] = {
    "add": _append,
    "append": _append,
    "clear": _clear,
    "copy": _copy,
    "difference": _set_change,
    "discard": _remove,
    "extend": _extend,
    "insert": _insert,
    "intersection": _set_change,
    "issubset": _is_subset,
    "issuperset": _is_subset,
    "pop": _pop,
    "remove": _remove,
    "reverse": _shuffle,
    "sort": _shuffle,
    "union": _set_change,
    "update": _extend,
}
