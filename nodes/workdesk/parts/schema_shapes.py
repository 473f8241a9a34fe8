"""Input schemas, compared: one hash for the whole, and for each parameter the shape that an overlay relies on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SHAPE = re.compile(r"(?P<types>[a-z|]*)(?:\[(?P<enum>.*)\])?(?P<required>\*?)", re.DOTALL)
_UNORDERED = frozenset({"required", "enum", "type"})
_TEXTS = frozenset({"description", "title"})


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What of a parameter an overlay relies on.

    Attributes:
        types: the JSON types that it takes; empty where the schema names none.
        enum: its allowed values as text; empty where any will do.
    """

    types: frozenset[str] = frozenset()
    enum: tuple[str, ...] = ()
    required: bool = False

    def __str__(self) -> str:
        enum = f"[{'|'.join(self.enum)}]" if self.enum else ""
        return "|".join(sorted(self.types)) + enum + "*" * self.required


def schema_hash(schema: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a schema, 64 hex digits; the order of keys, names and values makes no difference.

    Nor does white space, between the parts or within a description.
    """
    text = json.dumps(
        _canonical(schema), ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=str
    )
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def shapes_of(schema: Mapping[str, Any]) -> dict[str, Shape]:
    """Return the shape of each parameter of a schema, in its order; what is no schema has an empty shape."""
    properties, required = schema.get("properties"), schema.get("required")
    if not isinstance(properties, Mapping):
        return {}
    names = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
    return {name: _shape(_resolved(one, schema), name in names) for name, one in properties.items()}


def sound_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of an input schema is formed as JSON Schema has it; a server may send anything.

    Parts of another form are left out, so that code may read the rest without asking at every step.
    """
    properties, required = schema.get("properties"), schema.get("required")
    kept = {key: value for key, value in schema.items() if key not in {"properties", "required"}}
    found = properties if isinstance(properties, Mapping) else {}
    return {
        **kept,
        "properties": {name: _sound(_resolved(one, schema)) for name, one in found.items()},
        "required": [name for name in required if isinstance(name, str) and name in found]
        if isinstance(required, list)
        else [],
    }


def read_shape(text: str) -> Shape:
    """Return the shape that `str(shape)` wrote; text of another form is an empty shape."""
    match = _SHAPE.fullmatch(text.replace(" ", ""))
    if match is None:
        return Shape()
    enum = tuple(match["enum"].split("|")) if match["enum"] else ()
    return Shape(
        types=frozenset(filter(None, match["types"].split("|"))), enum=enum, required=bool(match["required"])
    )


def takes_value(shape: Shape, value: Any) -> bool:
    """Return whether a value is of the types and among the values of a shape."""
    if shape.enum and as_text(value) not in shape.enum and not isinstance(value, list | dict):
        return False
    kinds = _kinds(value)
    return not shape.types or bool(kinds & shape.types)


def as_text(value: Any) -> str:
    """Return a value as overlays write it: `true`, `null`, `7`, the text itself."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _sound(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, Mapping):
        return {}
    return {key: value for key, value in schema.items() if _is_sound(key, value)}


def _is_sound(key: str, value: Any) -> bool:
    if key == "type":
        names = value if isinstance(value, list) else [value]
        return bool(names) and all(isinstance(name, str) for name in names)
    if key in {"anyOf", "oneOf", "allOf"}:
        branches = value if isinstance(value, list) else []
        return bool(branches) and all(isinstance(one, Mapping) and one == _sound(one) for one in branches)
    if key == "items":
        return isinstance(value, Mapping) and value == _sound(value)
    if key == "enum":
        return isinstance(value, list) and bool(value)
    return key not in _TEXTS or isinstance(value, str)


def _canonical(value: Any, key: str = "") -> Any:
    if isinstance(value, Mapping):
        return {str(name): _canonical(one, str(name)) for name, one in value.items()}
    if isinstance(value, list | tuple):
        items = [_canonical(one) for one in value]
        return (
            sorted(items, key=lambda one: json.dumps(one, sort_keys=True, default=str))
            if key in _UNORDERED
            else items
        )
    return " ".join(value.split()) if key in _TEXTS and isinstance(value, str) else value


def _shape(schema: Any, required: bool) -> Shape:
    if not isinstance(schema, Mapping):
        return Shape(required=required)
    return Shape(
        types=_types(schema), enum=tuple(sorted(set(map(as_text, _enum(schema))))), required=required
    )


def _resolved(schema: Any, root: Mapping[str, Any]) -> Any:
    """Return the schema that a local `$ref` stands for, one step, with what stands beside the reference."""
    ref = schema.get("$ref") if isinstance(schema, Mapping) else None
    if not isinstance(ref, str) or not ref.startswith("#/"):
        return schema
    found: Any = root
    for step in ref[2:].split("/"):
        found = found.get(step) if isinstance(found, Mapping) else None
    beside = {key: value for key, value in schema.items() if key != "$ref"}
    return {**found, **beside} if isinstance(found, Mapping) else beside


def _types(schema: Mapping[str, Any]) -> frozenset[str]:
    said = schema.get("type")
    if isinstance(said, str):
        return frozenset({said})
    if isinstance(said, list):
        return frozenset(one for one in said if isinstance(one, str))
    return frozenset().union(*map(_types, _branches(schema)))


def _enum(schema: Mapping[str, Any]) -> list[Any]:
    if "const" in schema:
        return [schema["const"]]
    if isinstance(schema.get("enum"), list):
        return [value for value in schema["enum"] if value is not None]
    branches = [one for one in _branches(schema) if one.get("type") != "null"]
    found = [_enum(branch) for branch in branches]
    if found and all(found):
        return [value for values in found for value in values]
    items = schema.get("items")
    return _enum(items) if isinstance(items, Mapping) else []


def _branches(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    branches = [one for key in ("anyOf", "oneOf") if isinstance(schema.get(key), list) for one in schema[key]]
    return [branch for branch in branches if isinstance(branch, Mapping)]


def _kinds(value: Any) -> frozenset[str]:
    """Return the JSON types that a value is of; a whole number is a number too."""
    if value is None:
        return frozenset({"null"})
    if isinstance(value, bool):
        return frozenset({"boolean"})
    if isinstance(value, int):
        return frozenset({"integer", "number"})
    if isinstance(value, float):
        return frozenset({"number", "integer"} if value.is_integer() else {"number"})
    names: tuple[tuple[type, str], ...] = ((str, "string"), (list, "array"))
    return frozenset({next((name for kind, name in names if isinstance(value, kind)), "object")})
