"""Assertions as the state carries them: plain dicts, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mindatlas.nodes.atlassplit.parts.assertions import Assertion, Tolerance


def to_state(assertions: Iterable[Assertion]) -> list[dict[str, Any]]:
    """Return assertions as JSON values, the same one only once."""
    plain = [asdict(assertion) for assertion in assertions]
    return [item for at, item in enumerate(plain) if item not in plain[:at]]


def from_state(items: Sequence[Mapping[str, Any]]) -> list[Assertion]:
    """Return the assertions that `to_state` was given; lists that came from JSON are tuples again."""
    return [_assertion(item) for item in items]


def _assertion(item: Mapping[str, Any]) -> Assertion:
    names = {key: tuple(item[key]) for key in ("columns", "by", "input_columns")}
    return Assertion(**{**item, **names, "tolerance": Tolerance(**item["tolerance"])})


def to_items(assertions: Iterable[Assertion]) -> list[dict[str, Any]]:
    """Return assertions as items of an assertion file, the form in which a graph is given them."""
    return [_item(asdict(assertion)) for assertion in assertions]


def _item(plain: Mapping[str, Any]) -> dict[str, Any]:
    stated = {name: list(value) if isinstance(value, tuple) else value for name, value in plain.items()}
    return {name: value for name, value in stated.items() if name != "source" and value not in (None, [], "")}
