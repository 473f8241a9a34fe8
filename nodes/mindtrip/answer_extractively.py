"""Node: answer with sentences of the passages themselves, when no attempt passed the checks."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.answer import request_of
from mindatlas.nodes.mindtrip.parts.answers import PassageView, citations_of, write_out
from mindatlas.nodes.mindtrip.parts.extractive_answerer import ExtractiveAnswerer, is_volatile, kind_of
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.parts.wording import answer_notes, no_sentence
from mindatlas.nodes.text import language_of


class In(TypedDict):
    """What the node reads."""

    question: str
    rewritten_query: str
    passages: list[PassageView]
    exclude_entities: list[str]
    faults: list[str]
    attempts: int
    notices: list[str]
    shown_filters: dict[str, Any]


class Out(TypedDict):
    """What the node writes."""

    claims: list[dict[str, str]]
    answer: str
    citations: list[object]
    stop_reason: str
    notices: list[str]
    filters: dict[str, Any]


def answer_extractively(state: In, parts: MindTripParts) -> Out:
    """Return an answer of quoted sentences only, and a notice that says why."""
    base = parts.knowledge_base()
    claims = ExtractiveAnswerer(base.entities, base.english_name).answer(request_of(state))
    language = language_of(state["question"])
    notes = answer_notes(language, state["exclude_entities"], volatile=is_volatile(state["question"]))
    text = write_out(claims, notes, numbered=kind_of(state["question"]) == "options")
    return Out(
        claims=[asdict(claim) for claim in claims],
        answer=text if claims else no_sentence(language),
        citations=list(citations_of(claims, state["passages"])),
        stop_reason="answered_extractively" if claims else "nothing_supported",
        filters=state["shown_filters"],
        notices=[*state["notices"], f"Answered with quoted sentences: {' '.join(state['faults'])}"],
    )
