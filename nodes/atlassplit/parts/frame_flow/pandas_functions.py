"""Functions of pandas and numpy that take or make frames and columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mindatlas.nodes.atlassplit.parts.frame_flow.calls import Call, Method
from mindatlas.nodes.atlassplit.parts.frame_flow.column_refs import Labels
from mindatlas.nodes.atlassplit.parts.frame_flow.joins import as_table, concat, merge_tables
from mindatlas.nodes.atlassplit.parts.frame_flow.keys import read_keys
from mindatlas.nodes.atlassplit.parts.frame_flow.reshapes import melted, pivoted
from mindatlas.nodes.atlassplit.parts.frame_flow.shapes import OPEN_TABLE, remove
from mindatlas.nodes.atlassplit.parts.frame_flow.state import union
from mindatlas.nodes.atlassplit.parts.frame_flow.values import (
    HIDDEN,
    MASK,
    NONE,
    UNKNOWN,
    ColumnIndex,
    Const,
    DictObject,
    Grouper,
    ListObject,
    NamedAgg,
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
    return call.give(Table(labels.names, open=labels.open, exact=labels.exact, index=table.index))


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
    known = [record for record in records if isinstance(record, DictObject)]
    names = union(*((key for key, _ in record.items) for record in known))
    is_open = item.open or len(known) < len(records) or any(record.open for record in known) or not records
    return Table(names, open=is_open and not (not records and item.exact), exact=item.exact and not is_open)


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


def _read(call: Call) -> Value:
    """Follow `read_csv`, `read_excel` and the like: the columns are known only where the call names them."""
    names = call.labels(call.arg(None, "names"))
    if names is not None and names.exact and call.arg(None, "index_col") in {None, NONE}:
        return call.give(Table(names.required, index=None))
    if call.name == "read_excel" and "sheet_name" in call.keywords:
        sheet = call.keywords["sheet_name"]
        if not (isinstance(sheet, Const) and isinstance(sheet.value, str | int)):
            return UNKNOWN
    return call.give(OPEN_TABLE)


def _merge(call: Call) -> Value:
    left = as_table(call, call.arg(0, "left")) or OPEN_TABLE
    return merge_tables(call, left, call.arg(1, "right"), shift=1)


def _merge_ordered(call: Call) -> Value:
    """Follow `merge_asof` and `merge_ordered`, whose positional arguments differ from those of `merge`."""
    left, right = (
        as_table(call, call.arg(at, name)) or OPEN_TABLE for at, name in enumerate(("left", "right"))
    )
    for name, table in (("on", left), ("on", right), ("left_on", left), ("right_on", right)):
        call.require(call.arg(None, name), table, levels=True)
    call.require(call.arg(None, "by"), left)
    names = union(left.columns, right.columns)
    overlap = [name for name in left.columns if name in right.columns]
    suffixed = [f"{name}{suffix}" for name in overlap for suffix in ("_x", "_y")]
    is_open = left.open or right.open or call.arg(None, "suffixes") is not None
    return call.give(Table(union(names, suffixed), open=is_open, exact=False, index=None))


def _melt(call: Call) -> Value:
    frame = as_table(call, call.arg(0, "frame")) or OPEN_TABLE
    return call.give(melted(call, frame, shift=1))


def _pivot_table(call: Call) -> Value:
    return call.give(pivoted(call, as_table(call, call.arg(0, "data")) or OPEN_TABLE, shift=1))


def _pivot(call: Call) -> Value:
    table = as_table(call, call.arg(0, "data")) or OPEN_TABLE
    for name in ("index", "columns", "values"):
        call.require(call.arg(None, name), table)
    return call.give(replace(OPEN_TABLE, axis_named=True))


def _crosstab(call: Call) -> Value:
    with call.flow.log.guarded():
        index = read_keys(call, call.arg(0, "index"), OPEN_TABLE)
    return call.give(replace(OPEN_TABLE, index=index, axis_named=True))


def _get_dummies(call: Call) -> Value:
    table = as_table(call, call.arg(0, "data"))
    columns = call.arg(None, "columns") or call.arg(4, "columns")
    if table is None or columns is None:
        return call.give(OPEN_TABLE if table is None else replace(table, open=True, exact=False))
    labels = call.require(columns, table) or Labels(open=True)
    return call.give(replace(remove(table, labels), open=True, exact=False))


def _same_column(call: Call) -> Value:
    """Follow `to_numeric`, `to_datetime`, `cut` and the like: a column stays the column it is."""
    value = next(iter((*call.args, *call.keywords.values())), UNKNOWN)
    return Series(value.name, value.index) if isinstance(value, Series) else UNKNOWN


def _is_missing(call: Call) -> Value:
    value = call.args[0] if call.args else UNKNOWN
    if isinstance(value, Series):
        return replace(value, mask=True)
    return value if call.flow.table(value) is not None else MASK


def _grouper(call: Call) -> Value:
    key = call.arg(0, "key")
    if key is None or key == NONE:
        return Grouper(None)
    return Grouper(key.value if isinstance(key, Const) else HIDDEN)


def _named_agg(call: Call) -> Value:
    return NamedAgg(call.arg(0, "column") or UNKNOWN)


def _json_normalize(call: Call) -> Value:
    return call.give(OPEN_TABLE)


def _mask(call: Call) -> Value:
    call.run_all()
    return MASK


_READERS = ("read_csv", "read_excel", "read_feather", "read_json", "read_parquet", "read_table", "read_fwf")
_COLUMN_FUNCTIONS = ("cut", "qcut", "to_datetime", "to_numeric", "to_timedelta")
_MASK_FUNCTIONS = (
    "isclose", "isfinite", "isin", "isinf", "isnan", "logical_and", "logical_not", "logical_or", "logical_xor",
)  # fmt: skip
PANDAS_FUNCTIONS: Mapping[str, Method] = {
    **dict.fromkeys(_READERS, _read),
    **dict.fromkeys(_COLUMN_FUNCTIONS, _same_column),
    "DataFrame": _make_frame,
    "Grouper": _grouper,
    "Index": _make_index,
    "NamedAgg": _named_agg,
    "Series": _make_series,
    "concat": concat,
    "crosstab": _crosstab,
    "get_dummies": _get_dummies,
    "isna": _is_missing,
    "isnull": _is_missing,
    "json_normalize": _json_normalize,
    "melt": _melt,
    "merge": _merge,
    "merge_asof": _merge_ordered,
    "merge_ordered": _merge_ordered,
    "notna": _is_missing,
    "notnull": _is_missing,
    "pivot": _pivot,
    "pivot_table": _pivot_table,
}
NUMPY_FUNCTIONS: Mapping[str, Method] = dict.fromkeys(_MASK_FUNCTIONS, _mask)
