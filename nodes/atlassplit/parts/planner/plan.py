"""The typed plan that a request is read into: operations in the order in which they run."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, datetime
from typing import Any, Literal

from mindatlas.nodes.atlassplit.parts.planner.operations import Operation

Language = Literal["zh", "en"]
ChartKind = Literal["line", "bar", "pie"]
RefusalKind = Literal["missing_column", "ambiguous", "outside", "contradictory"]


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """Why a request is not planned.

    Attributes:
        kind: What stands in the way.
        about: The words of the request, or the column, that it is about.
        candidates: What may have been meant, best first; may be empty.
        message: For the user: what is wrong and what to do about it.
    """

    kind: RefusalKind
    about: str
    candidates: tuple[str, ...]
    message: str


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart of the result: `x` and `y` are its columns."""

    kind: ChartKind
    x: str
    y: str
    title: str


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to do with which table.

    Attributes:
        base: Key of the table that the operations start from.
        base_is_df: Whether programs see that table as `df`.
        operations: In the order in which they run.
        column_map: The words of the request for a column -> the column they were read as.
        notices: Decisions that the request left open, for the user.
        language: Of the request, and so of the names that the result gets.
        chart: The chart that was asked for.
    """

    base: str
    base_is_df: bool
    operations: tuple[Operation, ...]
    column_map: dict[str, str]
    notices: tuple[str, ...] = ()
    language: Language = "zh"
    chart: Chart | None = field(default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values; each operation and condition names its type as `kind`."""
        plain: dict[str, Any] = _plain(self)
        return plain


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        named = {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
        return {"kind": type(value).__name__.lower(), **named}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value.isoformat() if isinstance(value, date | datetime) else value
