"""One writer's column written as the other's: the same years, months and rates in another notation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final, TypeAlias

from mindatlas.nodes.atlassplit.parts.assertions.exact_numbers import as_text, divide

# A cell as it is compared: a number, folded text, or nothing.
Value: TypeAlias = Decimal | str | None

_DAY: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ t].*)?")
_MONTH: Final = re.compile(r"\d{4}-\d\d")
_QUARTER: Final = re.compile(r"\d{4}q[1-4]")
_WHOLE: Final = re.compile(r"-?\d{1,9}")
_RATE: Final = re.compile(
    r"率|占比|比例|比重|百分比|增长|增幅|同比|环比|%|\b(?:rate|share|ratio|percent(?:age)?|pct|growth)\b"
)
_PERCENT: Final = Decimal(100)


def aligned(mine: list[Value], theirs: list[Value]) -> list[Value]:
    """Return `mine` with its labels as `theirs` has them, or `mine` itself where they are no such labels.

    Years as text are numbers where the other writer has numbers, and the other way round; days are the month
    or quarter they lie in where the other writer has such labels.
    """
    if _are_numbers(theirs) and _are_texts(mine, _WHOLE):
        return [None if value is None else Decimal(value) for value in mine]
    if _are_texts(theirs, _WHOLE) and _are_numbers(mine):
        return [as_text(value) if isinstance(value, Decimal) else value for value in mine]
    if _are_texts(mine, _DAY) and _are_texts(theirs, _MONTH):
        return [None if value is None else str(value)[:7] for value in mine]
    if _are_texts(mine, _DAY) and _are_texts(theirs, _QUARTER):
        return [None if value is None else _quarter(str(value)) for value in mine]
    return mine


def as_fractions(name: str, mine: list[Value], theirs: list[Value]) -> list[Value]:
    """Return rates in percent as fractions, where the other writer's are: 12.5 beside 0.125.

    Told by the name of the column and by their size: at least one is over fifty times the other writer's, and
    none is on the other side of it.
    """
    pairs = [
        (a, b) for a, b in zip(mine, theirs, strict=True) if isinstance(a, Decimal) and isinstance(b, Decimal)
    ]
    scaled = [a / b > _PERCENT / 2 for a, b in pairs if a and b]
    if not _RATE.search(name.casefold()) or not scaled or not all(scaled):
        return mine
    return [divide(value, _PERCENT) if isinstance(value, Decimal) else value for value in mine]


def _are_numbers(values: Sequence[Value]) -> bool:
    return any(values) and all(value is None or isinstance(value, Decimal) for value in values)


def _are_texts(values: Sequence[Value], form: re.Pattern[str]) -> bool:
    texts = [value for value in values if value is not None]
    return bool(texts) and all(isinstance(value, str) and form.fullmatch(value) for value in texts)


def _quarter(day: str) -> str:
    return f"{day[:4]}q{(int(day[5:7]) + 2) // 3}"
