"""A tool as Workdesk knows it: what the server says, and beside it what the overlay adds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mindatlas.nodes.workdesk.parts.overlay_model import ToolOverlay


@dataclass(frozen=True, kw_only=True)
class ServerTool:
    """A tool exactly as its server describes it.

    Attributes:
        name: what calls use.
        native: what the server itself calls it, where `name` had to be another.
        input_schema: JSON Schema of the arguments.
        read_only: the server's `readOnlyHint`; None where it says nothing.
    """

    server: str
    name: str
    description: str
    input_schema: Mapping[str, Any] = field(default_factory=dict)
    read_only: bool | None = None
    native: str = ""


@dataclass(frozen=True, kw_only=True)
class ToolCard:
    """A server's tool and its overlay; the overlay is empty where none was written."""

    tool: ServerTool
    overlay: ToolOverlay = field(default_factory=ToolOverlay)

    @property
    def name(self) -> str:
        """The name that calls use."""
        return self.tool.name

    @property
    def read_only(self) -> bool:
        """Whether a call may be repeated: the overlay decides, then the server's annotation; unknown is no."""
        said = self.overlay.read_only if self.overlay.read_only is not None else self.tool.read_only
        return bool(said)
