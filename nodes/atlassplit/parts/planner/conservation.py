"""What must hold of a result because of the operations that made it, as records of assertions."""

from __future__ import annotations

from typing import Any

from mindatlas.nodes.atlassplit.parts.planner.operations import (
    Aggregate,
    Clean,
    Deduplicate,
    Derive,
    Distinct,
    Growth,
    Join,
    Measure,
    Operation,
    Pivot,
    Round,
    Select,
    Share,
    Sort,
    Split,
    Top,
)
from mindatlas.nodes.atlassplit.parts.planner.plan import Plan
from mindatlas.nodes.atlassplit.parts.workbook_model import SchemaCard, TableCard

Record = dict[str, Any]

_KEEPS_ROWS = (Clean, Derive, Join, Sort, Select, Round)
_KEEPS_GROUPS = (Growth, Share, Sort, Round, Derive)
_SHARE_TOLERANCE = 1e-6


def conservation_assertions(plan: Plan, card: SchemaCard) -> list[Record]:
    """Return the records `{kind, column(s), by, expected?, tolerance?}` that follow from the plan.

    Only what no correct program could break: a total is compared with the input's only where no row was taken
    away, a number of rows is named only where the card tells it.
    """
    table = next(table for table in card.tables if table.key == plan.base)
    grouped = next(
        (place for place, one in enumerate(plan.operations) if isinstance(one, Aggregate | Pivot)), None
    )
    if grouped is None:
        return [*_row_records(plan, table), *_ordered(plan)]
    before, operation, after = (
        plan.operations[:grouped],
        plan.operations[grouped],
        plan.operations[grouped + 1 :],
    )
    whole = all(isinstance(one, _KEEPS_ROWS) and not isinstance(one, Select) for one in before)
    if isinstance(operation, Pivot):
        return _pivot_records(operation)
    assert isinstance(operation, Aggregate)
    if not operation.keys:
        return _scalar_records(operation, table, whole=whole and not after)
    complete = all(isinstance(one, _KEEPS_GROUPS) for one in after)
    exact = not any(isinstance(one, Round) for one in after)
    return [
        *_group_records(operation, table, before, whole=whole and complete and exact),
        *_share_records(after, complete=complete and exact),
        *_limit_records(after),
        *_ordered(plan),
    ]


def _row_records(plan: Plan, table: TableCard) -> list[Record]:
    """Return what holds of plans that never group: how many rows, which columns, which tables."""
    records: list[Record] = []
    operations = plan.operations
    if all(isinstance(one, (*_KEEPS_ROWS, Split)) for one in operations):
        records.append({"kind": "row_count", "expected": table.rows})
    elif not any(isinstance(one, Distinct) for one in operations):
        records.append({"kind": "row_count", "expected": {"max": _most_rows(operations, table)}})
    for one in operations:
        if isinstance(one, Split) and one.key.unit is None and not one.key.folded and operations == (one,):
            records.append({"kind": "sheet_set", "column": str(one.key.column.name)})
        elif isinstance(one, Derive):
            records.append({"kind": "columns_present", "columns": [one.name]})
        elif isinstance(one, Join):
            records.append({"kind": "columns_present", "columns": [str(name) for name in one.columns]})
        elif isinstance(one, Distinct | Deduplicate) and one.columns:
            records.append({"kind": "unique_key", "columns": [str(column.name) for column in one.columns]})
    selected = [one.columns for one in operations if isinstance(one, Select)]
    return _without_dropped(records, [str(name) for name in selected[-1]]) if selected else records


def _without_dropped(records: list[Record], kept: list[str]) -> list[Record]:
    """Return the records that speak of columns that are still there."""
    records = [one for one in records if set(one.get("columns", ())) <= set(kept)]
    return [*records, {"kind": "columns_present", "columns": kept}]


def _most_rows(operations: tuple[Operation, ...], table: TableCard) -> int:
    limits = [one.count for one in operations if isinstance(one, Top) and not (one.within or one.all_ties)]
    return min([table.rows, *limits])


def _group_records(
    operation: Aggregate, table: TableCard, before: tuple[Operation, ...], *, whole: bool
) -> list[Record]:
    keys = [str(key.name) for key in operation.keys]
    names = [str(measure.name) for measure in operation.measures]
    records: list[Record] = [
        {"kind": "columns_present", "columns": [*keys, *names]},
        {"kind": "unique_key", "columns": keys},
    ]
    if not whole:
        return records
    made = {one.name for one in before if isinstance(one, Derive)}
    renamed = any(key.name != key.column.name and key.unit is None for key in operation.keys)
    for measure in operation.measures:
        if measure.function == "rows":
            records.append({"kind": "total_sum_match", "column": str(measure.name), "expected": table.rows})
        elif _adds_up(measure, made) and not renamed:
            records.append(_sum_record(measure, keys))
    return records


def _adds_up(measure: Measure, made: set[str]) -> bool:
    """Return whether the figures are sums of a column of numbers that the input has."""
    column = measure.column
    return (
        measure.function == "sum"
        and column is not None
        and column.kind == "number"
        and column.name not in made
    )


def _sum_record(measure: Measure, keys: list[str]) -> Record:
    assert measure.column is not None
    return {
        "kind": "group_sums_match_total",
        "column": str(measure.name),
        "input_column": str(measure.column.name),
        "by": keys,
        "tolerance": {"absolute": 0.01, "relative": 1e-9},
    }


def _scalar_records(operation: Aggregate, table: TableCard, *, whole: bool) -> list[Record]:
    measure = operation.measures[0]
    if not whole or len(operation.measures) > 1:
        return []
    if measure.function == "rows":
        return [{"kind": "total_sum_match", "column": str(measure.name), "expected": table.rows}]
    if not _adds_up(measure, set()) or measure.missing_if_empty:
        return []
    record = _sum_record(measure, [])
    return [{**{key: value for key, value in record.items() if key != "by"}, "kind": "total_sum_match"}]


def _share_records(after: tuple[Operation, ...], *, complete: bool) -> list[Record]:
    shares = [one for one in after if isinstance(one, Share)] if complete else []
    return [
        {"kind": "total_sum_match", "column": one.name, "expected": 1, "tolerance": _SHARE_TOLERANCE}
        for one in shares
    ]


def _limit_records(after: tuple[Operation, ...]) -> list[Record]:
    limits = [one.count for one in after if isinstance(one, Top) and not (one.within or one.all_ties)]
    return [{"kind": "row_count", "expected": {"max": min(limits)}}] if limits else []


def _pivot_records(operation: Pivot) -> list[Record]:
    return [
        {"kind": "columns_present", "columns": [str(operation.rows.name)]},
        {"kind": "unique_key", "columns": [str(operation.rows.name)]},
    ]


def _ordered(plan: Plan) -> list[Record]:
    """Return the order of the first sort key, where sorting or ranking by a number was the last thing done."""
    last = next((one for one in reversed(plan.operations) if not isinstance(one, Round)), None)
    if isinstance(last, Sort):
        column, ascending = last.by[0].column, last.by[0].ascending
    elif isinstance(last, Top) and last.by is not None and not last.within:
        column, ascending = last.by, last.ascending
    else:
        return []
    if column.kind != "number" or column.stored != "value":
        return []
    expected = "increasing" if ascending else "decreasing"
    return [{"kind": "monotonic", "column": str(column.name), "expected": expected}]
