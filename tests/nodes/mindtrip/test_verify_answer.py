from __future__ import annotations

from dataclasses import replace
from typing import Any

from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.verify_answer import Out, verify_answer
from tests.nodes.mindtrip.parts.views import stored

GOOD = {"text": "石梅湾沙滩细白。", "passage_id": "shimei", "quote": "石梅湾沙滩细白"}
BAD = {"text": "石梅湾长60公里。", "passage_id": "shimei", "quote": "石梅湾沙滩细白"}


def run(parts: MindTripParts, base: KnowledgeBase, *claims: dict[str, str], **state: Any) -> Out:
    given = {
        "question": "万宁除了日月湾哪里能冲浪？", "rewritten_query": "万宁哪里能冲浪？", "exclude_entities": ["日月湾"],
        "passages": stored(base, "shimei"), "already_shown": ["后海"], "conditions": [], "named": [], "near": [],
        "shown_filters": {"city": "万宁"},
        "claims": list(claims), **state,
    }  # fmt: skip
    return verify_answer(given, parts)  # type: ignore[arg-type]


def test_an_answer_that_holds_is_written_out(parts: MindTripParts, places: KnowledgeBase) -> None:
    update = run(parts, places, GOOD)
    assert update["answer"].startswith("石梅湾沙滩细白。 [shimei]")
    assert "日月湾" in update["answer"].splitlines()[-1], "how the exclusion was read is said"
    assert update["citations"] == [{"id": "shimei", "title": "石梅湾", "quote": "石梅湾沙滩细白"}]
    assert (update["faults"], update["stop_reason"]) == ([], "answered")
    assert update["filters"] == {"city": "万宁"}


def test_options_are_numbered(parts: MindTripParts, places: KnowledgeBase) -> None:
    other = {"text": "石梅湾很长。", "passage_id": "shimei", "quote": "湾长约六公里"}
    assert run(parts, places, GOOD, other)["answer"].startswith("1. ")


def test_an_answer_with_a_fault_is_none(parts: MindTripParts, places: KnowledgeBase) -> None:
    update = run(parts, places, GOOD, BAD)
    assert (update["answer"], update["citations"], update["stop_reason"]) == ("", [], "")
    (fault,) = update["faults"]
    assert "60" in fault


def test_no_claim_is_a_fault(parts: MindTripParts, places: KnowledgeBase) -> None:
    assert run(parts, places)["faults"] != []


def test_the_repair_can_be_switched_off(parts: MindTripParts, places: KnowledgeBase) -> None:
    off = replace(parts, settings=replace(parts.settings, disabled=("verify_answer",)))
    update = run(off, places, BAD)
    assert (update["faults"], update["stop_reason"]) == ([], "answered")


def test_the_turn_keeps_what_the_next_question_needs(parts: MindTripParts, places: KnowledgeBase) -> None:
    turn = run(parts, places, GOOD, named=["故宫"])["turn"]
    assert turn["query"] == "万宁哪里能冲浪？"
    assert turn["exclude_entities"] == ["日月湾"]
    assert turn["shown"] == ["后海", "石梅湾"]
    assert turn["focus"][0] == "故宫"
    assert turn["listed"] == ["石梅湾"]
