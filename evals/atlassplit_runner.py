"""Runs cases of AtlasSplit; results go to a folder that ends with the process."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.code_version import code_version
from mindatlas.evals.fixtures import workbooks_of
from mindatlas.evals.graph_runner import as_json, settings_from, timed
from mindatlas.evals.runners import RunOutput
from mindatlas.graphs.atlassplit import AtlasSplitSettings, build_atlassplit, open_parts
from mindatlas.nodes.errors import UsageError


class AtlasSplitRunner:
    """Does the requests of cases with one compiled graph."""

    def __init__(self, settings: AtlasSplitSettings) -> None:
        if settings.approve:
            raise UsageError("The bench approves no program: leave the setting 'approve' off")
        self._settings = settings
        self._graph = build_atlassplit(open_parts(settings)).compile()
        self._folder = tempfile.TemporaryDirectory(prefix="mindatlas-bench-", ignore_cleanup_errors=True)
        self._runs = 0

    def run(self, case: Case) -> RunOutput:
        """Return the output for a case's workbooks, request and assertions."""
        self._runs += 1
        inputs: Any = {
            "workbooks": [str(path) for path in workbooks_of(case).values()],
            "request": case.query,
            "save_as": str(Path(self._folder.name) / f"{self._runs}.xlsx"),
        }
        if "assertions" in case.extra:
            inputs["assertions"] = case.extra["assertions"]
        return timed(case, lambda: self._graph.invoke(inputs, context=self._settings))

    def identity(self) -> dict[str, Any]:
        """Return the settings, the day that requests are read on, and the code."""
        settings = {**as_json(self._settings), "today": self._settings.day().isoformat()}
        return {"settings": settings, "code": code_version()}


def open_runner(settings: Mapping[str, Any]) -> AtlasSplitRunner:
    """Return a runner with `settings`, as they stand in a suite.

    Raises:
        UsageError: there is no such setting.
        SetupError: a model, its key or its package is missing.
    """
    return AtlasSplitRunner(settings_from(AtlasSplitSettings, "AtlasSplit", settings))
