from __future__ import annotations

from typing import Any

from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.refuse import Out, refuse


def aside(name: str, entity: str) -> dict[str, str]:
    return {"id": name, "entity": entity, "why": f"excluded in the question: {entity}"}


def run(parts: MindTripParts, question: str, *set_aside: dict[str, str]) -> Out:
    state: dict[str, Any] = {
        "question": question, "rewritten_query": question, "conditions": [], "set_aside": list(set_aside)
    }  # fmt: skip
    return refuse(state, parts)  # type: ignore[arg-type]


def test_nothing_supports_an_answer(parts: MindTripParts) -> None:
    update = run(parts, "哪里有滑雪场")
    assert update["stop_reason"] == "nothing_supported"
    assert (update["passages"], update["citations"]) == ([], [])
    assert "mindatlas ingest" in update["answer"]


def test_an_exclusion_that_left_nothing_is_named_and_offered_to_be_lifted(parts: MindTripParts) -> None:
    update = run(parts, "哪里有冲浪店和客栈", aside("riyue", "日月湾"))
    assert update["stop_reason"] == "exclusion_left_nothing"
    assert "也包括日月湾" in update["answer"]
    assert update["passages"] == []


def test_an_exclusion_that_would_not_have_helped_is_not_blamed(parts: MindTripParts) -> None:
    update = run(parts, "哪里有滑雪场", aside("riyue", "日月湾"))
    assert update["stop_reason"] == "nothing_supported"
    assert "日月湾" not in update["answer"]


def test_a_refusal_is_in_the_language_of_the_question(parts: MindTripParts) -> None:
    assert run(parts, "Any ski slopes?")["answer"].isascii()
    assert "also include" in run(parts, "Where to surf: 冲浪店", aside("riyue", "日月湾"))["answer"]
