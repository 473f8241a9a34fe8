"""Conditions on rows: what a filter keeps."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column

Comparison = Literal[">", ">=", "<", "<=", "==", "!="]


@dataclass(frozen=True, kw_only=True)
class Compare:
    """A number compared; missing values never meet it, except with `!=`."""

    column: Column
    comparison: Comparison
    value: float


@dataclass(frozen=True, kw_only=True)
class CompareColumns:
    """Two columns of numbers compared row by row; a missing value on either side never meets it, except `!=`."""

    column: Column
    comparison: Comparison
    other: Column


@dataclass(frozen=True, kw_only=True)
class OneOf:
    """Equal to one of some values.

    `values` are as they are written in the column when `listed`; else they are the words of the request, to be
    compared without case, width and outer spaces.
    """

    column: Column
    values: tuple[str, ...]
    listed: bool


@dataclass(frozen=True, kw_only=True)
class Matches:
    """Contains, begins or ends with one of some texts, without regard to case and width."""

    column: Column
    how: Literal["contains", "starts", "ends"]
    texts: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Empty:
    """Missing, or a text of white space only."""

    column: Column


@dataclass(frozen=True, kw_only=True)
class During:
    """A date from `start` to `end`, both days included; None leaves that side open.

    With `unit` the column holds labels of such calendar units, as grouping by them gives.
    """

    column: Column
    start: date | None
    end: date | None
    unit: Literal["day", "week", "month", "quarter", "year"] | None = None


@dataclass(frozen=True, kw_only=True)
class Not:
    """Rows that do not meet `condition`, those with a missing value among them."""

    condition: Condition


@dataclass(frozen=True, kw_only=True)
class AllOf:
    """Meets every one of `conditions`."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, kw_only=True)
class AnyOf:
    """Meets at least one of `conditions`."""

    conditions: tuple[Condition, ...]


Condition = Compare | CompareColumns | OneOf | Matches | Empty | During | Not | AllOf | AnyOf


def columns_of(condition: Condition) -> tuple[Column, ...]:
    """Return the columns that a condition looks at, each once, in order."""
    if isinstance(condition, Not):
        return columns_of(condition.condition)
    if isinstance(condition, AllOf | AnyOf):
        return tuple(dict.fromkeys(c for part in condition.conditions for c in columns_of(part)))
    if isinstance(condition, CompareColumns):
        return (condition.column, condition.other)
    return (condition.column,)


def all_of(conditions: tuple[Condition, ...]) -> Condition:
    """Return one condition for several, nested ones flattened."""
    flat: list[Condition] = []
    for condition in conditions:
        flat += condition.conditions if isinstance(condition, AllOf) else (condition,)
    return flat[0] if len(flat) == 1 else AllOf(conditions=tuple(flat))
