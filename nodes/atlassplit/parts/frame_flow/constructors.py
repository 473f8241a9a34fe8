"""What makes frames, columns and labels out of lists and dicts: `DataFrame`, `Series`, `Index`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.joins import as_table
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import OPEN_TABLE, has_doubles
from mindatlas.nodes.atlassplit.parts.frame_flow.state import union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    NONE,
    UNKNOWN,
    ColumnIndex,
    Const,
    DictObject,
    HeapObject,
    ListObject,
    Ref,
    Series,
    Table,
    TupleValue,
    Value,
)


def _make_frame(call: Call) -> Value:
    """Follow `pd.DataFrame(data, index, columns)`."""
    data, columns = call.arg(0, "data"), call.arg(2, "columns")
    table = _from_data(call, data)
    index = call.arg(1, "index")
    if index is not None and index != NONE:
        table = replace(table, index=(None,) if _is_flat_list(call, index) else None)
    if columns is None or columns == NONE:
        return call.give(table)
    labels = call.labels(columns)
    if labels is None:
        return call.give(OPEN_TABLE)
    return call.give(
        Table(
            labels.names,
            open=labels.open,
            exact=labels.exact and not has_doubles(labels.names),
            index=table.index,
        )
    )


def _from_data(call: Call, data: Value | None) -> Table:
    if data is None or data == NONE:
        return Table(())
    single = as_table(call, data)
    if single is not None:
        return OPEN_TABLE if single.row else single
    item = call.heap[data.ids[0]] if isinstance(data, Ref) and len(data.ids) == 1 else None
    if isinstance(item, DictObject):
        return _from_dict(call, item)
    return _from_records(call, item) if isinstance(item, ListObject) else OPEN_TABLE


def _from_dict(call: Call, item: DictObject) -> Table:
    """Return the frame of a dict: its index is a new one where the values are lists or constants."""
    names = tuple(key for key, _ in item.items)
    indexes = {value.index for _, value in item.items if isinstance(value, Series)}
    others = [value for _, value in item.items if not isinstance(value, Series)]
    index = indexes.pop() if len(indexes) == 1 else (None,) if not indexes else None
    if not all(_is_plain(call, value) for value in others):
        index = None
    return Table(names, open=item.open, exact=not item.open, index=index)


def _is_plain(call: Call, value: Value) -> bool:
    """Return whether `value` is a list or a constant, so that it brings no named index."""
    if isinstance(value, Ref):
        return all(isinstance(call.heap[identity], ListObject) for identity in value.ids)
    return isinstance(value, Const | TupleValue)


def _is_flat_list(call: Call, value: Value) -> bool:
    """Return whether `value` is a list of plain values: as an index it has one level without a name."""
    items = [call.heap[identity] for identity in value.ids] if isinstance(value, Ref) else []
    lists = [item for item in items if isinstance(item, ListObject)]
    inner = [entry for item in lists for entry in item.items]
    return (
        bool(items)
        and len(lists) == len(items)
        and not any(isinstance(entry, Ref | Series | ColumnIndex) for entry in inner)
    )


def _from_records(call: Call, item: ListObject) -> Table:
    """Return the frame of a list of dicts; open where a record is something else."""
    records = [
        call.heap[value.ids[0]] if isinstance(value, Ref) and len(value.ids) == 1 else None
        for value in item.items
    ]
    known = [record for record in map(_as_record, records) if record is not None]
    names = union(*(record.columns for record in known))
    is_open = item.open or len(known) < len(records) or any(record.open for record in known) or not records
    return Table(names, open=is_open and not (not records and item.exact), exact=item.exact and not is_open)


def _as_record(record: HeapObject | None) -> Table | None:
    """Return a dict, or a row of a frame, as a row."""
    if isinstance(record, DictObject):
        return Table(tuple(key for key, _ in record.items), open=record.open, row=True)
    return record if isinstance(record, Table) and record.row else None


def _make_index(call: Call) -> Value:
    """Follow `pd.Index([…])`: labels that may become columns."""
    labels = call.labels(call.arg(0, "data"))
    if labels is None or labels.scalar:
        return UNKNOWN
    return ColumnIndex(labels.names, labels.open, labels.exact)


def _make_series(call: Call) -> Value:
    """Follow `pd.Series(data)`: one made of a dict has its keys as labels, as rows of a frame have."""
    mapping = call.dict_argument(call.arg(0, "data"))
    if mapping is not None and call.arg(1, "index") is None:
        names = tuple(key for key, _ in mapping.items)
        return call.give(Table(names, open=mapping.open, exact=not mapping.open, row=True, index=None))
    labels = call.labels(call.arg(1, "index"))
    if labels is not None and labels.exact and call.arg(0, "data") is not None:
        return call.give(Table(labels.required, row=True, index=None))
    name = call.constant(3, "name", None)
    return Series(name, None)


def _from_dict_of(call: Call) -> Value:
    """Follow `DataFrame.from_dict` and `from_records`."""
    columns = call.labels(call.arg(None, "columns"))
    index = call.arg(None, "index")
    if columns is not None and index is None:
        return call.give(Table(columns.names, open=columns.open, exact=columns.exact))
    if call.constant(1, "orient", "columns") != "columns" or index is not None:
        return call.give(OPEN_TABLE)
    return call.give(_from_data(call, call.arg(0, "data")))


CONSTRUCTORS: Mapping[str, Method] = {
    "DataFrame": _make_frame,
    "DataFrame.from_dict": _from_dict_of,
    "DataFrame.from_records": _from_dict_of,
    "Index": _make_index,
    "Series": _make_series,
}
