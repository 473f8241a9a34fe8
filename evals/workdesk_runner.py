"""Runs cases of Workdesk against its tool servers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import closing
from datetime import date
from importlib import import_module
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.code_version import code_version
from mindatlas.evals.files import digest
from mindatlas.evals.graph_runner import as_json, settings_from, timed
from mindatlas.evals.runners import RunOutput


class WorkdeskRunner:
    """Answers the questions of cases with one compiled graph."""

    def __init__(self, settings: Any) -> None:
        workdesk = import_module("mindatlas.graphs.workdesk")
        self._settings = settings
        self._parts = workdesk.open_parts(settings)
        self._graph = workdesk.build_workdesk(self._parts).compile()

    def run(self, case: Case) -> RunOutput:
        """Return the output for a case's question and its history."""
        inputs: dict[str, Any] = {"question": case.query}
        if "history" in case.extra:
            inputs["history"] = case.extra["history"]
        return timed(case, lambda: self._answer(inputs))

    def _answer(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the graph's output; where it waits for the user, `clarification` says what for."""
        output = dict(self._graph.invoke(inputs, context=self._settings))
        output.pop("__interrupt__", None)  # LangGraph's own object, no JSON; it holds the clarification again
        return output

    def identity(self) -> dict[str, Any]:
        """Return the settings, the day, the tools as a model is told of them, and the code."""
        schemas = import_module("mindatlas.nodes.workdesk.parts.tool_schemas")
        tools = {
            name: digest([schemas.registration_of(card).as_text(), schemas.invocation_of(card).as_function()])
            for name, card in sorted(self._parts.cards.items())
        }
        settings = {**as_json(self._settings), "today": self._parts.today().isoformat()}
        book = {} if self._settings.mcp else {"order_book": _book_hash(self._parts.today())}
        return {"settings": settings, "tools": tools, "code": code_version(), **book}


def _book_hash(until: date) -> str:
    """Return the SHA-256 of the order book's content: its file differs from machine to machine."""
    with closing(import_module("mindatlas.nodes.workdesk.parts.order_book").open_book(until=until)) as book:
        content = hashlib.sha256()
        for line in book.iterdump():
            content.update(line.encode())
    return content.hexdigest()


def open_runner(settings: Mapping[str, Any]) -> WorkdeskRunner:
    """Return a runner with `settings`, as they stand in a suite.

    Raises:
        UsageError: there is no such setting.
        SetupError: a model, its key, its package or a tool server is missing.
    """
    kind = import_module("mindatlas.graphs.workdesk").WorkdeskSettings
    return WorkdeskRunner(settings_from(kind, "Workdesk", settings))
