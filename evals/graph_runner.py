"""What the runners of graphs share: settings read strictly, and errors of the infrastructure told from the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from mindatlas.evals.cases import Case
from mindatlas.evals.runners import RunOutput
from mindatlas.nodes.errors import MindatlasError, ModelReplyError, ModelTransportError, UsageError

Settings = TypeVar("Settings")
_BROKEN = (ModelTransportError, ModelReplyError, TimeoutError, ConnectionError)


def timed(case: Case, invoke: Callable[[], Mapping[str, Any]]) -> RunOutput:
    """Return what `invoke` gives for `case`, with its time and cost; a broken connection is told as an error.

    Raises:
        UsageError: the case itself cannot be run.
    """
    started = time.perf_counter()
    try:
        output = invoke()
    except _BROKEN as error:
        reason = f"{type(error).__name__}: {error}"
        return RunOutput(output=None, duration_s=time.perf_counter() - started, error=reason)
    except MindatlasError as error:
        raise UsageError(f"The case {case.id!r} cannot be run: {error}") from error
    duration, usage = time.perf_counter() - started, output.get("usage") or {}
    return RunOutput(output=dict(output), duration_s=duration, cost=usage.get("cost"))


def settings_from(kind: type[Settings], graph: str, settings: Mapping[str, Any]) -> Settings:
    """Return `settings` as the settings of a graph.

    Raises:
        UsageError: there is no such setting, or a value is impossible.
    """
    known = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass by contract
    if unknown := sorted(set(settings) - known):
        raise UsageError(f"{graph} has no setting {unknown[0]!r}; expected: {', '.join(sorted(known))}")
    return kind(**dict(settings))


def as_json(settings: Any) -> dict[str, Any]:
    """Return settings JSON-like, what is switched off in a fixed order."""
    told = asdict(settings)
    return {**told, "disabled": sorted(told["disabled"])}
