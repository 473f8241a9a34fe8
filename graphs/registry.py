"""The graphs by name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from langgraph.graph.state import CompiledStateGraph

from mindatlas.nodes.errors import UsageError

GRAPHS = ("mindtrip", "atlassplit", "workdesk")


def load_graph(name: str) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return the compiled graph `name`.

    Raises:
        UsageError: there is no such graph.
    """
    if name not in GRAPHS:
        raise UsageError(f"There is no graph {name!r}; expected one of: {', '.join(GRAPHS)}")
    graph: CompiledStateGraph[Any, Any, Any, Any] = import_module(f"mindatlas.graphs.{name}").graph
    return graph
