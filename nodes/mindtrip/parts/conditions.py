"""Conditions on a knowledge base's fields: what they are, which rows satisfy them, how they are shown."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.fields import FieldTable, Role, role_of
from mindatlas.nodes.text import fold

Operator = Literal["equal", "contains", "without", "between", "overlaps", "cheap", "highest", "lowest"]
Strength = Literal["filter", "hard", "firm", "soft"]

_FILTER = re.compile(r"^\s*(.+?)\s*(<=|>=|=|<|>)\s*(.+?)\s*$")


@dataclass(frozen=True, kw_only=True)
class Condition:
    """One condition on fields of a record; a record satisfies it when any of the named fields does.

    The user's own filters and hard conditions (a named place) always filter; firm ones filter until `widen` drops
    them; soft ones only raise a rank.
    `low` and `high` are inclusive, in the field's own unit (durations and hours of day in hours).
    """

    fields: tuple[str, ...]
    operator: Operator
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    strength: Strength = "firm"
    surface: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the condition as JSON-like data."""
        return {**asdict(self), "fields": list(self.fields), "values": list(self.values)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Condition:
        """Return the condition that `to_dict` gave as `data`."""
        return cls(**{**data, "fields": tuple(data["fields"]), "values": tuple(data["values"])})


def satisfied(condition: Condition, table: FieldTable) -> NDArray[np.bool_]:
    """Return a mask of the rows that satisfy `condition`; a row that states none of its fields does not."""
    mask = np.zeros(table.size, dtype=bool)
    for field in condition.fields:
        mask |= _field_mask(condition, field, table)
    return mask


def _field_mask(condition: Condition, field: str, table: FieldTable) -> NDArray[np.bool_]:
    low = -math.inf if condition.low is None else condition.low
    high = math.inf if condition.high is None else condition.high
    match condition.operator:
        case "equal":
            return table.equal(field, condition.values)
        case "without":
            return ~table.equal(field, condition.values)
        case "contains":
            return table.containing(field, condition.values)
        case "between":
            return table.between(field, low, high)
        case "overlaps":
            return table.overlapping(field, low, high)
        case "cheap":
            numbers = table.numbers(field)
            known = numbers[~np.isnan(numbers)]
            return numbers <= np.median(known) if len(known) else np.zeros(table.size, dtype=bool)
        case "highest" | "lowest":
            return ~np.isnan(table.numbers(field))


def preference(conditions: Iterable[Condition], table: FieldTable) -> NDArray[np.float64]:
    """Return a key by row, larger is better, that puts the asked extreme first; all 0 without a superlative.

    A row that does not state the field comes last (-inf).
    """
    for condition in conditions:
        if condition.operator in {"highest", "lowest"}:
            numbers = np.full(table.size, np.nan)
            for field in condition.fields:
                numbers = np.where(np.isnan(numbers), table.numbers(field), numbers)
            wanted: NDArray[np.float64] = numbers if condition.operator == "highest" else -numbers
            return np.where(np.isnan(wanted), -np.inf, wanted)
    return np.zeros(table.size)


def shown(conditions: Iterable[Condition]) -> dict[str, Any]:
    """Return conditions as `{field: value}` for people: a value, a list, or `{"min", "max"}`; several as a list."""
    values: dict[str, list[Any]] = {}
    for condition in conditions:
        found = values.setdefault("/".join(condition.fields), [])
        if (value := _shown_value(condition)) not in found:
            found.append(value)
    return {field: found[0] if len(found) == 1 else found for field, found in values.items()}


def _shown_value(condition: Condition) -> Any:
    if condition.operator == "without":
        return {"not": list(condition.values)}
    if condition.values:
        return condition.values[0] if len(condition.values) == 1 else list(condition.values)
    bounds = {"min": condition.low, "max": condition.high}
    limits = {name: bound for name, bound in bounds.items() if bound is not None}
    return limits or condition.operator


def parse_filter(text: str) -> tuple[str, str]:
    """Return field and value of `field=value`; `<`, `<=`, `>`, `>=` stay in front of the value.

    Raises:
        UsageError: the text has no such form.
    """
    match = _FILTER.match(text)
    if not match:
        raise UsageError(
            f"The filter {text!r} is not of the form field=value, field<=number or field>=number"
        )
    field, sign, value = match.groups()
    return field, value if sign == "=" else f"{sign}{value}"


def filter_conditions(filters: Mapping[str, Any], table: FieldTable) -> list[Condition]:
    """Return the conditions of `filters` ({field: value}); a role such as `city` stands for its fields.

    Raises:
        UsageError: the knowledge base has no such field, or a number was expected.
    """
    return [_filter_condition(name, value, table) for name, value in filters.items()]


def _filter_condition(name: str, value: Any, table: FieldTable) -> Condition:
    fields = _fields_called(name, table)
    surface = f"{name}={value}"
    if isinstance(value, list):
        values = tuple(str(item) for item in value)
        return Condition(fields=fields, operator="equal", values=values, strength="filter", surface=surface)
    bound = re.match(r"^(<=|>=|<|>)\s*(.+)$", str(value))
    if not bound:
        text = f"{value:g}" if isinstance(value, float) else str(value)
        return _equal(fields, text, table, surface)
    try:
        number = float(bound[2])
    except ValueError:
        raise UsageError(f"The filter on {name!r} compares with {bound[2]!r}, which is no number") from None
    number = {"<": math.nextafter(number, -math.inf), ">": math.nextafter(number, math.inf)}.get(
        bound[1], number
    )
    low, high = (None, number) if bound[1].startswith("<") else (number, None)
    return Condition(
        fields=fields, operator="between", low=low, high=high, strength="filter", surface=surface
    )


def _equal(fields: tuple[str, ...], text: str, table: FieldTable, surface: str) -> Condition:
    numeric = all(table.fields[field].kind == "number" for field in fields)
    try:
        number = float(text) if numeric else None
    except ValueError:
        number = None
    if number is not None:
        return Condition(
            fields=fields, operator="between", low=number, high=number, strength="filter", surface=surface
        )
    return Condition(fields=fields, operator="equal", values=(text,), strength="filter", surface=surface)


def _fields_called(name: str, table: FieldTable) -> tuple[str, ...]:
    exact = [field for field in table.fields if fold(field) == fold(name)]
    role: Role | None = role_of(name)
    fields = exact or ([field.name for field in table.with_role(role)] if role else [])
    if not fields:
        known = ", ".join(table.fields) or "none"
        raise UsageError(f"The knowledge base has no field {name!r} to filter on; its fields are: {known}")
    return tuple(fields)
