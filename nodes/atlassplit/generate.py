"""Node: write a program, or the next one."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, NotRequired

from typing_extensions import TypedDict

from mindatlas.nodes.atlassplit.parts.code_writer import CodeDraft, CodeRequest, Mismatch, Task
from mindatlas.nodes.atlassplit.parts.rounds import failed_approaches
from mindatlas.nodes.atlassplit.parts.toolkit import AtlasSplitParts


class In(TypedDict):
    """What the node reads."""

    request: str
    files: list[dict[str, str]]
    given_code: NotRequired[str]
    asked: list[dict[str, Any]]
    task: Task
    feedback: str
    mismatch: Mismatch | None
    regenerations: int
    precheck_regenerations: int
    code: str
    column_map: dict[str, str]
    rounds: list[dict[str, Any]]
    attempts: list[dict[str, Any]]
    notices: list[str]


class Out(TypedDict):
    """What the node writes."""

    code: str
    code_before: str
    column_map: dict[str, str]
    plan: dict[str, Any] | None
    refusal: dict[str, Any] | None
    prompt_sha256: str
    regenerations: int
    precheck_regenerations: int
    notices: list[str]


def generate(state: In, parts: AtlasSplitParts) -> Out:
    """Return the writer's program for the task at hand, or its refusal; a given program stays as it is.

    After a precheck that found something this is a regeneration, counted apart from rounds.
    """
    again = int(state["mismatch"] is not None)
    given = state.get("given_code")
    request = request_of(state, parts)
    draft = CodeDraft(code=given) if given else parts.writer.write(request)
    return Out(
        code=draft.code,
        code_before=request.code,
        column_map=draft.column_map or state["column_map"],
        plan=draft.plan,
        refusal=asdict(draft.refusal) if draft.refusal else None,
        prompt_sha256=draft.prompt_sha256,
        regenerations=state["regenerations"] + again,
        precheck_regenerations=state["precheck_regenerations"] + again,
        notices=list(dict.fromkeys((*state["notices"], *draft.notices))),
    )


def request_of(state: In, parts: AtlasSplitParts) -> CodeRequest:
    """Return what the writer is asked: what the precheck found goes before what the round before found."""
    mismatch = state["mismatch"]
    return CodeRequest(
        request=state["request"],
        books=parts.reader.recall(state["files"], state["request"]),
        task=mismatch["task"] if mismatch else state["task"],
        code=mismatch["code"] if mismatch else state["code"],
        feedback=mismatch["feedback"] if mismatch else state["feedback"],
        failed_approaches=tuple(
            failed_approaches(state["rounds"], [attempt["code"] for attempt in state["attempts"]])
        ),
        must_hold=tuple(f"{item['kind']}: {item['description']}" for item in state["asked"]),
        private=parts.settings.private,
        card=parts.enabled("schema_card"),
    )
