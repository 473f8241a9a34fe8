"""Methods of a frame that add, drop or pick columns, or move them to and from the index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import (
    add,
    remove,
    reset_index,
    select,
    set_index,
    subset,
)
from mindatlas.nodes.atlassplit.parts.frame_flow.subscripts import column
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    ABOUT_COLUMNS,
    HIDDEN,
    NONE,
    UNKNOWN,
    ColumnIndex,
    Ref,
    Value,
)


def _set_index(call: Call) -> Value:
    keys = call.arg(0, "keys")
    labels = call.require(keys)
    if labels is not None and labels.open and isinstance(keys, Ref):
        return call.finish(replace(remove(call.table, Labels(possible=labels.names)), index=None))
    return call.finish(
        set_index(call.table, labels, drop=call.flag(1, "drop", default=True), append=call.flag(2, "append"))
    )


def _reset_index(call: Call) -> Value:
    table, drop = call.table, call.flag(1, "drop")
    if drop:
        partial = call.arg(0, "level") is not None
        return call.finish(replace(table, index=None if partial else (None,)))
    named = call.labels(call.arg(None, "names"))
    back = reset_index(table, named.required if named is not None and named.exact else None)
    if call.arg(0, "level") is not None or drop is None:
        back = replace(back, exact=False, index=None)
    return call.finish(back)


def _filter(call: Call) -> Value:
    """Follow `filter`: names that are not there are left out without an error."""
    labels = call.labels(call.arg(0, "items"))
    table = call.table
    if labels is None or not labels.exact or call.constant(3, "axis", 1) not in {1, "columns"}:
        return call.give(subset(table))
    kept = tuple(name for name in labels.required if table.lookup(name) != "absent")
    exact = table.exact and not table.open
    return call.give(replace(select(table, Labels(kept)), exact=exact))


def _reindex(call: Call) -> Value:
    value = call.arg(None, "columns") or (call.arg(0, "labels") if call.by_columns(None) else None)
    if value is None:
        return call.give(replace(call.table, index=None))
    labels = call.labels(value) or Labels(open=True)
    return call.give(
        replace(
            call.table, columns=labels.names, open=labels.open, exact=labels.exact, possible_names=frozenset()
        )
    )


def _get(call: Call) -> Value:
    name = call.constant(0, "key", HIDDEN)
    return column(call.table, name) if name in call.table.columns else ABOUT_COLUMNS


def _labels(call: Call) -> Value:
    return ColumnIndex(call.table.columns, call.table.open, call.table.exact)


def _cross_section(call: Call) -> Value:
    if call.by_columns(1):
        labels = call.require(call.arg(0, "key"))
        return column(call.table, labels.names[0]) if labels and len(labels.names) == 1 else UNKNOWN
    return call.give(replace(call.table, index=None)) if call.arg(2, "level") is not None else UNKNOWN


def _pop(call: Call) -> Value:
    labels = call.require(call.arg(0, "item")) or Labels(open=True)
    value = column(call.table, labels.names[0]) if len(labels.names) == 1 else UNKNOWN
    if isinstance(call.base, Ref):
        call.flow.update(call.base, lambda table: remove(table, labels))
    return value


def _insert(call: Call) -> Value:
    labels = call.labels(call.arg(1, "column")) or Labels(open=True)
    call.flow.log.mentioned.update(labels.names)
    if isinstance(call.base, Ref):
        call.flow.update(call.base, lambda table: replace(add(table, labels), exact=False))
    return NONE


def _drop(call: Call) -> Value:
    ignores = call.constant(5, "errors", "raise") != "raise"
    dropped = [call.arg(3, "columns")]
    by_columns = call.by_columns(1)
    if by_columns is not False:
        dropped.append(call.arg(0, "labels"))
    table = call.table
    for value in dropped:
        if value is None:
            continue
        with call.flow.log.guarded(ignores or by_columns is None):
            labels = call.require(value)
        certain = labels if by_columns is not None else Labels(possible=labels.names if labels else ())
        table = remove(table, certain) if certain is not None else subset(table)
    return call.finish(table)


COLUMN_METHODS: Mapping[str, Method] = {
    "drop": _drop,
    "filter": _filter,
    "get": _get,
    "insert": _insert,
    "keys": _labels,
    "pop": _pop,
    "reindex": _reindex,
    "reset_index": _reset_index,
    "set_index": _set_index,
    "xs": _cross_section,
}
