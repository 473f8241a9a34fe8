"""One line of comment for each step of a generated program."""

from __future__ import annotations

from collections.abc import Iterable

from mindatlas.nodes.atlassplit.parts.planner.conditions import columns_of
from mindatlas.nodes.atlassplit.parts.planner.messages import step
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
from mindatlas.nodes.atlassplit.parts.planner.plan import Language

_LONGEST = 90


def describe(operation: Operation, language: Language) -> str:
    """Return what a step does, on one line, in the language of the request."""
    code, details = _details(operation, language)
    text = " ".join(step(code, language, **details).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _details(operation: Operation, language: Language) -> tuple[str, dict[str, str]]:
    def listed(names: Iterable[object]) -> str:
        return ("、" if language == "zh" else ", ").join(map(str, names))

    match operation:
        case Filter():
            return "filter", {"columns": listed(column.name for column in columns_of(operation.condition))}
        case Clean():
            return "clean", {"columns": str(operation.column.name)}
        case Join():
            return "join", {"columns": listed(operation.columns), "table": operation.table}
        case Aggregate():
            names = listed(measure.name for measure in operation.measures)
            keys = listed(key.name for key in operation.keys)
            return (
                ("aggregate", {"columns": names, "keys": keys})
                if keys
                else ("aggregate_all", {"columns": names})
            )
        case Derive() | Growth() | Share():
            return type(operation).__name__.lower(), {"columns": operation.name}
        case Pivot():
            parts = (operation.measure, operation.rows, operation.columns)
            return "pivot", dict(
                zip(("columns", "keys", "table"), (str(part.name) for part in parts), strict=True)
            )
        case Sort():
            return "sort", {"columns": listed(order.column.name for order in operation.by)}
        case Top():
            count = str(operation.count)
            by = operation.by
            return (
                ("head", {"count": count})
                if by is None
                else ("top", {"count": count, "columns": str(by.name)})
            )
        case Distinct() | Deduplicate():
            columns = listed(column.name for column in operation.columns) or "*"
            return type(operation).__name__.lower(), {"columns": columns}
        case Split():
            return "split", {"columns": str(operation.key.name)}
        case Select():
            return "select", {"columns": listed(operation.columns)}
        case Round():
            return "round", {"count": str(operation.decimals)}
