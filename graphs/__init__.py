"""The graphs: builders for embedding in an app, compiled graphs for Studio, and the runner."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mindatlas.graphs.atlassplit import build_atlassplit
    from mindatlas.graphs.mindtrip import build_mindtrip
    from mindatlas.graphs.workdesk import build_workdesk

__all__ = ["build_atlassplit", "build_mindtrip", "build_workdesk"]

_HOMES = {
    "build_atlassplit": "mindatlas.graphs.atlassplit",
    "build_mindtrip": "mindatlas.graphs.mindtrip",
    "build_workdesk": "mindatlas.graphs.workdesk",
}


def __getattr__(name: str) -> Any:
    """Return a builder, importing its graph only now: `mindatlas --help` needs none of them."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
