"""The measures of each graph, by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from mindatlas.evals.cases import Case
from mindatlas.evals.measures.measure import Measure, Output, Scored
from mindatlas.nodes.errors import UsageError

MODULES = {  # each has `MEASURES`
    "atlassplit": "mindatlas.evals.measures.atlassplit",
    "mindtrip": "mindatlas.evals.measures.mindtrip",
    "workdesk": "mindatlas.evals.measures.workdesk",
}


def measures_of(graph: str) -> dict[str, Measure]:
    """Return the measures of `graph` by name, in the order they are shown.

    Raises:
        UsageError: the bench measures no such graph.
    """
    if graph not in MODULES:
        raise UsageError(
            f"The bench measures no graph {graph!r}; expected one of: {', '.join(sorted(MODULES))}"
        )
    measures: tuple[Measure, ...] = import_module(MODULES[graph]).MEASURES
    return {measure.name: measure for measure in measures}


def score_all(measures: Mapping[str, Measure], case: Case, output: Output) -> dict[str, Scored]:
    """Return every measure of one output, by name."""
    return {name: measure.score(case, output) for name, measure in measures.items()}
