"""Runs cases of AtlasSplit with one sandbox that stays open; results go to a folder that ends with the runner."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mindatlas.evals.atlassplit.fault_mix import FaultMix, read_fault_mix
from mindatlas.evals.atlassplit.workbooks import workbook_hashes
from mindatlas.evals.cases import Case
from mindatlas.evals.code_version import code_version
from mindatlas.evals.fixtures import workbooks_of
from mindatlas.evals.graph_runner import as_json, settings_from, timed
from mindatlas.evals.runners import RunOutput
from mindatlas.graphs.atlassplit import AtlasSplitSettings, build_atlassplit, open_parts
from mindatlas.nodes.errors import UsageError

_OF_RUNNER = ("faults", "fault_seed")  # settings that the graph knows nothing of


class AtlasSplitRunner:
    """Does the requests of cases; with a fault mix each case gets the simulated fault that is drawn for its id."""

    def __init__(self, settings: AtlasSplitSettings, mix: FaultMix | None = None) -> None:
        if settings.approve:
            raise UsageError("The bench approves no program: leave the setting 'approve' off")
        self._settings, self._mix = settings, mix
        self._graphs = {settings.model: _compiled(settings)}
        self._folder = tempfile.mkdtemp(prefix="mindatlas-bench-")
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        self._runs = 0

    def run(self, case: Case) -> RunOutput:
        """Return the output for a case's workbooks, request and assertions."""
        self._runs += 1
        inputs: Any = {
            "workbooks": [str(path) for path in workbooks_of(case).values()],
            "request": case.query,
            "save_as": str(Path(self._folder) / f"{self._runs}.xlsx"),
        }
        if "assertions" in case.extra:
            inputs["assertions"] = case.extra["assertions"]
        settings = self._settings_for(case)
        if settings.model not in self._graphs:
            self._graphs[settings.model] = _compiled(settings)
        graph = self._graphs[settings.model]
        return timed(case, lambda: graph.invoke(inputs, context=settings))

    def identity(self) -> dict[str, Any]:
        """Return the settings, the day that requests are read on, the fault mix, bundled workbooks and code."""
        settings = {**as_json(self._settings), "today": self._settings.day().isoformat()}
        return {
            "settings": settings,
            "simulated_faults": None if self._mix is None else self._mix.to_dict(),
            "bundled_workbooks": workbook_hashes(),
            "code": code_version(),
        }

    def _settings_for(self, case: Case) -> AtlasSplitSettings:
        return (
            self._settings
            if self._mix is None
            else replace(self._settings, model=self._mix.model_for(case.id))
        )


def _compiled(settings: AtlasSplitSettings) -> Any:
    return build_atlassplit(open_parts(settings)).compile()


def open_runner(settings: Mapping[str, Any]) -> AtlasSplitRunner:
    """Return a runner with `settings`, as they stand in a suite.

    Beside the graph's settings there are `faults`, a fault mix for the model `faulty`, and its `fault_seed`.

    Raises:
        UsageError: there is no such setting, or faults are set for another model.
        SetupError: a model, its key or its package is missing.
    """
    own = {key: value for key, value in settings.items() if key not in _OF_RUNNER}
    graph_settings = settings_from(AtlasSplitSettings, "AtlasSplit", own)
    if "faults" not in settings:
        return AtlasSplitRunner(graph_settings)
    if graph_settings.model != "faulty":
        raise UsageError(f"The setting 'faults' needs the model 'faulty', not {graph_settings.model!r}")
    mix = read_fault_mix(str(settings["faults"]), seed=int(settings.get("fault_seed", 0)))
    return AtlasSplitRunner(graph_settings, mix)
