"""The seam between the bench and the graphs: a runner does one case and returns what came out, with time and cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from mindatlas.evals.cases import Case
from mindatlas.nodes.errors import UsageError

RUNNERS = {  # each module has `open_runner(settings)`
    "atlassplit": "mindatlas.evals.atlassplit_runner",
    "mindtrip": "mindatlas.evals.mindtrip_runner",
    "workdesk": "mindatlas.evals.workdesk_runner",
}


@dataclass(frozen=True, kw_only=True)
class RunOutput:
    """What a run of one case gave.

    Attributes:
        output: the graph's output; None where the run broke off.
        duration_s: seconds.
        cost: in the currency of the price list; None where a call did not say what it used.
        error: why the run broke off (an infrastructure error, no answer of the graph), else None.
    """

    output: dict[str, Any] | None
    duration_s: float
    cost: float | None = None
    error: str | None = None


class CaseRunner(Protocol):
    """Runs cases of one graph with fixed settings."""

    def run(self, case: Case) -> RunOutput:
        """Return what the graph gives for `case`; an error of the infrastructure is returned, not raised."""
        ...

    def identity(self) -> dict[str, Any]:
        """Return what decides the output beside the case: settings, models, data and code, JSON-like."""
        ...


def open_runner(graph: str, settings: Mapping[str, Any]) -> CaseRunner:
    """Return a runner for `graph` with `settings`.

    Raises:
        UsageError: the bench runs no such graph, or has no such setting.
        SetupError: a model, its key or its package is missing.
    """
    if graph not in RUNNERS:
        raise UsageError(f"The bench runs no graph {graph!r}; expected one of: {', '.join(sorted(RUNNERS))}")
    runner: CaseRunner = import_module(RUNNERS[graph]).open_runner(settings)
    return runner
