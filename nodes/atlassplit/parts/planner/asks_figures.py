"""What phrases ask for that has to do with figures: which ones, of what groups, ranked and compared how."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.atlassplit.parts.planner.conditions import Comparison, Condition
from mindatlas.nodes.atlassplit.parts.planner.fields import Field
from mindatlas.nodes.atlassplit.parts.planner.operations import Function, Key
from mindatlas.nodes.atlassplit.parts.planner.plan_columns import Column, Unit


@dataclass(frozen=True, kw_only=True)
class MeasureAsk:
    """A figure; `function` is None where none was named, `field` where rows are counted.

    `name` is what a number of rows is to be called.
    """

    text: str
    function: Function | None
    field: Field | None
    name: str = ""


@dataclass(frozen=True, kw_only=True)
class MeasuresAsk:
    """Several figures of one phrase, in order; `together` when it may mean one figure of all the columns."""

    measures: tuple[MeasureAsk, ...]
    together: bool = False

    @property
    def text(self) -> str:
        """The figures as written."""
        return self.measures[0].text


@dataclass(frozen=True, kw_only=True)
class GroupAsk:
    """What to group by."""

    text: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, kw_only=True)
class ConditionAsk:
    """A condition on rows.

    Attributes:
        listed: Values that were only named, joined by and (北京和上海): together or each by itself?
        only_dates: It is about time only.
        text: As written.
    """

    text: str
    condition: Condition
    listed: tuple[Column, ...] = ()
    only_dates: bool = False


@dataclass(frozen=True, kw_only=True)
class Bound:
    """A number with the sign of its comparison, and the unit behind it (元, hours) where one is written."""

    comparison: Comparison
    value: float
    text: str
    percent: bool = False
    scaled: bool = False
    unit: str = ""
    measured: bool = False


@dataclass(frozen=True, kw_only=True)
class HavingAsk:
    """A condition on a figure of groups; `measure` is None for the only one there is."""

    text: str
    measure: MeasureAsk | None
    bound: Bound


@dataclass(frozen=True, kw_only=True)
class RelationBoundAsk:
    """A condition on the share or growth just named (占比超过10%), and the groups it names behind it."""

    text: str
    bound: Bound
    entity: Key | None


@dataclass(frozen=True, kw_only=True)
class OrderAsk:
    """One thing to sort by: a figure or column, a calendar unit, or neither for the only figure there is.

    A column that is no figure is a measure without a function.
    """

    measure: MeasureAsk | None
    key: Key | None
    ascending: bool | None


@dataclass(frozen=True, kw_only=True)
class SortAsk:
    """How to sort."""

    text: str
    orders: tuple[OrderAsk, ...]


@dataclass(frozen=True, kw_only=True)
class TopAsk:
    """Which of the rows or groups to keep.

    Attributes:
        count: How many; None for the one at the top, however many share the place.
        ascending: Whether the smallest are meant.
        by: The figure they are ranked by; None where it is not said here.
        entity: What is ranked: a column or unit, or rows; None where it is not said.
        in_order: The first or last rows as they stand, without a figure.
        extreme: A word such as 最高的 or largest says that the rank is by a figure.
    """

    text: str
    count: int | None
    ascending: bool
    by: MeasureAsk | None = None
    entity: Key | Literal["rows"] | None = None
    in_order: bool = False
    extreme: bool = False


@dataclass(frozen=True, kw_only=True)
class RankAsk:
    """The figure to rank by, named after what is ranked (top 3 stores *by sales*)."""

    text: str
    measure: MeasureAsk


@dataclass(frozen=True, kw_only=True)
class GrowthAsk:
    """Growth; `unit` where the words name the period, `as_rate` None where they leave rate or amount open."""

    text: str
    over: Literal["previous", "year"]
    unit: Unit | None
    as_rate: bool


@dataclass(frozen=True, kw_only=True)
class ShareAsk:
    """The share of the total; `of_whole` when the words say that the whole is meant."""

    text: str
    measure: MeasureAsk | None
    of_whole: bool
