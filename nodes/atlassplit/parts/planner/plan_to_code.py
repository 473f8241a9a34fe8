"""Writes a plan as a pandas program."""

from __future__ import annotations

from mindatlas.nodes.atlassplit.parts.planner import code_groups, code_rows
from mindatlas.nodes.atlassplit.parts.planner.code_functions import sources_for
from mindatlas.nodes.atlassplit.parts.planner.code_text import key_values, raw, values
from mindatlas.nodes.atlassplit.parts.planner.operation_text import describe
from mindatlas.nodes.atlassplit.parts.planner.operations import (
    Aggregate,
    Clean,
    Deduplicate,
    Derive,
    Distinct,
    Filter,
    Growth,
    Join,
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
from mindatlas.nodes.atlassplit.parts.planner.used_columns import dated_columns, parsed_columns

_MISSING = {"zh": "（空）", "en": "(missing)"}


def write_code(plan: Plan) -> str:
    """Return the program of a plan.

    It sees `df`, `sheets`, `pd` and `np`, changes none of them, and leaves `result`, and `chart` when one was
    asked for. What it had to pass over it prints.
    """
    start = "df" if plan.base_is_df else f"sheets[{plan.base!r}]"
    lines = [f"table = {start}.copy()", *_reports(plan)]
    for place, operation in enumerate(plan.operations):
        lines += ["", f"# {describe(operation, plan.language)}", *_lines(plan, place, operation)]
    lines += _end(plan)
    body = "\n".join(lines) + "\n"
    return sources_for(body) + body


def _reports(plan: Plan) -> list[str]:
    """Return the lines that say which cells cannot be read and which rows have no date."""
    unread = [
        f"report_unread({raw(column)}, {values(column)}, {str(column.name)!r})"
        for column in parsed_columns(plan)
    ]
    undated = [f"report_missing({values(column)}, {str(column.name)!r})" for column in dated_columns(plan)]
    return [*unread, *undated]


def _lines(plan: Plan, place: int, operation: Operation) -> list[str]:
    match operation:
        case Filter():
            return code_rows.filter_lines(operation)
        case Clean():
            return code_rows.clean_lines(operation)
        case Derive():
            return code_rows.derive_lines(operation)
        case Join():
            return code_rows.join_lines(operation)
        case Aggregate(keys=()) if any(isinstance(one, Filter) for one in plan.operations[:place]):
            empty = ["if table.empty:", '    print("no row meets the conditions")']
            return [*empty, *code_groups.aggregate_lines(operation, as_periods=False)]
        case Aggregate():
            return code_groups.aggregate_lines(operation, as_periods=bool(_growths(plan, 0)))
        case Growth():
            return [*code_groups.growth_lines(operation), *_labels(plan, place)]
        case Share():
            return code_groups.share_lines(operation)
        case Pivot():
            return code_groups.pivot_lines(operation, _MISSING[plan.language])
        case Sort():
            return code_rows.sort_lines(operation)
        case Top():
            return code_rows.top_lines(operation)
        case Distinct():
            return code_rows.distinct_lines(operation)
        case Deduplicate():
            return code_rows.deduplicate_lines(operation)
        case Split():
            return code_rows.split_lines(operation, key_values(operation.key), _MISSING[plan.language])
        case Select():
            return code_rows.select_lines(operation)
        case Round():
            return code_rows.round_lines(operation, "result" if _is_scalar(plan) else "table")


def _growths(plan: Plan, start: int) -> list[Growth]:
    return [operation for operation in plan.operations[start:] if isinstance(operation, Growth)]


def _labels(plan: Plan, place: int) -> list[str]:
    """Return the lines that label periods, behind the last growth."""
    if _growths(plan, place + 1):
        return []
    grouped = next(one for one in plan.operations if isinstance(one, Aggregate))
    return code_groups.label_lines(grouped.keys)


def _is_scalar(plan: Plan) -> bool:
    return any(isinstance(one, Aggregate) and not one.keys for one in plan.operations)


def _end(plan: Plan) -> list[str]:
    lines: list[str] = []
    if not _is_scalar(plan) and not isinstance(plan.operations[-1], Split):
        lines += ["", "result = table.reset_index(drop=True)"]
        if any(isinstance(operation, Filter) for operation in plan.operations):
            lines += ["if result.empty:", '    print("no row meets the conditions")']
    if plan.chart is not None:
        chart = {name: getattr(plan.chart, name) for name in ("kind", "x", "y", "title")}
        lines.append(f"chart = {chart!r}")
    return lines
