"""Hashes and shapes of schemas."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindatlas.nodes.workdesk.parts.schema_shapes import (
    Shape,
    read_shape,
    schema_hash,
    shapes_of,
    takes_value,
)
from tests.nodes.workdesk.parts.schemas import schemas

SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string", "description": "the  a\n value"}, "b": {"enum": ["x", "y"]}},
    "required": ["a", "b"],
}


def shuffled(value: Any, seed: int) -> Any:
    """Return the value with the keys of every object in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.Random(seed).shuffle(keys)
        return {key: shuffled(value[key], seed) for key in keys}
    return [shuffled(one, seed) for one in value] if isinstance(value, list) else value


@given(schemas(), st.integers(0, 9))
def test_the_order_of_keys_and_white_space_make_no_difference(schema: dict[str, Any], seed: int) -> None:
    other = json.loads(json.dumps(shuffled(schema, seed), indent=3))
    assert schema_hash(other) == schema_hash(schema)


def test_the_order_of_names_and_values_and_the_spacing_of_a_text_make_no_difference() -> None:
    other = {
        "required": ["b", "a"],
        "properties": {"b": {"enum": ["y", "x"]}, "a": {"description": "the a value", "type": "string"}},
        "type": "object",
    }
    assert schema_hash(other) == schema_hash(SCHEMA)


@pytest.mark.parametrize(
    "changed",
    [
        {**SCHEMA, "required": ["a"]},
        {
            **SCHEMA,
            "properties": {"a": {"type": "integer", "description": "the a value"}, "b": {"enum": ["x", "y"]}},
        },
        {
            **SCHEMA,
            "properties": {"a": {"type": "string", "description": "the a value"}, "b": {"enum": ["x"]}},
        },
        {
            **SCHEMA,
            "properties": {"a": {"type": "string", "description": "another"}, "b": {"enum": ["x", "y"]}},
        },
    ],
)
def test_every_real_change_changes_the_hash(changed: dict[str, Any]) -> None:
    assert schema_hash(changed) != schema_hash(SCHEMA)


def test_shapes_follow_branches_and_references() -> None:
    schema = {
        "$defs": {"day": {"enum": ["mon", "tue"], "type": "string"}},
        "properties": {
            "a": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "b": {"$ref": "#/$defs/day"},
            "c": True,
            "d": {"type": ["string", "null"], "enum": [None, "x"]},
            "e": {"type": "array", "items": {"enum": [1, 2]}},
        },
        "required": ["b"],
    }
    assert {name: str(shape) for name, shape in shapes_of(schema).items()} == {
        "a": "integer|null", "b": "string[mon|tue]*", "c": "", "d": "null|string[x]", "e": "array[1|2]",
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "*", "string", "integer|null*", "string[a|b]", "string[a]*"])
def test_a_shape_is_read_as_it_was_written(text: str) -> None:
    assert str(read_shape(text)) == text


def test_text_of_another_form_is_an_empty_shape() -> None:
    assert read_shape("String!!") == Shape()


@pytest.mark.parametrize(
    ("shape", "value", "taken"),
    [
        ("string", "a", True),
        ("string", 1, False),
        ("number", 1, True),
        ("integer", True, False),
        ("string[a|b]", "c", False),
        ("integer[1|2]", 2, True),
        ("", {"any": "thing"}, True),
        ("array[1|2]", [1], True),
    ],
)
def test_whether_a_value_fits(shape: str, value: Any, taken: bool) -> None:
    assert takes_value(read_shape(shape), value) is taken
