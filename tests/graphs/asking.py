"""Asks MindTrip with parts of a test's own."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from mindatlas.graphs.mindtrip import (
    build_mindtrip,
)
from mindatlas.nodes.mindtrip.parts.chat_answerer import ChatAnswerer
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from tests.scripted import ScriptedChatModel

READ = ["resolve_followup", "rewrite_negation", "read_constraints"]
FIND = ["retrieve", "rerank"]
ANSWER = ["answer", "verify_answer"]
SURF = "万宁除了日月湾还有什么冲浪的地方？"
OUTPUT = {
    "question", "model", "prompt_versions", "rewritten_query", "exclude_entities", "exclude_reason", "filters", "answer",
    "citations", "passages", "candidates", "set_aside", "notices", "stop_reason", "path", "timings_ms", "usage",
}  # fmt: skip


def ask(parts: MindTripParts, question: str, **inputs: Any) -> dict[str, Any]:
    output: dict[str, Any] = build_mindtrip(parts).compile().invoke({"question": question, **inputs})  # type: ignore[call-overload]
    return output


def using(parts: MindTripParts, **settings: Any) -> MindTripParts:
    return replace(parts, settings=replace(parts.settings, **settings))


def entities(output: dict[str, Any]) -> list[str]:
    return [passage["entity"] for passage in output["passages"]]


def scripted(parts: MindTripParts, *replies: str) -> tuple[MindTripParts, ScriptedChatModel]:
    """Return the parts with a chat model that answers with `replies` in turn."""
    model = ScriptedChatModel(replies=list(replies))
    return replace(parts, answerer=lambda _: ChatAnswerer(model)), model


def reply(*sentences: tuple[str, str]) -> str:
    """Return a reply of sentences with quotes, all from the first passage."""
    found = [{"text": text, "passage": 1, "quote": quote} for text, quote in sentences]
    return json.dumps({"sentences": found}, ensure_ascii=False)
