"""Methods of `df.columns`, folded name by name where the names are known."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.constants import fold_text_method
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import Renamer, map_names
from mindatlas.nodes.atlassplit.parts.frame_flow.state import union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    ABOUT_COLUMNS,
    HIDDEN,
    UNKNOWN,
    ColumnIndex,
    Const,
    ListObject,
    Member,
    Name,
    Table,
    Unknown,
    Value,
)


def _labels(call: Call) -> ColumnIndex:
    base = call.base.base if isinstance(call.base, Member) else call.base
    return base if isinstance(base, ColumnIndex) else ColumnIndex((), open=True, exact=False)


def _as_list(call: Call) -> Value:
    labels = _labels(call)
    names = tuple(map(Const, labels.names))
    return call.flow.allocate(ListObject(names, exact=labels.exact, open=labels.open), call.node)


def _same(call: Call) -> Value:
    return _labels(call)


def _mapped(call: Call) -> Value:
    return map_names(_labels(call), renamer_of(call, call.arg(0, "mapper")))


def renamer_of(call: Call, function: Value | None) -> Renamer:
    """Return what a function or dict given to `rename` or `map` does to one name."""
    given = call.dict_argument(function)
    if given is not None:
        return _dict_renamer(dict(given.items), closed=not given.open)
    return lambda name: _name_of(_apply(call, function, name))


def _dict_renamer(mapping: dict[Hashable, Value], *, closed: bool) -> Renamer:
    def renamed(name: Name) -> Name:
        value = mapping.get(name)
        if value is None:
            return name if closed else HIDDEN
        return _name_of(value)

    return renamed


def _name_of(value: Value) -> Name:
    return value.value if isinstance(value, Const) else HIDDEN


def _apply(call: Call, function: Value | None, name: Name) -> Value:
    """Return `function(name)` for a function of the program or a text method such as `str.strip`."""
    if isinstance(function, Member):
        if function.name == "str":
            return Const(str(name)) if isinstance(name, str | int) else UNKNOWN
        if isinstance(function.base, Member) and function.base.name == "str":
            folded = fold_text_method(name, function.name, ())
            return UNKNOWN if folded is HIDDEN else Const(folded)
        if function.name == "join" and isinstance(function.base, Const) and isinstance(name, tuple):
            return _joined(function.base.value, name)
        return UNKNOWN
    return call.run(function, Const(name))


def _joined(separator: Name, parts: tuple[Name, ...]) -> Value:
    texts = [part for part in parts if isinstance(part, str)]
    if not isinstance(separator, str) or len(texts) < len(parts):
        return UNKNOWN
    return Const(separator.join(texts))


def _text_method(call: Call) -> Value:
    """Return the labels after `df.columns.str.method(…)`."""
    arguments = [item.value for item in call.args if isinstance(item, Const)]
    plain = len(arguments) == len(call.args) and call.flag(None, "regex") is False and not call.spread
    if not plain or set(call.keywords) - {"regex"}:
        return ABOUT_COLUMNS
    folded = map_names(_labels(call), lambda name: fold_text_method(name, call.name, arguments))
    if all(isinstance(name, str) for name in folded.names):
        return folded
    return Unknown(about_columns=True, mask=True)


def _by_name(call: Call) -> Value:
    return _text_method(call) if isinstance(call.base, Member) else ABOUT_COLUMNS


def _other(call: Call) -> Labels:
    return call.labels(call.arg(0, "other")) or Labels(open=True)


def _set_change(pick: Callable[[ColumnIndex, Labels], tuple[Name, ...]]) -> Method:
    def change(call: Call) -> Value:
        labels, other = _labels(call), _other(call)
        exact = labels.exact and not labels.open and other.exact
        is_open = (labels.open or other.open) if call.name in {"union", "append"} else labels.open
        names = pick(labels, other)
        in_order = call.name == "append" or all(isinstance(name, str) for name in names)
        sorts = call.name in {"union", "difference"} and in_order
        return ColumnIndex(tuple(sorted(names, key=str)) if sorts else names, is_open, exact and in_order)

    return change


def _without(labels: ColumnIndex, other: Labels) -> tuple[Name, ...]:
    return tuple(name for name in labels.names if name not in other.required)


def _shared(labels: ColumnIndex, other: Labels) -> tuple[Name, ...]:
    if other.open or labels.open:
        return union(labels.names, other.names)
    return tuple(name for name in labels.names if name in other.names)


def _both(labels: ColumnIndex, other: Labels) -> tuple[Name, ...]:
    return union(labels.names, other.names)


def _require(call: Call) -> Value:
    """Follow `get_loc` and `drop`, which raise for a label that is not there."""
    labels = _labels(call)
    table = Table(labels.names, open=labels.open, exact=labels.exact)
    value = call.arg(0, "key") if call.name == "get_loc" else call.arg(0, "labels")
    with call.flow.log.guarded(call.constant(None, "errors", "raise") != "raise"):
        asked = call.require(value, table) or Labels(open=True)
    if call.name == "get_loc":
        return UNKNOWN
    exact = labels.exact and asked.exact and not labels.open
    return ColumnIndex(_without(labels, asked), labels.open, exact)


def _level(call: Call) -> Value:
    """Return one level of labels of several levels, or the labels without it."""
    level, labels = call.constant(0, "level", HIDDEN), _labels(call)
    if not isinstance(level, int) or not all(isinstance(name, tuple) for name in labels.names):
        return ABOUT_COLUMNS
    tuples = [name for name in labels.names if isinstance(name, tuple)]
    if any(not -len(name) <= level < len(name) for name in tuples):
        return ABOUT_COLUMNS
    if call.name == "get_level_values":
        return ColumnIndex(tuple(name[level] for name in tuples), labels.open, labels.exact)
    rest = [tuple(part for at, part in enumerate(name) if at != level % len(name)) for name in tuples]
    return ColumnIndex(tuple(name[0] if len(name) == 1 else name for name in rest), labels.open, labels.exact)


def _typed(call: Call) -> Value:
    kind = call.arg(0, "dtype")
    to_text = (isinstance(kind, Member) and kind.name == "str") or kind == Const("str")
    return map_names(
        _labels(call), lambda name: str(name) if to_text and isinstance(name, str | int) else HIDDEN
    )


LABEL_METHODS: dict[str, Method] = {
    "append": _set_change(_both),
    "astype": _typed,
    "capitalize": _by_name,
    "copy": _same,
    "difference": _set_change(_without),
    "drop": _require,
    "droplevel": _level,
    "get_level_values": _level,
    "get_loc": _require,
    "intersection": _set_change(_shared),
    "lower": _by_name,
    "lstrip": _by_name,
    "map": _mapped,
    "removeprefix": _by_name,
    "removesuffix": _by_name,
    "replace": _by_name,
    "rstrip": _by_name,
    "strip": _by_name,
    "title": _by_name,
    "to_flat_index": _same,
    "to_list": _as_list,
    "tolist": _as_list,
    "union": _set_change(_both),
    "unique": _same,
    "upper": _by_name,
}
