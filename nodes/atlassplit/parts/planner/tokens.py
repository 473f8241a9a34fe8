"""The tokens of a request, each with all that it may mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.date_ranges import DateRange


@dataclass(frozen=True, kw_only=True)
class CellValue:
    """A value that stands in a column, in all the ways in which it is written there."""

    field: Field
    written: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class DateValue:
    """A stretch of days; `needs_year` when the text names no year and nothing else that fixes one."""

    range: DateRange
    needs_year: bool


@dataclass(frozen=True, kw_only=True)
class NumberValue:
    """A number; `text` as written, `percent` when it had a percent sign, `scaled` when 万 or 亿 or a currency."""

    value: float
    percent: bool = False
    scaled: bool = False


@dataclass(frozen=True, kw_only=True)
class Token:
    """A stretch of the request and its possible meanings; one without any is unknown.

    `start` and `end` are offsets in the clause as written, `text` is what stands there, without quotes. `total`
    says that it names the sum of a column (销售总额).
    """

    text: str
    folded: str
    start: int
    end: int
    classes: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[Field, ...] = ()
    total: bool = False
    values: tuple[CellValue, ...] = ()
    tables: tuple[str, ...] = ()
    number: NumberValue | None = None
    dates: DateValue | None = None
    quoted: bool = False
    separator: str = ""

    @property
    def known(self) -> bool:
        """Whether it means anything by itself."""
        return bool(
            self.classes
            or self.fields
            or self.values
            or self.tables
            or self.number
            or self.dates
            or self.quoted
            or self.separator
        )
