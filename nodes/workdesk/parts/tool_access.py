"""What the nodes need of the tool servers, whatever the transport."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from mindatlas.nodes.workdesk.parts.calls import CheckedCall, ToolResult
from mindatlas.nodes.workdesk.parts.tool_cards import ToolCard


class ToolAccess(Protocol):
    """The tools of all servers."""

    def cards(self) -> Sequence[ToolCard]:
        """Return all tools, in the order of the configuration, then of each server."""
        ...

    def call(self, call: CheckedCall) -> ToolResult:
        """Return what `call` brought; a failure is in the result, never raised, and never hangs."""
        ...

    def directory(self, tool: str, args: Mapping[str, Any]) -> ToolResult:
        """Return all rows of a read-only directory tool, paged through and remembered for the session."""
        ...

    def notices(self) -> Sequence[str]:
        """Return what the user should know of the servers: overlay fields that fit no longer, renamed tools."""
        ...

    def close(self) -> None:
        """End the sessions and the server processes that were started."""
        ...
