"""The fields of a knowledge base: what kind each is, and fast look-up of the rows that satisfy a condition."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import yaml
from numpy.typing import NDArray

from mindatlas.nodes.text import fold

if TYPE_CHECKING:
    from mindatlas.nodes.mindtrip.parts.documents import Value

FieldKind = Literal["number", "choice", "list", "relation", "span", "text"]
Role = Literal["city", "category", "tags", "price", "rating", "duration", "hours"]

_NUMBER = re.compile(r"^[￥¥$]?\s*(\d+(?:\.\d+)?)\s*(?:元|块|分|星|人民币|rmb|cny|yuan)?(?:/[人晚])?$")
_LISTED = re.compile("[、；;|]")
_FREE = {"免费", "free", "无需门票", "免票"}
_CLOCK = r"(\d{1,2})[:：](\d{2})"
_CLOCK_SPAN = re.compile(_CLOCK + r"\s*[-–—~至到]+\s*(?:次日)?" + _CLOCK)
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(分钟|小时|天|hours?|days?|minutes?)")
_HOURS_PER = {"分": 1 / 60, "小": 1.0, "天": 24.0, "h": 1.0, "d": 24.0, "m": 1 / 60}


@cache
def words() -> dict[str, Any]:
    """Return the vocabulary in `field_words.yaml`: roles, exact words, categories, tags."""
    source = files("mindatlas.nodes.mindtrip.parts").joinpath("field_words.yaml")
    data: dict[str, Any] = yaml.safe_load(source.read_text(encoding="utf-8"))
    return data


def role_of(field: str) -> Role | None:
    """Return the role that a field of this name plays, or None."""
    return _role_names().get(fold(field))


@cache
def _role_names() -> dict[str, Role]:
    return {fold(name): role for role, entry in words()["roles"].items() for name in entry["names"]}


def to_number(value: Value) -> float | None:
    """Return the number that `value` states (`60`, `"60元"`, `"免费"` is 0), or None."""
    if isinstance(value, bool | list):
        return None
    if isinstance(value, int | float):
        return float(value)
    folded = fold(value)
    if folded in _FREE:
        return 0.0
    match = _NUMBER.match(folded)
    return float(match[1]) if match else None


def to_span(value: Value, role: Role | None) -> tuple[float, float] | None:
    """Return the span in hours that `value` states: opening hours (end past 24 over midnight) or a duration."""
    if not isinstance(value, str):
        return None
    if role == "duration":
        amounts = [
            float(number) * _HOURS_PER[unit[0]] for number, unit in _DURATION.findall(_units_filled(value))
        ]
        return (min(amounts), max(amounts)) if amounts else None
    if fold(value) in {"全天", "24小时", "24小时营业", "all day"}:
        return 0.0, 24.0
    match = _CLOCK_SPAN.search(value)
    if not match:
        return None
    start, end = int(match[1]) + int(match[2]) / 60, int(match[3]) + int(match[4]) / 60
    return start, end + 24 if end <= start else end


def _units_filled(value: str) -> str:
    """Return `2-3小时` as `2小时-3小时`, so that each number has its unit."""
    return re.sub(
        r"(\d+(?:\.\d+)?)\s*([-–—~至到])\s*(?=\d+(?:\.\d+)?\s*(分钟|小时|天|h|d|m))", r"\1\3\2", fold(value)
    )


def items(value: Value | None) -> list[str]:
    """Return the items of a list, or of text that lists them with 、 or ； (as a spreadsheet cell does)."""
    if isinstance(value, list):
        return value
    return [part for part in map(str.strip, _LISTED.split(value)) if part] if isinstance(value, str) else []


@dataclass(frozen=True, kw_only=True)
class Field:
    """One metadata field: its name as written, kind and role."""

    name: str
    kind: FieldKind
    role: Role | None


def profile_fields(records: Sequence[Mapping[str, Value]], names: Collection[str]) -> list[Field]:
    """Return the fields of `records`, sorted by name; `names` are the folded entity names of the knowledge base.

    A list whose values are mostly (>= 30 %) entities is a relation. A string field is a choice when its values
    repeat: at most 60 different ones, and at most a fifth of the records (or the field has a role).
    """
    values: dict[str, list[Value]] = {}
    for record in records:
        for name, value in record.items():
            values.setdefault(name, []).append(value)
    return [
        Field(name=name, kind=_kind(found, role_of(name), names), role=role_of(name))
        for name, found in sorted(values.items())
    ]


def _kind(values: Sequence[Value], role: Role | None, names: Collection[str]) -> FieldKind:
    if sum(isinstance(value, list) or len(items(value)) > 1 for value in values) * 2 > len(values):
        listed = [fold(item) for value in values for item in items(value)]
        known = sum(item in names for item in listed)
        return "relation" if listed and known >= 0.3 * len(listed) and role != "tags" else "list"
    if sum(to_number(value) is not None for value in values) >= 0.8 * len(values):
        return "number"
    if role in {"duration", "hours"}:
        return "span"
    distinct = Counter(fold(str(value)) for value in values)
    short = sum(len(value) for value in distinct) <= 16 * len(distinct)
    repeats = len(distinct) <= min(60, max(1, len(values) // 5))
    return "choice" if short and (repeats or role in {"city", "category", "tags"}) else "text"


class FieldTable:
    """Looks up rows by field value.

    Args:
        records: the metadata of each row.
        fields: what `profile_fields` said of them.
    """

    def __init__(self, records: Sequence[Mapping[str, Value]], fields: Iterable[Field]) -> None:
        self.fields = {field.name: field for field in fields}
        self.size = len(records)
        self._numbers: dict[str, NDArray[np.float64]] = {}
        self._spans: dict[str, NDArray[np.float64]] = {}
        self._values: dict[str, dict[str, list[int]]] = {}
        self._stated: dict[str, NDArray[np.bool_]] = {}
        for field in self.fields.values():
            self._index(field, [record.get(field.name) for record in records])

    def _index(self, field: Field, column: Sequence[Value | None]) -> None:
        if field.kind == "number":
            numbers = [None if value is None else to_number(value) for value in column]
            self._numbers[field.name] = np.array([np.nan if n is None else n for n in numbers], dtype=float)
        elif field.kind == "span":
            spans = [None if value is None else to_span(value, field.role) for value in column]
            self._spans[field.name] = np.array([span or (np.nan, np.nan) for span in spans], dtype=float)
        self._stated[field.name] = np.array([value is not None for value in column], dtype=bool)
        postings: dict[str, list[int]] = {}
        several = field.kind in {"list", "relation"}
        for row, value in enumerate(column):
            for item in items(value) if several else [] if value is None else [str(value)]:
                rows = postings.setdefault(fold(item), [])
                if not rows or rows[-1] != row:
                    rows.append(row)
        self._values[field.name] = postings

    def values(self, field: str) -> Mapping[str, list[int]]:
        """Return the rows of each folded value of `field`, ascending."""
        return self._values.get(field, {})

    def with_role(self, role: Role) -> list[Field]:
        """Return the fields that play `role`."""
        return [field for field in self.fields.values() if field.role == role]

    def equal(self, field: str, wanted: Iterable[str]) -> NDArray[np.bool_]:
        """Return a mask of the rows whose value (or one of whose list items) equals one of `wanted`, folded."""
        rows = [row for value in wanted for row in self.values(field).get(fold(value), ())]
        return self._mask(rows)

    def containing(self, field: str, parts: Iterable[str]) -> NDArray[np.bool_]:
        """Return a mask of the rows with a value of `field` that contains one of `parts`, folded."""
        wanted = [fold(part) for part in parts]
        values = self.values(field).items()
        return self._mask(
            [row for value, rows in values if any(part in value for part in wanted) for row in rows]
        )

    def between(self, field: str, low: float, high: float) -> NDArray[np.bool_]:
        """Return a mask of the rows whose number lies in [low, high], or whose span lies inside it."""
        if field in self._numbers:
            numbers = self._numbers[field]
            return (numbers >= low) & (numbers <= high)
        spans = self._spans.get(field)
        if spans is None:
            return np.zeros(self.size, dtype=bool)
        return (spans[:, 0] >= low) & (spans[:, 1] <= high)

    def overlapping(self, field: str, low: float, high: float) -> NDArray[np.bool_]:
        """Return a mask of the rows whose span of `field` meets [low, high]."""
        spans = self._spans.get(field)
        if spans is None:
            return self.between(field, low, high)
        return (spans[:, 0] <= high) & (spans[:, 1] >= low)

    def stated(self, field: str) -> NDArray[np.bool_]:
        """Return a mask of the rows that state `field` at all."""
        return self._stated[field]

    def numbers(self, field: str) -> NDArray[np.float64]:
        """Return the numbers of a number field, NaN where not stated."""
        return self._numbers[field]

    def _mask(self, rows: Iterable[int]) -> NDArray[np.bool_]:
        mask = np.zeros(self.size, dtype=bool)
        mask[list(rows)] = True
        return mask
