"""Assertions from plain data: an item of a file, a rule that follows from a plan, a model's proposal."""

from __future__ import annotations

import datetime as dt
import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from mindatlas.nodes.atlassplit.parts.assertions.assertion import (
    KINDS,
    Assertion,
    AssertionKind,
    Json,
    Source,
    Tolerance,
)
from mindatlas.nodes.atlassplit.parts.assertions.evidence import label_text
from mindatlas.nodes.errors import UsageError

_SCHEMA: Final = Path(__file__).with_name("assertion_schema.json")
_NAME_KEYS: Final = ("column", "columns", "by", "input_column", "input_columns")
_ONE_COLUMN: Final[frozenset[AssertionKind]] = frozenset(
    {"total_sum_match", "group_sums_match_total", "monotonic"}
)
_NEEDS_COLUMN: Final[frozenset[AssertionKind]] = frozenset(
    {"total_sum_match", "group_sums_match_total", "monotonic", "growth_rate_check", "value_in_range"}
)


# What `expected` may be, for the kinds that take more than one form of it.
_FORMS: Final[Mapping[AssertionKind, str]] = {
    "group_sums_match_total": "a number, or a mapping of each group to its number",
    "row_count": "a whole number from 0, or a mapping with min, max or both",
    "value_in_range": "[low, high] or a mapping with min, max or both, as numbers or dates; null leaves a side open",
}


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A model's proposed assertions that can be used, and why each of the others was dropped."""

    assertions: tuple[Assertion, ...]
    dropped: tuple[str, ...]


def from_dicts(items: Sequence[Mapping[str, Any]], source: Source) -> list[Assertion]:
    """Return the assertions that the items state; one on several sums becomes one for each column.

    Raises:
        UsageError: An item is not such as assertion_schema.json says; the message tells its number, from 1.
    """
    return [
        assertion
        for number, item in enumerate(items, 1)
        for assertion in _assertions(item, source, f"assertion {number}")
    ]


def from_proposal(items: Sequence[object]) -> Proposal:
    """Return what a model proposed, of source `writer`; what is malformed or of no known kind is dropped."""
    kept: list[Assertion] = []
    dropped: list[str] = []
    for number, item in enumerate(items, 1):
        try:
            kept += _assertions(item, "writer", f"proposed assertion {number}")
        except UsageError as error:
            dropped.append(str(error))
    return Proposal(assertions=tuple(kept), dropped=tuple(dropped))


def describe(kind: AssertionKind, columns: Sequence[str], by: Sequence[str] = ()) -> str:
    """Return the description of an assertion that brings none: its kind in words, and its columns."""
    words = kind.replace("_", " ")
    of = f" of {', '.join(map(repr, columns))}" if columns else ""
    return f"{words}{of}" + (f" by {', '.join(map(repr, by))}" if by else "")


def _assertions(item: object, source: Source, where: str) -> Iterator[Assertion]:
    plain = _with_text_names(item)
    problem = _problem(plain)
    if problem:
        raise UsageError(f"{where}: {problem}")
    kind: AssertionKind = plain["kind"]
    columns = _names(plain, "column", "columns")
    inputs = _names(plain, "input_column", "input_columns")
    if kind in _NEEDS_COLUMN and not columns:
        raise UsageError(f"{where}: {kind} needs a column")
    if missing := _missing_part(kind, columns, plain.get("expected")):
        raise UsageError(f"{where}: {kind} {missing}")
    if inputs and len(inputs) != len(columns):
        raise UsageError(
            f"{where}: {len(columns)} columns, but {len(inputs)} input columns; name one for each"
        )
    if kind in _ONE_COLUMN and len(columns) > 1:
        if plain.get("expected") is not None and kind != "monotonic":
            raise UsageError(
                f"{where}: {kind} with an expected value takes one column; write one item for each"
            )
        for at, column in enumerate(columns):
            yield _assertion(plain, source, (column,), inputs[at : at + 1])
    else:
        yield _assertion(plain, source, columns, inputs)


def _missing_part(kind: AssertionKind, columns: Sequence[str], expected: object) -> str:
    """Return what an assertion lacks that could hold of no result at all, empty text when nothing."""
    if kind == "growth_rate_check" and len(columns) == 1 and expected is None:
        return "needs the columns of the values and of their growth, or one column and the expected growth"
    if kind in ("columns_present", "sheet_set") and not columns and not expected:
        return "needs the expected names"
    bounds = (expected.get("min"), expected.get("max")) if isinstance(expected, Mapping) else expected
    if kind in ("row_count", "value_in_range") and isinstance(bounds, tuple | list):
        numbers = [bound for bound in bounds if isinstance(bound, int | float)]
        if len(numbers) == 2 and numbers[0] > numbers[1]:
            return f"has its smallest value {numbers[0]} above its largest {numbers[1]}"
    return ""


def _assertion(
    item: Mapping[str, Any], source: Source, columns: tuple[str, ...], inputs: tuple[str, ...]
) -> Assertion:
    by = _names(item, "by")
    given = item.get("tolerance", {})
    tolerance = Tolerance(**given) if isinstance(given, Mapping) else Tolerance(absolute=given)
    return Assertion(
        kind=item["kind"],
        source=source,
        columns=columns,
        by=by,
        expected=item.get("expected"),
        tolerance=tolerance,
        table=item.get("table"),
        description=item.get("description") or describe(item["kind"], columns, by),
        input_columns=inputs,
        lag=item.get("lag", 1),
    )


def _names(item: Mapping[str, Any], *keys: str) -> tuple[str, ...]:
    given = next((item[key] for key in keys if key in item), ())
    return (given,) if isinstance(given, str) else tuple(given)


def _with_text_names(item: object) -> Any:
    """Return the item with column names as text: YAML reads the header 2024 as a number, 2024-01-01 as a date."""
    if not isinstance(item, Mapping):
        return item
    return {key: _text_names(value) if key in _NAME_KEYS else value for key, value in item.items()}


def _text_names(value: Json) -> object:
    if isinstance(value, list | tuple):
        return [_text_names(name) for name in value]
    if isinstance(value, dt.date | int | float) and not isinstance(value, bool):
        return label_text(value)
    return value


def _problem(item: Any) -> str:
    """Return what is wrong with an item, empty text when nothing is."""
    if not isinstance(item, Mapping):
        return f"is a {type(item).__name__}; write a mapping with at least 'kind'"
    properties = _validator().schema["properties"]
    unknown = [key for key in item if key not in properties]
    if unknown:
        return f"unknown key {unknown[0]!r}{_suggestion(unknown[0], properties)}; known are {', '.join(properties)}"
    if "kind" not in item:
        return f"has no 'kind'; known are {', '.join(KINDS)}"
    if item["kind"] not in KINDS:
        return (
            f"unknown kind {item['kind']!r}{_suggestion(item['kind'], KINDS)}; known are {', '.join(KINDS)}"
        )
    error = best_match(_validator().iter_errors(item))
    if error and list(error.absolute_path) == ["expected"] and item["kind"] in _FORMS:
        return f"expected: {item['expected']!r} does not fit {item['kind']}; write {_FORMS[item['kind']]}"
    return _told(error) if error else ""


def _suggestion(name: object, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(str(name), list(known), n=1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _told(error: ValidationError) -> str:
    place = ".".join(map(str, error.absolute_path))
    if error.validator == "not":
        return "gives both forms of one key; keep 'columns' or 'column', 'input_columns' or 'input_column'"
    return f"{place}: {error.message}" if place else error.message


@cache
def _validator() -> Any:
    return Draft202012Validator(json.loads(_SCHEMA.read_text(encoding="utf-8")))
