"""Columns and formulas as plans name them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.atlassplit.parts.workbook_model import ColumnName

Unit = Literal["day", "week", "month", "quarter", "year"]
Stored = Literal["value", "number_text", "date_text"]
Kind = Literal["number", "text", "date", "duration", "boolean", "mixed", "empty"]
Operator = Literal["+", "-", "*", "/"]


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of the frame as it is at that point of the plan.

    Attributes:
        name: Its label.
        kind: What its values are once they are read.
        stored: Whether they must be parsed from text first.
        patterns: How the texts are written, as the schema card names it.
        whole: Whether its numbers are whole and blanks among them make the frame hold them as floats.
    """

    name: ColumnName
    kind: Kind
    stored: Stored = "value"
    patterns: tuple[str, ...] = ()
    whole: bool = False


@dataclass(frozen=True, kw_only=True)
class Number:
    """A number in a formula."""

    value: float


@dataclass(frozen=True, kw_only=True)
class Arithmetic:
    """Two formulas joined by an operator."""

    operator: Operator
    left: Expression
    right: Expression


Expression = Number | Column | Arithmetic
"""A formula over the columns of one row."""
