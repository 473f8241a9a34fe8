from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mindatlas.nodes.mindtrip.answer import Out, answer
from mindatlas.nodes.mindtrip.parts.answers import AnswerRequest, Claim
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from tests.nodes.mindtrip.parts.views import stored


class Listening:
    """Makes one claim and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[AnswerRequest] = []

    def answer(self, request: AnswerRequest) -> Sequence[Claim]:
        self.asked.append(request)
        return [Claim(text="t", passage_id="p", quote="q")]


def run(parts: MindTripParts, base: KnowledgeBase, **state: Any) -> Out:
    given = {
        "question": "万宁除了日月湾哪里能冲浪？", "rewritten_query": "万宁哪里能冲浪？", "exclude_entities": ["日月湾"],
        "faults": [], "attempts": 0, "passages": stored(base, "shimei"), **state,
    }  # fmt: skip
    return answer(given, parts)  # type: ignore[arg-type]


def test_claims_are_json_like_and_the_attempt_is_counted(parts: MindTripParts, places: KnowledgeBase) -> None:
    update = run(parts, places, attempts=1)
    assert update["attempts"] == 2
    assert update["claims"][0]["passage_id"] == "shimei"
    assert set(update["claims"][0]) == {"text", "passage_id", "quote"}


def test_the_answerer_is_asked_without_the_exclusion_clause_in_the_language_of_the_question(
    parts: MindTripParts, places: KnowledgeBase
) -> None:
    listening = Listening()
    own = replace(parts, answerer=lambda _: listening)
    run(own, places, faults=["a fault"], question="Where can I surf?", rewritten_query="where surf")
    (asked,) = listening.asked
    assert (asked.question, asked.language) == ("where surf", "en")
    assert (list(asked.excluded), list(asked.faults)) == (["日月湾"], ["a fault"])
    assert [passage["id"] for passage in asked.passages] == ["shimei"]
