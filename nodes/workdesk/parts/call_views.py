"""Calls as the output shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.workdesk.parts.calls import Repair, ToolResult


class CallView(TypedDict):
    """A call that was made, and its rows; `n_rows` counts those that were not kept as well."""

    tool: str
    args: dict[str, Any]
    repairs: list[Repair]
    rows: list[dict[str, Any]]
    n_rows: int
    clock: str
    error: str


def call_views(results: Sequence[ToolResult]) -> list[CallView]:
    """Return the calls behind `results`, in the order in which they were made."""
    return [
        CallView(
            tool=result["tool"],
            args=result["args"],
            repairs=result["repairs"],
            rows=result["rows"],
            n_rows=result["n_rows"],
            clock=result["clock"],
            error=result["error"],
        )
        for result in results
    ]
