"""Every graph records how it ran: the path, the time and the tokens of each node, in the state itself.

So a host, Studio and the runner all see the same facts, whoever compiled the graph.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.callbacks import get_usage_metadata_callback
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from mindatlas.nodes.models import Usage, usage_cost


class Trace(TypedDict, total=False):
    """What `traced` adds to a state."""

    path: list[str]
    timings_ms: dict[str, float]
    usage: Usage


Node = Callable[..., Mapping[str, Any]]


def traced(name: str, node: Node, parts_of: Callable[[Any], Any], *, first: bool = False) -> Node:
    """Return `node(state, parts)` as a node of a graph that adds its name, time and tokens to the state.

    Args:
        name: the node's id in the graph.
        node: a function of state and parts that returns the keys it changed.
        parts_of: gives the parts for the context that the caller passed (None when there was none).
        first: whether the node starts a turn; the record of the turn before is then dropped.
    """

    @functools.wraps(node)
    def run(state: Any, runtime: Runtime[Any]) -> dict[str, Any]:
        started = time.perf_counter()
        with get_usage_metadata_callback() as spent:
            update = dict(node(state, parts_of(runtime.context)))
        elapsed = (time.perf_counter() - started) * 1000
        before: Mapping[str, Any] = {} if first else state
        timings = dict(before.get("timings_ms") or {})
        timings[name] = round(timings.get(name, 0.0) + elapsed, 3)
        usage = _added(before.get("usage"), usage_cost(spent.usage_metadata))
        return {**update, "path": [*(before.get("path") or []), name], "timings_ms": timings, "usage": usage}

    run.__annotations__ = {"state": Any, "runtime": Runtime[Any], "return": dict[str, Any]}
    del run.__wrapped__  # the graph would read the wrapped signature
    return run


def _added(before: Usage | None, spent: Usage) -> Usage:
    if before is None:
        return spent
    costs = (before["cost"], spent["cost"])
    return Usage(
        input_tokens=before["input_tokens"] + spent["input_tokens"],
        output_tokens=before["output_tokens"] + spent["output_tokens"],
        cost=None if costs[0] is None or costs[1] is None else costs[0] + costs[1],
    )
