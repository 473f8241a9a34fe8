"""Source lines for operations on rows: filters, order, ranking, duplicates, columns, lookups."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner.code_text import (
    condition,
    formula,
    key_values,
    label,
    labels,
    labels_of,
    raw,
    shown,
    values,
)
from mindatlas.nodes.atlassplit.parts.planner.operations import (
    Clean,
    Deduplicate,
    Derive,
    Distinct,
    Filter,
    Join,
    Order,
    Round,
    Select,
    Sort,
    Split,
    Top,
)
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column
from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName

Lines = list[str]


def filter_lines(operation: Filter) -> Lines:
    """Return the lines that keep the rows that meet a condition."""
    return [f"table = table[{condition(operation.condition)}]"]


def clean_lines(operation: Clean) -> Lines:
    """Return the lines that parse a column for good; none for one that has real values already."""
    if operation.column.stored == "value":
        return []
    return [f"{raw(operation.column)} = {values(operation.column)}"]


def derive_lines(operation: Derive) -> Lines:
    """Return the lines that add a column by formula."""
    name = operation.name
    return [
        f"table = table.assign(**{{{name!r}: {formula(operation.expression)}}})",
        f"report_empty(table[{name!r}], {name!r})",
    ]


def join_lines(operation: Join) -> Lines:
    """Return the lines that look columns up in another table; the row order stays."""
    left, right = operation.left_on, operation.right_on
    wanted = [name for name in operation.columns if name != right.name]
    lines = [
        f"source = sheets[{operation.table!r}].dropna(subset={labels([right.name])})",
        f"source = source[{labels([right.name, *wanted])}]",
    ]
    if operation.folded:
        lines += [
            f"source = source.assign(_match=folded({raw(right, 'source')})).drop(columns={labels([right.name])})",
            f"table = table.assign(_match=folded({raw(left)})).merge("
            'source, on="_match", how="left", validate="many_to_one", indicator="_found")',
            'table = table.drop(columns="_match")',
        ]
    else:
        lines += [
            f"source = source.rename(columns={{{label(right.name)}: {label(left.name)}}})",
            f'table = table.merge(source, on={label(left.name)}, how="left", validate="many_to_one", '
            'indicator="_found")',
        ]
    return [
        *lines,
        'unmatched = int((table["_found"] == "left_only").sum())',
        "if unmatched:",
        f'    print(f"{{unmatched}} rows have no match in {shown(operation.table)}")',
        'table = table.drop(columns="_found")',
    ]


def sort_lines(operation: Sort) -> Lines:
    """Return the lines that order rows; values stored as text are parsed for it and stay as written."""
    names = [order.column.name for order in operation.by]
    parsed = [order.column for order in operation.by if order.column.stored != "value"]
    ascending = [order.ascending for order in operation.by]
    if not parsed:
        return [_sorted("table", names, ascending)]
    keys = [
        f"_sort_{at}" if o.column.stored != "value" else o.column.name for at, o in enumerate(operation.by)
    ]
    added = ", ".join(
        f"_sort_{at}={values(order.column)}"
        for at, order in enumerate(operation.by)
        if order.column.stored != "value"
    )
    extra = [key for key in keys if isinstance(key, str) and key.startswith("_sort_")]
    return [
        f"table = table.assign({added})",
        _sorted("table", keys, ascending),
        f"table = table.drop(columns={labels(extra)})",
    ]


def top_lines(operation: Top) -> Lines:
    """Return the lines that keep the first rows, saying so when several share the last place."""
    if operation.by is None:
        method = "tail" if operation.from_end else "head"
        groups = f".groupby({_groups(operation)}, dropna=False, sort=False)" if operation.within else ""
        return [f"table = table{groups}.{method}({operation.count})"]
    lines = [
        _places(operation, operation.by),
        f"table = table[places <= {operation.count}]",
        *sort_lines(Sort(by=(*_within_orders(operation), _order(operation)))),
    ]
    if operation.all_ties:
        return lines
    if operation.within:
        groups = f"table.groupby({_groups(operation)}, dropna=False, sort=False)"
        return [*lines, f"first = {groups}.head({operation.count})", *_tie_lines(), "table = first"]
    return [*lines, f"first = table.head({operation.count})", *_tie_lines(), "table = first"]


def distinct_lines(operation: Distinct) -> Lines:
    """Return the lines that list the different values."""
    names = labels(column.name for column in operation.columns)
    lines = [f'table = table[{names}].dropna(how="all")']
    lines += [f"{raw(one)} = {labels_of(one)}" for one in operation.columns if one.whole]
    keys = [_compared(column) for column in operation.columns]
    return [*lines, f"table = table[~pd.concat([{', '.join(keys)}], axis=1).duplicated()]"]


def deduplicate_lines(operation: Deduplicate) -> Lines:
    """Return the lines that drop duplicate rows, and say how many."""
    keep = f'keep="{operation.keep}"'
    if operation.columns:
        keys = ", ".join(_compared(column) for column in operation.columns)
        duplicated = f"pd.concat([{keys}], axis=1).duplicated({keep})"
    else:
        duplicated = f"table.duplicated({keep})"
    return [
        f"duplicated = {duplicated}",
        'print(f"{int(duplicated.sum())} duplicate rows were removed")',
        "table = table[~duplicated]",
    ]


def select_lines(operation: Select) -> Lines:
    """Return the lines that keep some columns."""
    return [f"table = table[{labels(operation.columns)}]"]


def round_lines(operation: Round, name: str) -> Lines:
    """Return the lines that round the figures of the variable `name`, a table or a number."""
    if name == "table":
        columns = labels(operation.columns) if operation.columns else "table.columns[1:]"
        return [f"table = table.round({{name: {operation.decimals} for name in {columns}}})"]
    return [
        f"{name} = {name}.round({operation.decimals}) if isinstance({name}, pd.DataFrame) else round({name}, {operation.decimals})"
    ]


def split_lines(operation: Split, key: str, missing: str) -> Lines:
    """Return the lines that make one table a value; `missing` names the one of rows without a value."""
    return [
        f"key = {key}",
        "result = {}",
        "for value, part in table.groupby(key, dropna=False, sort=False):",
        f"    name = {missing!r} if pd.isna(value) else {_name_of(operation)}",
        "    while name in result:",
        '        name += "_"',
        "    result[name] = part.reset_index(drop=True)",
    ]


def _name_of(operation: Split) -> str:
    key = operation.key
    if key.unit in ("day", "week"):
        return 'f"{value:%Y-%m-%d}"'
    if key.unit is None and key.column.kind == "number":
        return "str(int(value)) if float(value).is_integer() else str(value)"
    return "str(value)"


def _sorted(table: str, names: list[ColumnName], ascending: list[bool]) -> str:
    if len(names) == 1:
        return f'table = {table}.sort_values({label(names[0])}, ascending={ascending[0]}, kind="stable")'
    return f'table = {table}.sort_values({labels(names)}, ascending={ascending}, kind="stable")'


def _places(operation: Top, by: Column) -> str:
    rank = f'rank(method="min", ascending={operation.ascending})'
    if not operation.within:
        return f"places = {values(by)}.{rank}"
    return f"places = {values(by)}.groupby({_groups(operation)}, dropna=False).{rank}"


def _groups(operation: Top) -> str:
    """Return the source of the groups to rank within; spellings of one value, and days of one unit, are one group."""
    return f"[{', '.join(key_values(key) for key in operation.within)}]"


def _tie_lines() -> Lines:
    return [
        "if len(first) < len(table):",
        '    print("rows share the last place; those that come first in the table are kept")',
    ]


def _within_orders(operation: Top) -> list[Order]:
    return [Order(column=key.column, ascending=True) for key in operation.within if key.unit is None]


def _order(operation: Top) -> Order:
    assert operation.by is not None
    return Order(column=operation.by, ascending=operation.ascending)


def _compared(column: Column) -> str:
    """Return the source of a column as it is compared: texts folded."""
    return f"folded({raw(column)})" if column.kind == "text" else values(column)
