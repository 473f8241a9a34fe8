"""Node: make a question independent of the conversation."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.followups import Turn, resolve, turn_of_history
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.models import model_kind
from mindatlas.prompts import version

LONGEST_QUESTION = 4000  # characters


class In(TypedDict):
    """What the node reads."""

    question: str
    filters: NotRequired[dict[str, Any]]
    history: NotRequired[list[dict[str, str]]]
    turn: NotRequired[Turn | None]


class Out(TypedDict):
    """What the node writes: the question alone, and a clean slate for everything that belongs to one turn."""

    model: str
    prompt_versions: dict[str, str]
    asked_filters: dict[str, Any]
    resolved_question: str
    inherited: dict[str, Any]
    already_shown: list[str]
    near: list[str]
    exclude_entities: list[str]
    exclude_reason: str
    widened: bool
    attempts: int
    attempts_allowed: int
    may_widen: bool
    faults: list[str]
    claims: list[dict[str, str]]
    candidates: list[str]
    hits: list[dict[str, Any]]
    passages: list[Any]
    set_aside: list[dict[str, str]]
    lost: list[str]
    citations: list[Any]
    answer: str
    notices: list[str]
    stop_reason: str


def resolve_followup(state: In, parts: MindTripParts) -> Out:
    """Return the question on its own, with what it takes over from the turn before.

    Raises:
        UsageError: the question is empty, longer than 4,000 characters, or `history` has another form.
    """
    question = _checked(state["question"])
    base = parts.knowledge_base()
    turn = state.get("turn") or turn_of_history(_history(state.get("history")), base.entities)
    followup = resolve(question, turn, base.entities)
    notices = [f"Understood as a follow-up to: {followup.reason}"] if followup.reason else []
    if model_kind(parts.settings.model) == "faulty":
        notices.append("Simulated faults, not a language model.")
    return Out(
        model=parts.settings.model,
        prompt_versions=_prompt_versions(parts),
        asked_filters=state.get("filters") or {},
        resolved_question=followup.question,
        inherited={
            "conditions": list(turn["conditions"]) if turn and followup.inherits_conditions else [],
            "exclude_entities": list(followup.exclude_entities),
        },
        already_shown=list(followup.already_shown),
        near=list(followup.near),
        exclude_entities=[],
        exclude_reason="",
        widened=False,
        attempts=0,
        attempts_allowed=parts.settings.attempts,
        may_widen=parts.enabled("widen"),
        faults=[],
        claims=[],
        candidates=[],
        hits=[],
        passages=[],
        set_aside=[],
        lost=[],
        citations=[],
        answer="",
        notices=[*notices, *([parts.reranker_notice] if parts.reranker_notice else [])],
        stop_reason="",
    )


def _prompt_versions(parts: MindTripParts) -> dict[str, str]:
    """Return the version of each prompt that a run with these parts renders; rules render none."""
    if model_kind(parts.settings.model) != "chat":
        return {}
    return {name: version(name) for name in ("mindtrip/answer", "mindtrip/rewrite_negation")}


def _history(messages: Any) -> list[dict[str, str]]:
    """Return a conversation held elsewhere, checked: `{"role", "content"}` objects with text."""
    for message in messages or []:
        texts = [message.get("role"), message.get("content")] if isinstance(message, dict) else [None]
        if not all(isinstance(text, str) for text in texts):
            raise UsageError(
                f"'history' must hold objects with text under 'role' and 'content', not {message!r}"
            )
    return list(messages or [])


def _checked(question: str) -> str:
    text = question.strip() if isinstance(question, str) else ""
    if not text:
        raise UsageError("The question is empty; write what you want to know")
    if len(text) > LONGEST_QUESTION:
        raise UsageError(f"The question has {len(text):,} characters; at most {LONGEST_QUESTION:,} are read")
    return text
