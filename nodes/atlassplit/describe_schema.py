"""Node: read the workbooks, and say what is in them."""

from __future__ import annotations

import platform
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version as installed_version
from typing import Any, NotRequired

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.asked import to_state
from mindatlas.nodes.atlassplit.parts.assertions import from_dicts
from mindatlas.nodes.atlassplit.parts.output_path import output_path
from mindatlas.nodes.atlassplit.parts.reading_notices import reading_notices
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts, AtlasSplitSettings
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.models import model_kind
from mindatlas.prompts import version as prompt_version

LONGEST_REQUEST = 4000  # characters
UNCONFINED = "Programs run with limits, but not kept from files and network (--sandbox subprocess)."
PROMPTS = ("generate", "repair", "repair_columns", "change_strategy", "optimize", "propose_assertions")


class In(TypedDict):
    """What the node reads."""

    workbooks: list[str]
    request: str
    assertions: NotRequired[list[dict[str, Any]]]
    given_code: NotRequired[str]
    save_as: NotRequired[str]
    run_id: NotRequired[str]


class Out(TypedDict):
    """What the node writes: what was read, and a clean slate for everything that belongs to one run."""

    run_id: str
    model: str
    prompt_versions: dict[str, str]
    versions: dict[str, str]
    files: list[dict[str, str]]
    schema: str
    asked: list[dict[str, Any]]
    rounds_allowed: int
    regenerations_allowed: int
    approval_wanted: bool
    task: str
    feedback: str
    mismatch: dict[str, Any] | None
    regenerations: int
    precheck: list[dict[str, Any]]
    precheck_regenerations: int
    code: str
    code_before: str
    plan: dict[str, Any] | None
    prompt_sha256: str
    column_map: dict[str, str]
    refusal: dict[str, Any] | None
    approved: list[str]
    declined: bool
    execution: dict[str, Any] | None
    executions: int
    second: dict[str, Any] | None
    findings: str
    passed: bool
    assertions: list[dict[str, Any]]
    error_type: str | None
    column_misnamed: bool
    evidence: str
    next_step: str
    rounds: list[dict[str, Any]]
    attempts: list[dict[str, Any]]
    result: dict[str, Any] | None
    output: str | None
    sandbox: str
    status: str
    notices: list[str]
    stop_reason: str


def describe_schema(state: In, parts: AtlasSplitParts) -> Out:
    """Return the schema card of the workbooks, and what a run starts with.

    Raises:
        UsageError: The request is empty or too long, or an assertion is malformed.
        FileReadError: A workbook cannot be read.
    """
    request = _checked(state["request"], has_code=bool(state.get("given_code")))
    books = parts.reader.read(state["workbooks"], request)
    output_path(state.get("save_as"), state["workbooks"])  # refuses before any work what could not be written
    settings = parts.settings
    return Out(
        run_id=state.get("run_id") or uuid.uuid4().hex[:12],
        model=settings.model,
        prompt_versions=_prompt_versions(settings.model),
        versions=_versions(),
        files=[asdict(file) for file in books.files],
        schema=books.card.to_text(private=settings.private),
        asked=to_state(from_dicts(_asked(state), "user")),
        rounds_allowed=1 if state.get("given_code") else settings.rounds,
        regenerations_allowed=0 if state.get("given_code") else settings.regenerations,
        approval_wanted=settings.approve,
        task="generate",
        feedback="",
        mismatch=None,
        regenerations=0,
        precheck=[],
        precheck_regenerations=0,
        code="",
        code_before="",
        plan=None,
        prompt_sha256="",
        column_map={},
        refusal=None,
        approved=[],
        declined=False,
        execution=None,
        executions=0,
        second=None,
        findings="",
        passed=False,
        assertions=[],
        error_type=None,
        column_misnamed=False,
        evidence="",
        next_step="",
        rounds=[],
        attempts=[],
        result=None,
        output=None,
        sandbox=settings.sandbox,
        status="",
        notices=[*books.card.notices, *reading_notices(books.card.active_table), *_told_of(settings)],
        stop_reason="",
    )


def _checked(request: object, *, has_code: bool) -> str:
    text = request.strip() if isinstance(request, str) else ""
    if not text and not has_code:
        raise UsageError("The request is empty; write what is to be done with the workbook")
    if len(text) > LONGEST_REQUEST:
        raise UsageError(f"The request has {len(text):,} characters; at most {LONGEST_REQUEST:,} are read")
    return text


def _asked(state: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """Return the assertions the caller gave, not the checked ones that a run before left in the state."""
    return [item for item in state.get("assertions") or [] if "passed" not in item]


def _prompt_versions(model: str) -> dict[str, str]:
    """Return the version of each prompt that a run with this model may render; rules render none."""
    if model_kind(model) != "chat":
        return {}
    return {f"atlassplit/{name}": prompt_version(f"atlassplit/{name}") for name in PROMPTS}


def _versions() -> dict[str, str]:
    packages = ("mindatlas", "pandas", "numpy", "pyarrow", "openpyxl", "python-calamine", "xlsxwriter")
    return {"python": platform.python_version(), **{name: installed_version(name) for name in packages}}


def _told_of(settings: AtlasSplitSettings) -> list[str]:
    """Return what the user must know about how this run works."""
    told = {
        "Simulated faults, not a language model.": model_kind(settings.model) == "faulty",
        UNCONFINED: settings.sandbox == "subprocess",
    }
    return [text for text, holds in told.items() if holds]
