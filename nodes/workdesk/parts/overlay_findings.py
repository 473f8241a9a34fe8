"""What of an overlay fits its tool no longer: each finding names the field and what became of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Literal

from mindatlas.nodes.workdesk.parts.overlay_model import ParameterOverlay, ToolOverlay
from mindatlas.nodes.workdesk.parts.parameters import takes_others
from mindatlas.nodes.workdesk.parts.schema_shapes import (
    Shape,
    as_text,
    read_shape,
    schema_hash,
    shapes_of,
    takes_value,
)
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard

FindingKind = Literal[
    "orphaned_key", "new_required", "changed_type", "changed_enum", "changed_schema", "removed_tool",
    "unknown_server", "new_tool", "no_hash", "not_connected",
]  # fmt: skip
NOTES: frozenset[FindingKind] = frozenset({"new_tool", "no_hash", "not_connected"})
"""Kinds that are told and are no drift: nothing that an overlay says has become wrong."""
_ELSEWHERE = (
    "the schema has changed in nothing that the overlay mentions (descriptions, limits, other parameters)"
)


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One way in which an overlay and its server differ; `field` is the dotted path within the tool's overlay."""

    server: str
    tool: str
    kind: FindingKind
    field: str
    message: str

    @property
    def drift(self) -> bool:
        """Whether something that the overlay says has become wrong."""
        return self.kind not in NOTES


def tool_findings(
    tool: ServerTool, overlay: ToolOverlay, tool_names: Collection[str] | None = None
) -> list[Finding]:
    """Return how `overlay` differs from the tool as the server describes it now, none when it fits.

    Args:
        tool: the tool as the server describes it.
        overlay: what is known of it.
        tool_names: all tools at hand; None leaves the tools that the overlay names unchecked.
    """
    fit = _Fit(tool, overlay, tool_names)
    found = [
        Finding(server=tool.server, tool=tool.name, kind=kind, field=field, message=message)
        for kind, field, message in fit.run()
    ]
    if fit.changed and not found:
        found.append(
            Finding(
                server=tool.server,
                tool=tool.name,
                kind="changed_schema",
                field="schema_sha256",
                message=_ELSEWHERE,
            )
        )
    return found


def parameter_names(overlay: ToolOverlay) -> Iterator[tuple[str, str]]:
    """Yield each field of an overlay that names a parameter, as a dotted path, and the name."""
    for field in ("required", "required_any", "hidden"):
        yield from ((field, name) for name in getattr(overlay, field) or ())
    for field in ("defaults", "parameters", "written_for"):
        yield from ((f"{field}.{name}", name) for name in getattr(overlay, field))
    if overlay.dual_time:
        yield "dual_time.parameter", overlay.dual_time.parameter


def has_changed(tool: ServerTool, overlay: ToolOverlay) -> bool:
    """Return whether the schema is another than the one that the overlay was written for, as far as that is known."""
    return bool(overlay.schema_sha256) and overlay.schema_sha256 != schema_hash(tool.input_schema)


class _Fit:
    """The comparison of one tool."""

    def __init__(self, tool: ServerTool, overlay: ToolOverlay, tool_names: Collection[str] | None) -> None:
        self.overlay, self.tool_names = overlay, tool_names
        self.shapes = shapes_of(tool.input_schema)
        self.open = takes_others(ToolCard(tool=tool))
        self.changed = has_changed(tool, overlay)
        self.before = {name: read_shape(text) for name, text in overlay.written_for.items()}

    def run(self) -> Iterator[tuple[FindingKind, str, str]]:
        yield from self._orphaned()
        yield from self._tools_gone()
        for name, shape in self.shapes.items():
            if self.changed:
                yield from self._newly_required(name, shape)
                yield from self._type_changed(name, shape)
            yield from self._enum_changed(name, shape)
            yield from self._default(name, shape)

    def _orphaned(self) -> Iterator[tuple[FindingKind, str, str]]:
        for field, name in parameter_names(self.overlay):
            if name not in self.shapes and not self.open:
                yield "orphaned_key", field, f"the tool has no parameter {name!r}; skipped"

    def _tools_gone(self) -> Iterator[tuple[FindingKind, str, str]]:
        if self.tool_names is None:
            return
        named = [(f"depends_on.{name}", name) for name in self.overlay.depends_on]
        named += [
            (f"parameters.{name}.names_from", one.names_from.tool)
            for name, one in self.overlay.parameters.items()
            if one.names_from
        ]
        for field, name in named:
            if name not in self.tool_names:
                yield "orphaned_key", field, f"there is no tool {name!r}; skipped"

    def _newly_required(self, name: str, shape: Shape) -> Iterator[tuple[FindingKind, str, str]]:
        known = {name for _, name in parameter_names(self.overlay)}
        new = not self.before.get(name, Shape()).required if self.before else name not in known
        if shape.required and new:
            yield (
                "new_required",
                f"required.{name}",
                f"the server now requires {name!r} ({shape}); it is asked for",
            )

    def _type_changed(self, name: str, shape: Shape) -> Iterator[tuple[FindingKind, str, str]]:
        before = self.before.get(name)
        corrected = self.overlay.parameters.get(name, ParameterOverlay()).type
        if before is not None and before.types != shape.types:
            yield (
                "changed_type",
                f"parameters.{name}",
                f"{name!r} was {_types(before)}, it is {_types(shape)} now",
            )
        elif before is None and corrected and shape.types and corrected not in shape.types:
            yield (
                "changed_type", f"parameters.{name}.type",
                f"the overlay says {corrected}, the server says {_types(shape)} now",
            )  # fmt: skip

    def _enum_changed(self, name: str, shape: Shape) -> Iterator[tuple[FindingKind, str, str]]:
        known = self.overlay.parameters.get(name, ParameterOverlay()).values
        gone = [code for code in known if shape.enum and code not in shape.enum]
        before = self.before.get(name)
        new = [code for code in shape.enum if self.changed and before and code not in before.enum]
        if gone:
            yield (
                "changed_enum",
                f"parameters.{name}.values",
                f"{name!r} takes {_list(gone)} no longer; skipped",
            )
        if new:
            yield (
                "changed_enum",
                f"parameters.{name}.values",
                f"{name!r} takes {_list(new)} now, without words for it",
            )

    def _default(self, name: str, shape: Shape) -> Iterator[tuple[FindingKind, str, str]]:
        if name not in self.overlay.defaults:
            return
        value = self.overlay.defaults[name]
        corrected = self.overlay.parameters.get(name, ParameterOverlay()).type
        if corrected and not self.changed:
            shape = Shape(types=frozenset({corrected}), enum=shape.enum)
        if not takes_value(shape, value):
            kind: FindingKind = (
                "changed_enum" if shape.enum and as_text(value) not in shape.enum else "changed_type"
            )
            yield kind, f"defaults.{name}", f"{name!r} does not take {value!r} ({shape}); skipped"


def _types(shape: Shape) -> str:
    return " or ".join(sorted(shape.types)) or "of any type"


def _list(codes: list[str]) -> str:
    return ", ".join(map(repr, codes))
