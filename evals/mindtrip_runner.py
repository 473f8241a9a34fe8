"""Runs cases of MindTrip and keeps what each stage did, so that a difference can be traced to its stage."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from mindatlas.evals.cases import Case
from mindatlas.evals.code_version import code_version
from mindatlas.evals.files import digest
from mindatlas.evals.measures.mindtrip_claims import claims_of, is_refusal
from mindatlas.evals.runners import RunOutput
from mindatlas.graphs.mindtrip import MindTripSettings, build_mindtrip, open_parts
from mindatlas.nodes.errors import MindatlasError, ModelReplyError, ModelTransportError, UsageError
from mindatlas.nodes.text import fold

STAGES = ("hits", "ranking")  # state beside the output: the legs' ranks, and the order after reranking


class MindTripRunner:
    """Answers the questions of cases with one compiled graph."""

    def __init__(self, settings: MindTripSettings) -> None:
        self._settings = settings
        self._parts = open_parts(settings)
        self._graph = build_mindtrip(self._parts).compile()
        self._keys = [*self._graph.get_output_jsonschema()["properties"], *STAGES]

    def run(self, case: Case) -> RunOutput:
        """Return the output for a case's question, its filters and its history."""
        inputs: Any = {"question": case.query, "filters": dict(case.extra.get("filters", {}))}
        if "history" in case.extra:
            inputs["history"] = case.extra["history"]
        started = time.perf_counter()
        try:
            output = self._graph.invoke(inputs, context=self._settings, output_keys=self._keys)
        except (ModelTransportError, ModelReplyError, TimeoutError, ConnectionError) as error:
            reason = f"{type(error).__name__}: {error}"
            return RunOutput(output=None, duration_s=time.perf_counter() - started, error=reason)
        except MindatlasError as error:
            raise UsageError(f"The case {case.id!r} cannot be run: {error}") from error
        duration = time.perf_counter() - started
        usage = output.get("usage") or {}
        output = {**output, "answer_entities": self._named(output)}
        return RunOutput(output=output, duration_s=duration, cost=usage.get("cost"))

    def _named(self, output: Mapping[str, Any]) -> list[str]:
        """Return the known names in the claims of the answer, towns left out, sorted."""
        base = self._parts.knowledge_base()
        towns = {value for field in base.table.with_role("city") for value in base.table.values(field.name)}
        found = {m.entity for claim in claims_of(output["answer"]) for m in base.entities.find(claim.text)}
        return [] if is_refusal(output["stop_reason"]) else sorted(n for n in found if fold(n) not in towns)

    def identity(self) -> dict[str, Any]:
        """Return the settings with `auto` resolved, the knowledge base by content, and the code."""
        base = self._parts.knowledge_base()
        return {
            "settings": {**asdict(self._settings), "disabled": sorted(self._settings.disabled)},
            "reranker": self._parts.reranker_name,
            "knowledge_base": digest(
                [base.manifest.embedding, [passage.digest() for passage in base.passages]]
            ),
            "code": code_version("mindtrip"),
        }


def open_runner(settings: Mapping[str, Any]) -> MindTripRunner:
    """Return a runner with `settings`, as they stand in a suite.

    Raises:
        UsageError: there is no such setting.
        SetupError: a model, its key or its package is missing.
    """
    known = {field.name for field in fields(MindTripSettings)}
    if unknown := sorted(set(settings) - known):
        raise UsageError(f"MindTrip has no setting {unknown[0]!r}; expected: {', '.join(sorted(known))}")
    return MindTripRunner(MindTripSettings(**dict(settings)))
