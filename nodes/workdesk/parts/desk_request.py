"""What a question over the tools asks for, once every word of it is understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from mindatlas.nodes.dates import DateRange

Job = Literal["count", "list", "record", "remark", "export", "directory"]
Order = Literal["most", "least"]
NEXT_PAGE = -1


class UnreadableRequest(Exception):
    """A question, or a part of it, that the rules do not understand.

    Attributes:
        code: the reason, a key of `desk_messages.yaml`.
        about: the words that the message names.
    """

    def __init__(self, code: str, about: str = "") -> None:
        super().__init__(f"{code}: {about}")
        self.code = code
        self.about = about


@dataclass(frozen=True, kw_only=True)
class Period:
    """Some days, as the user called them."""

    text: str
    days: DateRange


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A condition on one parameter.

    Attributes:
        parameter: the tool's parameter; empty while nobody knows which directory holds the name.
        values: what is handed on: a code of the tool, or a name as the user wrote it. Several count together.
        words: what the user called each value.
        excluded: everything but these.
        named: the values are names, which are resolved later and never here.
        together: only the sum over the values was asked for (未完成).
    """

    parameter: str
    values: tuple[Any, ...]
    words: tuple[str, ...]
    excluded: bool = False
    named: bool = False
    together: bool = False


@dataclass(frozen=True, kw_only=True)
class DeskRequest:
    """A question as the rules read it.

    Attributes:
        periods: the time ranges; none when the question gives none.
        clocks: values of the tool's clock that the question names.
        group: code of the dimension that figures are given by; empty for a total.
        compared: periods or names are set against each other, not just listed.
        shifted: the second period follows from the first (环比, 同比).
        trend: figures over time, by days or months as the period is long.
        top: how many groups, or records of a list; None for all.
        ids: identifiers of single records.
        dimension: of a directory question.
        page: of a list; `NEXT_PAGE` is the one after that of the question before.
        counted: the question says itself whether it counts, lists or exports.
        notices: words that were read as several codes, and as which.
        inherited: conditions of the question before, which hold where this one says nothing of their parameter.
    """

    job: Job
    periods: tuple[Period, ...] = ()
    clocks: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()
    group: str = ""
    compared: bool = False
    share: bool = False
    trend: bool = False
    top: int | None = None
    order: Order | None = None
    page: int | None = None
    sort: str = ""
    ids: tuple[str, ...] = ()
    text: str = ""
    file_type: str = ""
    dimension: str = ""
    counted: bool = False
    notices: tuple[str, ...] = ()
    inherited: tuple[Condition, ...] = ()
