"""Built-in functions, folded where they tell which columns exist or make lists of names."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from mindatlas.nodes.atlassplit.parts.frame_flow.attribute_names import frame_attributes
from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration import MOST_UNROLLED, known_items, typical_item
from mindatlas.nodes.atlassplit.parts.frame_flow.iteration_functions import (
    ITERATION_FUNCTIONS,
    first_argument,
    listed,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.operators import truth
from mindatlas.nodes.atlassplit.parts.frame_flow.state import about_columns, choose_among, join, options
from mindatlas.nodes.atlassplit.parts.frame_flow.subscripts import column
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    ABOUT_COLUMNS,
    HIDDEN,
    NONE,
    UNKNOWN,
    Choice,
    Const,
    DictObject,
    ListObject,
    Member,
    Ref,
    Unknown,
    Value,
)


def _as_list(call: Call) -> Value:
    """Follow `list`, `set`, `sorted`, `reversed`, `iter` and `tuple`."""
    if not call.args:
        return listed(call, ())
    value = call.args[0]
    items = known_items(value, call.heap)
    if isinstance(value, Const) and isinstance(value.value, str) and len(value.value) <= MOST_UNROLLED:
        items = tuple(map(Const, value.value))
    if call.keywords:
        call.run_all()
    if items is None:
        return _some_list(call, value)
    if call.name == "set":
        items = tuple(dict.fromkeys(items))
    return listed(call, _ordered(call, items)) if not call.keywords else _loose_list(call, items)


def _loose_list(call: Call, items: Sequence[Value]) -> Value:
    return call.flow.allocate(ListObject(tuple(items), exact=False), call.node)


def _some_list(call: Call, value: Value) -> Value:
    heap = call.heap
    lists = [heap[key] for key in value.ids] if isinstance(value, Ref) else []
    known = [item for item in lists if isinstance(item, ListObject)]
    if known and len(known) == len(lists):
        items = tuple(inner for item in known for inner in item.items)
        return call.flow.allocate(
            ListObject(items, exact=False, open=any(item.open for item in known)), call.node
        )
    return call.flow.allocate(
        ListObject((typical_item(call.flow, value, call.node),), exact=False), call.node
    )


def _ordered(call: Call, items: Sequence[Value]) -> Sequence[Value]:
    if call.name == "reversed":
        return items[::-1]
    texts = [item.value for item in items if isinstance(item, Const) and isinstance(item.value, str)]
    if call.name == "sorted" and len(texts) == len(items):
        return [Const(text) for text in sorted(texts)]
    return items


def _length(call: Call) -> Value:
    value = first_argument(call)
    items = None if call.flow.table(value) is not None else known_items(value, call.heap)
    if isinstance(value, Ref) and value.optional:
        items = None
    return Const(len(items)) if items is not None else Unknown(about_columns=about_columns(value))


def _text(call: Call) -> Value:
    value = first_argument(call)
    if not isinstance(value, Const | Choice):
        return UNKNOWN
    plain = all(isinstance(item, str | int) for item in options(value))
    return choose_among(str(item) for item in options(value)) if plain else UNKNOWN


def _dict(call: Call) -> Value:
    given = call.dict_argument(first_argument(call)) if call.args else DictObject(())
    pairs = _pairs(call) if given is None else given.items
    if pairs is None:
        return call.flow.allocate(DictObject((), open=True), call.node)
    items: dict[Hashable, Value] = dict(pairs)
    items.update(call.keywords)
    is_open = bool(given and given.open) or call.spread
    return call.flow.allocate(DictObject(tuple(items.items()), open=is_open), call.node)


def _pairs(call: Call) -> tuple[tuple[Hashable, Value], ...] | None:
    """Return the pairs of a list of two-element tuples, None where a key is not a constant."""
    pairs = []
    for item in known_items(first_argument(call), call.heap) or (UNKNOWN,):
        parts = known_items(item, call.heap)
        if parts is None or len(parts) != 2 or not isinstance(parts[0], Const):
            return None
        pairs.append((parts[0].value, parts[1]))
    return tuple(pairs)


def _every(call: Call) -> Value:
    """Follow `all` and `any`."""
    stops = call.name == "any"
    items = known_items(first_argument(call), call.heap)
    verdicts = [truth(item, call.heap) for item in items] if items is not None else [None]
    if stops in verdicts:
        return Const(stops)
    return ABOUT_COLUMNS if None in verdicts else Const(not stops)


def _has_attribute(call: Call) -> Value:
    table, name = call.flow.table(first_argument(call)), call.constant(1, "name", HIDDEN)
    if table is None or not isinstance(name, str):
        return ABOUT_COLUMNS
    if name in frame_attributes():
        return Const(True)
    verdict = table.lookup(name)
    return Const(verdict == "present") if verdict == "absent" or table.exact else ABOUT_COLUMNS


def _get_attribute(call: Call) -> Value:
    table, name = call.flow.table(first_argument(call)), call.constant(1, "name", HIDDEN)
    if table is None or not isinstance(name, str):
        return UNKNOWN
    if name in frame_attributes() or name in table.attributes:
        return Member(first_argument(call), name)
    with call.flow.log.guarded(len(call.args) > 2):
        call.require(Const(name), table, node=call.node.args[0])
    found = column(table, name)
    return join(found, call.args[2]) if len(call.args) > 2 else found


def _set_attribute(call: Call) -> Value:
    call.flow.expose(call.args)
    return NONE


def _run_text(call: Call) -> Value:
    """Follow `exec`, `eval`, `globals` and `locals`: whatever they do, it may be to the frames at hand."""
    call.flow.expose(list(call.flow.state.names.values()))
    return UNKNOWN


BUILTINS: Mapping[str, Method] = {
    **ITERATION_FUNCTIONS,
    **dict.fromkeys(("frozenset", "iter", "list", "reversed", "set", "sorted", "tuple"), _as_list),
    **dict.fromkeys(("eval", "exec", "globals", "locals", "vars"), _run_text),
    "all": _every,
    "any": _every,
    "dict": _dict,
    "getattr": _get_attribute,
    "hasattr": _has_attribute,
    "len": _length,
    "setattr": _set_attribute,
    "str": _text,
}
