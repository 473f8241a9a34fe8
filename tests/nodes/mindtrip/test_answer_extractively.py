from __future__ import annotations

from typing import Any

from mindatlas.nodes.mindtrip.answer_extractively import Out, answer_extractively
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from tests.nodes.mindtrip.parts.views import stored, view


def run(parts: MindTripParts, passages: list[Any], question: str = "哪里能冲浪？", **state: Any) -> Out:
    given = {
        "question": question, "rewritten_query": question, "exclude_entities": [], "faults": ["A fault."],
        "attempts": 2, "passages": passages, "notices": ["before"], "shown_filters": {}, **state,
    }  # fmt: skip
    return answer_extractively(given, parts)  # type: ignore[arg-type]


def test_sentences_of_the_passages_with_their_citations(parts: MindTripParts, places: KnowledgeBase) -> None:
    update = run(parts, stored(places, "riyue", "houhai"))
    assert update["stop_reason"] == "answered_extractively"
    assert [claim["passage_id"] for claim in update["claims"]] == ["riyue", "houhai"]
    for claim in update["claims"]:
        assert claim["quote"] in places.passages[places.rows[claim["passage_id"]]].text
        assert f"{claim['text']} [{claim['passage_id']}]" in update["answer"]
    assert len(update["citations"]) == 2
    assert "A fault." in update["notices"][1]


def test_exclusion_and_volatile_facts_are_noted(parts: MindTripParts, places: KnowledgeBase) -> None:
    update = run(parts, stored(places, "palace"), "故宫门票多少钱？", exclude_entities=["日月湾"])
    assert "日月湾" in update["answer"].splitlines()[-2]
    assert "核实" in update["answer"].splitlines()[-1]


def test_no_sentence_to_quote_is_said_and_is_no_answer(parts: MindTripParts) -> None:
    update = run(parts, [view("x", "日月湾很好。", entity="石梅湾")], exclude_entities=["日月湾"])
    assert (update["claims"], update["citations"]) == ([], [])
    assert update["answer"]
    assert update["stop_reason"] not in {"answered", "answered_extractively"}
