"""Two ways to tell of a tool: what is needed to choose it (registration), and what is needed to call it (invocation).

The server's own fields stand in both beside what the overlay says, and are never changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from mindatlas.nodes.workdesk.parts.overlay_model import Output
from mindatlas.nodes.workdesk.parts.parameters import Parameter, corrected_schema, parameters_of
from mindatlas.nodes.workdesk.parts.schema_shapes import sound_schema
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_PARTS = re.compile(r"[\s_./:\-]+")


@dataclass(frozen=True, kw_only=True)
class Registration:
    """What a tool is chosen by: short, without its parameters.

    Attributes:
        purpose: the overlay's, otherwise the server's description.
        server_description: the description exactly as the server gives it.
    """

    name: str
    purpose: str
    use_when: tuple[str, ...]
    avoid_when: tuple[str, ...]
    server_description: str

    def as_text(self) -> str:
        """Return it as lines for a model that chooses among tools."""
        lines = [f"{self.name}: {self.purpose}"]
        lines += [f"  use when: {one}" for one in self.use_when]
        lines += [f"  not when: {one}" for one in self.avoid_when]
        return "\n".join(lines)

    def search_text(self) -> str:
        """Return what questions are compared with; when not to use a tool would find it for just those questions."""
        own = self.server_description if self.server_description != self.purpose else ""
        return "\n".join(filter(None, (name_words(self.name), self.purpose, *self.use_when, own)))


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """What a tool is called by.

    Attributes:
        description: what it does, its rules, what it needs first and what it returns.
        schema: JSON Schema of the arguments that a model gives: hidden parameters are left out, only what is
            really needed is required, and each parameter says its allowed values and what they mean.
        server_description: the description exactly as the server gives it.
        server_schema: the input schema exactly as the server gives it.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    server_description: str
    server_schema: Mapping[str, Any]

    def as_function(self) -> dict[str, Any]:
        """Return it in the form in which chat models are told of tools."""
        function = {"name": self.name, "description": self.description, "parameters": dict(self.schema)}
        return {"type": "function", "function": function}


def registration_of(card: ToolCard) -> Registration:
    """Return what `card` is chosen by."""
    said = card.overlay.registration
    return Registration(
        name=card.name,
        purpose=(said.purpose if said else "") or card.overlay.description or card.tool.description,
        use_when=said.use_when if said else (),
        avoid_when=said.avoid_when if said else (),
        server_description=card.tool.description,
    )


def invocation_of(card: ToolCard) -> Invocation:
    """Return what `card` is called by."""
    return Invocation(
        name=card.name,
        description=_description(card),
        schema=_schema(card),
        server_description=card.tool.description,
        server_schema=card.tool.input_schema,
    )


def name_words(name: str) -> str:
    """Return the words of a tool's name: `order_stat` -> `order stat`, `getOrderList` -> `get Order List`."""
    return " ".join(filter(None, _PARTS.split(_CAMEL.sub(" ", name))))


def _description(card: ToolCard) -> str:
    overlay = card.overlay
    said = overlay.registration
    lines = [overlay.description or (said.purpose if said else "") or card.tool.description]
    lines += [f"Not when: {one}" for one in (said.avoid_when if said else ())]
    if overlay.depends_on:
        lines.append(f"Needs a result of: {', '.join(overlay.depends_on)}")
    if overlay.required_any:
        lines.append(f"Give at least one of: {', '.join(overlay.required_any)}")
    lines += [f"Rule: {rule}" for rule in overlay.rules]
    if overlay.output is not None:
        lines.append(_returns(overlay.output))
    if not card.read_only:
        lines.append("Changes data or may do so: it is called once, after the user's approval.")
    return "\n".join(filter(None, lines))


def _returns(output: Output) -> str:
    place = f" under {output.rows}" if output.rows else ""
    columns = "; ".join(f"{name}: {what}" for name, what in output.columns.items())
    total = f"; {output.total} counts all records" if output.total else ""
    return f"Returns JSON, records{place}" + (f" ({columns})" if columns else "") + total


def _schema(card: ToolCard) -> dict[str, Any]:
    card = replace(card, tool=replace(card.tool, input_schema=sound_schema(card.tool.input_schema)))
    schema = corrected_schema(card)
    parameters = {name: one for name, one in parameters_of(card).items() if not one.hidden}
    defaults = card.overlay.defaults
    schema["properties"] = {name: _property(one, card) for name, one in parameters.items()}
    schema["required"] = [name for name in schema["required"] if name in parameters and name not in defaults]
    return schema


def _property(parameter: Parameter, card: ToolCard) -> dict[str, Any]:
    """Return the parameter's schema with a description of all that is known of it."""
    overlay = card.overlay.parameters.get(parameter.name)
    said = str(parameter.schema.get("description") or "")
    lines = [(overlay.description if overlay else "") or said]
    if any(parameter.values.values()):
        lines.append(
            "; ".join(f"{code} = {' / '.join(words) or code}" for code, words in parameter.values.items())
        )
    if parameter.names_from:
        source = parameter.names_from
        lines.append(
            f"A name is looked up in {source.tool} ({source.name} -> {source.id}); ids stand there too"
        )
    described = {**parameter.schema, "description": ". ".join(filter(None, lines))}
    if parameter.name in card.overlay.defaults:
        default = card.overlay.defaults[parameter.name]
        described["default"] = default
        described["description"] += f". Left out: {json.dumps(default, ensure_ascii=False)}"
    return described if described["description"] else dict(parameter.schema)
