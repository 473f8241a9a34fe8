"""Whether a draft may become a case: right by the schema, and with something to score."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator

from mindatlas.nodes.errors import UsageError

_SCORED = {"mindtrip": ("expected_context", "expected_entities", "must_refuse")}


def checked_case(case: Mapping[str, Any], graph: str, what: str) -> dict[str, Any]:
    """Return `case` when it may become one of `graph`'s; `what` names it in messages.

    Raises:
        UsageError: it is no case by evals/schemas/case.json, or expects nothing that could be scored.
    """
    fault = min(_validator().iter_errors(dict(case)), key=lambda error: error.json_path, default=None)
    if fault is not None:
        raise UsageError(f"{what} is no case: {fault.json_path}: {fault.message}")
    needed = _SCORED.get(graph, ())
    if needed and not any(case.get(name) for name in needed):
        raise UsageError(
            f"{what} expects nothing, so it could not be scored: give one of {', '.join(needed)} with --edit"
        )
    return dict(case)


@cache
def _validator() -> Draft202012Validator:
    source = files("mindatlas.evals").joinpath("schemas", "case.json")
    return Draft202012Validator(json.loads(source.read_text(encoding="utf-8")))
