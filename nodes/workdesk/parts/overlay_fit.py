"""An overlay laid on the tool as its server describes it now: what fits applies, what fits no longer is skipped."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TypeVar

from mindatlas.nodes.workdesk.parts.overlay_findings import Finding, has_changed, tool_findings
from mindatlas.nodes.workdesk.parts.overlay_model import ParameterOverlay, ServerOverlay, ToolOverlay
from mindatlas.nodes.workdesk.parts.schema_shapes import Shape, read_shape, shapes_of
from mindatlas.nodes.workdesk.parts.tool_cards import ServerTool, ToolCard

_Value = TypeVar("_Value")


def fit_cards(
    tools: Iterable[ServerTool], overlays: Mapping[str, ServerOverlay]
) -> tuple[list[ToolCard], list[str]]:
    """Return the cards of the tools, each with what of its overlay still fits, and a notice for what does not.

    An overlay that was written for another version of a tool applies where it can; nothing is ever raised for it.
    """
    tools = list(tools)
    names = {tool.name for tool in tools}
    cards: list[ToolCard] = []
    notices: list[str] = []
    for tool in tools:
        known = overlays.get(tool.server)
        overlay = known.tools.get(tool.name, ToolOverlay()) if known else ToolOverlay()
        findings = [finding for finding in tool_findings(tool, overlay, names) if finding.drift]
        cards.append(ToolCard(tool=tool, overlay=fit_overlay(tool, overlay, names) if findings else overlay))
        notices += map(_notice, findings)
    return cards, notices


def fit_overlay(
    tool: ServerTool, overlay: ToolOverlay, tool_names: Collection[str] | None = None
) -> ToolOverlay:
    """Return the overlay without what fits the tool no longer; see `tool_findings` for what that is.

    What the server newly requires becomes required, and values that it newly takes become allowed.
    """
    skipped = {finding.field for finding in tool_findings(tool, overlay, tool_names)}
    shapes = shapes_of(tool.input_schema)
    changed = has_changed(tool, overlay)
    before = {name: read_shape(text) for name, text in overlay.written_for.items()}

    asked = {field.removeprefix("required.") for field in skipped if field.startswith("required.")}
    asked -= set(overlay.defaults)  # what the server newly requires and no default fills cannot stay hidden

    def stays(field: str) -> Callable[[str], bool]:
        return lambda name: field not in skipped or name in shapes

    return overlay.model_copy(
        update={
            "required": _required(overlay, skipped, shapes),
            "required_any": tuple(filter(stays("required_any"), overlay.required_any)),
            "hidden": tuple(name for name in filter(stays("hidden"), overlay.hidden) if name not in asked),
            "defaults": _without(overlay.defaults, "defaults", skipped),
            "parameters": {
                name: _fit_parameter(
                    name, one, shapes.get(name, Shape()), before.get(name), skipped, changed=changed
                )
                for name, one in overlay.parameters.items()
                if f"parameters.{name}" not in skipped or name in shapes
            },
            "depends_on": tuple(name for name in overlay.depends_on if f"depends_on.{name}" not in skipped),
            "dual_time": None if "dual_time.parameter" in skipped else overlay.dual_time,
        }
    )


def _required(overlay: ToolOverlay, skipped: set[str], shapes: Mapping[str, Shape]) -> tuple[str, ...] | None:
    if overlay.required is None:
        return None
    kept = [name for name in overlay.required if "required" not in skipped or name in shapes]
    new = [field.removeprefix("required.") for field in sorted(skipped) if field.startswith("required.")]
    return tuple(dict.fromkeys([*kept, *new]))


def _without(fields: Mapping[str, _Value], path: str, skipped: set[str]) -> dict[str, _Value]:
    return {name: value for name, value in fields.items() if f"{path}.{name}" not in skipped}


def _fit_parameter(
    name: str,
    overlay: ParameterOverlay,
    shape: Shape,
    before: Shape | None,
    skipped: set[str],
    *,
    changed: bool,
) -> ParameterOverlay:
    path = f"parameters.{name}"
    values = overlay.values
    if f"{path}.values" in skipped:
        new = [code for code in shape.enum if changed and before and code not in before.enum]
        kept = {code: words for code, words in values.items() if code in shape.enum}
        values = {**kept, **dict.fromkeys(new, ())}
    retyped = (
        path in skipped or f"{path}.type" in skipped
    )  # a correction of the old type says nothing of the new
    gone = f"{path}.names_from" in skipped
    return overlay.model_copy(
        update={
            "values": values,
            "type": None if retyped else overlay.type,
            "names_from": None if gone else overlay.names_from,
        }
    )


def _notice(finding: Finding) -> str:
    return f"Overlay of {finding.server!r}, tool {finding.tool!r}, {finding.field}: {finding.message}"
