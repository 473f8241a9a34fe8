"""What each stage of a graph did for a case, kept small, and the first stage that explains a difference."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from mindatlas.evals.cases import Case

_MODULES = {"mindtrip": "mindatlas.evals.regression.mindtrip_stages"}
Trace = dict[str, Any]


class Stages(Protocol):
    """What a graph's module of stages offers."""

    def trace_of(self, case: Case, output: Mapping[str, Any]) -> Trace:
        """Return what each stage did, JSON-like."""
        ...

    def cause_of(self, before: Trace, after: Trace) -> str:
        """Return the first stage that differs, in words."""
        ...


def trace_of(graph: str, case: Case, output: Mapping[str, Any]) -> Trace:
    """Return what each stage of `graph` did; empty for a graph whose stages are not recorded."""
    stages = _stages(graph)
    return stages.trace_of(case, output) if stages else {}


def cause_of(graph: str, before: Trace, after: Trace) -> str:
    """Return the likely cause of a difference between two runs of one case."""
    stages = _stages(graph)
    if stages is None or not before or not after:
        return "the stages of this case were not recorded"
    return stages.cause_of(before, after)


def _stages(graph: str) -> Stages | None:
    return cast(Stages, import_module(_MODULES[graph])) if graph in _MODULES else None
