from __future__ import annotations

from typing import Any

from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.refuse import Out, refuse


def run(parts: MindTripParts, question: str, *lost: str, **more: Any) -> Out:
    state: dict[str, Any] = {
        "question": question, "rewritten_query": question, "conditions": [], "lost": list(lost), "named": [],
        "near": [], "already_shown": ["后海"], "exclude_entities": list(lost), "shown_filters": {"city": "万宁"}, **more,
    }  # fmt: skip
    return refuse(state, parts)  # type: ignore[arg-type]


def test_nothing_supports_an_answer(parts: MindTripParts) -> None:
    update = run(parts, "哪里有滑雪场")
    assert update["stop_reason"] == "nothing_supported"
    assert (update["passages"], update["citations"]) == ([], [])
    assert "mindatlas ingest" in update["answer"]
    assert update["filters"] == {"city": "万宁"}


def test_an_exclusion_that_left_nothing_is_named_and_offered_to_be_lifted(parts: MindTripParts) -> None:
    update = run(parts, "哪里有冲浪店和客栈", "日月湾")
    assert update["stop_reason"] == "exclusion_left_nothing"
    assert "也包括日月湾" in update["answer"]
    assert update["passages"] == []


def test_a_refusal_is_in_the_language_of_the_question(parts: MindTripParts) -> None:
    assert run(parts, "Any ski slopes?")["answer"].isascii()
    assert "also include" in run(parts, "Where to surf?", "日月湾")["answer"]


def test_the_conversation_goes_on_from_a_refused_question(parts: MindTripParts) -> None:
    turn = run(parts, "哪里有冲浪店", "日月湾", turn={"focus": ["石梅湾"]})["turn"]
    assert (turn["query"], turn["exclude_entities"], turn["shown"]) == ("哪里有冲浪店", ["日月湾"], ["后海"])
    assert turn["focus"] == ["石梅湾"]
