"""The parameters of a tool as they really are: the server's schema, corrected by the overlay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mindatlas.nodes.workdesk.parts.overlay_model import NamesFrom, ParameterOverlay, ParameterRole
from mindatlas.nodes.workdesk.parts.schema_shapes import sound_schema
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard

RANGE_ROLES = frozenset({"range_start", "range_end"})
_ANY = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})
_ROLES: Mapping[ParameterRole, str] = {
    "range_start": ("(?:start|begin|from|since)_?(?:time|date|day|at)|(?:date|time)_?(?:from|start)"),
    "range_end": ("(?:end|to|until|till)_?(?:time|date|day|at)|(?:date|time)_?(?:to|end)"),
    "page_size": ("page_?size|per_?page|limit|top_?k|max_?results|rows"),
    "page": ("page(?:_?(?:no|num|number|index))?|offset|cursor"),
    "sort": ("(?:sort|order)(?:_?(?:by|field|dir|direction))?|desc|asc"),
    "group_by": ("group(?:_?by)?|dimension|dim"),
    "keyword": ("keywords?|search|search_?text"),
    "filter": (
        r"(?:\w+_)?(?:status|state|type|category|priority|level|severity|team|department|dept|site|region"
        r"|area|city|person|assignee|owner|creator|customer|tag|label|code|id)"
    ),
}
"""What a parameter without an overlay is taken for, by the whole of its name; the first that fits counts."""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter of a tool.

    Attributes:
        types: the JSON types that it takes; all of them where the schema names none.
        schema: what the corrected schema says of it.
        required: whether a call needs it, by the overlay if that says so, otherwise by the server.
        role: by the overlay; without one, by the parameter's name.
        values: internal code -> the words users say for it; empty where any value will do.
        codes: the values as the server takes them, by their text.
    """

    name: str
    types: frozenset[str]
    schema: Mapping[str, Any]
    required: bool
    hidden: bool
    role: ParameterRole | None
    values: Mapping[str, tuple[str, ...]]
    names_from: NamesFrom | None = None
    asks: str = ""
    text: str = ""
    codes: Mapping[str, Any] = field(default_factory=dict)


def parameters_of(card: ToolCard) -> dict[str, Parameter]:
    """Return the parameters of a tool by name, in the order of the server's schema."""
    schema = sound_schema(card.tool.input_schema)
    properties: Mapping[str, Any] = schema.get("properties") or {}
    listed: Iterable[str] = schema.get("required") or ()
    required = set(listed if card.overlay.required is None else card.overlay.required)
    return {
        name: _parameter(name, _plain(property_schema, schema), card, required)
        for name, property_schema in properties.items()
    }


def corrected_schema(card: ToolCard) -> dict[str, Any]:
    """Return the JSON Schema that the arguments of a checked call satisfy."""
    parameters = parameters_of(card)
    return {
        **{
            key: card.tool.input_schema[key]
            for key in ("$defs", "definitions")
            if key in card.tool.input_schema
        },
        "type": "object",
        "properties": {name: dict(parameter.schema) for name, parameter in parameters.items()},
        "required": [name for name, parameter in parameters.items() if parameter.required],
        "additionalProperties": takes_others(card),
    }


def takes_others(card: ToolCard) -> bool:
    """Return whether the server says that it takes arguments that it does not list; silence is no."""
    said = card.tool.input_schema.get("additionalProperties", False)
    return said is True or (isinstance(said, Mapping) and bool(said))


def _parameter(name: str, schema: Mapping[str, Any], card: ToolCard, required: set[str]) -> Parameter:
    overlay = card.overlay.parameters.get(name, ParameterOverlay())
    types = frozenset({overlay.type}) if overlay.type else _types(schema)
    codes: dict[str, Any] = {code: _code(code, schema, types) for code in overlay.values}
    enum = _enum(schema)
    corrected = dict(schema) if not overlay.type else {**schema, "type": overlay.type}
    if set(codes) == {"1"} and "integer" in types:
        codes["0"] = 0  # a switch that lists what it is when it is on
    if codes and "array" not in types:
        corrected["enum"] = list(codes.values())
    return Parameter(
        name=name,
        types=types,
        schema=corrected,
        required=name in required,
        hidden=name in card.overlay.hidden,
        role=overlay.role or role_of(name),
        values=overlay.values or {_text(value): () for value in enum},
        names_from=overlay.names_from,
        asks=overlay.asks,
        text=" ".join(filter(None, (overlay.description, _said(schema)))),
        codes=codes or {_text(value): value for value in enum},
    )


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) or value is None else str(value)


def _said(schema: Mapping[str, Any]) -> str:
    return " ".join(str(schema[key]) for key in ("description", "format", "examples") if schema.get(key))


def _plain(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema that a local `$ref` stands for, one step; `{}` for what is no schema (true, damage)."""
    if not isinstance(schema, Mapping):
        return {}
    ref = schema.get("$ref")
    if not isinstance(ref, str) or not ref.startswith("#/"):
        return schema
    found: Any = root
    for step in ref[2:].split("/"):
        found = found.get(step, {}) if isinstance(found, Mapping) else {}
    return {**found, **{key: value for key, value in schema.items() if key != "$ref"}}


def _types(schema: Mapping[str, Any]) -> frozenset[str]:
    said = schema.get("type")
    if isinstance(said, str):
        return frozenset({said})
    if isinstance(said, list):
        return frozenset(said)
    branches = [branch for key in ("anyOf", "oneOf") for branch in schema.get(key) or ()]
    if branches:
        return frozenset().union(*(_types(branch) for branch in branches if isinstance(branch, Mapping)))
    return frozenset(map(_type_of, schema["enum"])) if schema.get("enum") else _ANY


def _type_of(value: Any) -> str:
    if value is None:
        return "null"
    names = ((bool, "boolean"), (int, "integer"), (float, "number"), (str, "string"), (list, "array"))
    return next((name for kind, name in names if isinstance(value, kind)), "object")


def _enum(schema: Mapping[str, Any]) -> list[Any]:
    if "const" in schema:
        return [schema["const"]]
    if schema.get("enum"):
        return [value for value in schema["enum"] if value is not None]
    branches = [branch for key in ("anyOf", "oneOf") for branch in schema.get(key) or ()]
    branches = [branch for branch in branches if isinstance(branch, Mapping) and branch.get("type") != "null"]
    if branches and all("const" in branch or branch.get("enum") for branch in branches):
        return [value for branch in branches for value in _enum(branch)]
    items = schema.get("items")
    return _enum(items) if isinstance(items, Mapping) else []


def _code(code: str, schema: Mapping[str, Any], types: frozenset[str]) -> Any:
    """Return an overlay's code, always text in YAML, as the type that the server takes."""
    if "array" in types and isinstance(schema.get("items"), Mapping):
        types = _types(schema["items"])
    if "string" in types:
        return code
    if types & {"integer", "number"} and re.fullmatch(r"-?\d+", code):
        return int(code)
    return code == "true" if "boolean" in types and code in {"true", "false"} else code


def role_of(name: str) -> ParameterRole | None:
    """Return what a parameter is for, by the whole of its name; None when the name does not say."""
    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return next((role for role, words in _ROLES.items() if re.fullmatch(words, snake, re.IGNORECASE)), None)
