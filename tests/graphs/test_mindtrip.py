from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import END, START

from mindatlas.graphs import mindtrip
from mindatlas.graphs.mindtrip import (
    route_after_rerank,
    route_after_retrieve,
    route_after_verify_answer,
)
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from tests.graphs.asking import ANSWER, FIND, OUTPUT, READ, SURF, ask, entities
from tests.knowledge import make_base, place

FIRM = [{"strength": "firm"}]
FREE = {"may_widen": True, "widened": False, "lost": []}


@pytest.mark.parametrize(
    ("router", "state", "target"),
    [
        (route_after_retrieve, {"candidates": ["a"]}, "rerank"),
        (route_after_retrieve, {"candidates": [], "conditions": FIRM, **FREE}, "widen"),
        (route_after_retrieve, {"candidates": [], "conditions": FIRM, **FREE, "widened": True}, "refuse"),
        (route_after_retrieve, {"candidates": [], "conditions": FIRM, **FREE, "may_widen": False}, "refuse"),
        (route_after_retrieve, {"candidates": [], "conditions": FIRM, **FREE, "lost": ["日月湾"]}, "refuse"),
        (route_after_retrieve, {"candidates": [], "conditions": [{"strength": "soft"}], **FREE}, "refuse"),
        (route_after_retrieve, {"candidates": [], "conditions": [{"strength": "hard"}], **FREE}, "refuse"),
        (route_after_retrieve, {"candidates": [], "conditions": [{"strength": "filter"}], **FREE}, "refuse"),
        (route_after_retrieve, {"candidates": [], "conditions": [], **FREE}, "refuse"),
        (route_after_rerank, {"passages": [{}]}, "answer"),
        (route_after_rerank, {"passages": [], "conditions": FIRM, **FREE}, "widen"),
        (route_after_rerank, {"passages": [], "conditions": FIRM, **FREE, "widened": True}, "refuse"),
        (route_after_rerank, {"passages": [], "conditions": [], **FREE}, "refuse"),
        (route_after_verify_answer, {"faults": []}, END),
        (route_after_verify_answer, {"faults": ["f"], "claims": []}, "refuse"),
        (
            route_after_verify_answer,
            {"faults": ["f"], "claims": [{}], "attempts": 1, "attempts_allowed": 2},
            "answer_again",
        ),
        (
            route_after_verify_answer,
            {"faults": ["f"], "claims": [{}], "attempts": 2, "attempts_allowed": 2},
            "answer_extractively",
        ),
        (
            route_after_verify_answer,
            {"faults": ["f"], "claims": [{}], "attempts": 1, "attempts_allowed": 1},
            "answer_extractively",
        ),
    ],
)
def test_routers(router: Any, state: dict[str, Any], target: str) -> None:
    assert router(state) == target


EDGES = {
    (START, "resolve_followup"), ("resolve_followup", "rewrite_negation"), ("rewrite_negation", "read_constraints"),
    ("read_constraints", "retrieve"), ("retrieve", "rerank"), ("retrieve", "widen"), ("retrieve", "refuse"),
    ("widen", "retrieve"), ("rerank", "answer"), ("rerank", "widen"), ("rerank", "refuse"), ("answer", "verify_answer"),
    ("verify_answer", END), ("verify_answer", "refuse"), ("verify_answer", "answer_again"),
    ("verify_answer", "answer_extractively"), ("answer_again", "answer"), ("answer_extractively", END), ("refuse", END),
}  # fmt: skip


def test_the_drawing_shows_each_rule_as_a_node_with_its_edges() -> None:
    drawn = mindtrip.graph.get_graph()
    assert {(edge.source, edge.target) for edge in drawn.edges} == EDGES
    assert all(
        name in drawn.draw_mermaid() for name in ("widen", "refuse", "answer_again", "answer_extractively")
    )


def test_a_clean_answer(parts: MindTripParts) -> None:
    output = ask(parts, SURF)
    assert output["path"] == [*READ, *FIND, *ANSWER]
    assert output["stop_reason"] == "answered"
    assert output["exclude_entities"] == ["日月湾"]
    assert output["rewritten_query"] == "万宁还有什么冲浪的地方？"
    assert entities(output) == ["石梅湾"]
    assert "日月湾" in output["passages"][0]["text"], "a passing mention stays"
    assert output["citations"][0]["quote"] in output["passages"][0]["text"]
    assert "日月湾" not in output["answer"].splitlines()[0]
    assert {entry["entity"] for entry in output["set_aside"]} == {"日月湾"}
    assert output["filters"] == {"city": "万宁"}


def test_the_output_holds_what_the_contract_says_and_nothing_else(parts: MindTripParts) -> None:
    for question in (SURF, "万宁有滑雪场吗？"):
        output = ask(parts, question)
        assert set(output) == OUTPUT
        json.dumps(output, allow_nan=False)


def test_an_english_question_is_answered_in_english(parts: MindTripParts) -> None:
    output = ask(parts, "Where can I surf besides Riyue Bay?")
    assert output["exclude_entities"] == ["Riyue Bay"]
    assert set(entities(output)) == {"石梅湾", "后海"}
    assert "Shimei Bay" in output["answer"]
    assert "Left out" in output["answer"]


def test_nothing_found_is_widened_once_and_said(parts: MindTripParts) -> None:
    output = ask(parts, "推荐万宁评分4.9以上能冲浪的海湾")
    assert output["path"] == [*READ, "retrieve", "widen", *FIND, *ANSWER]
    assert output["stop_reason"] == "answered"
    assert set(entities(output)) == {"日月湾", "石梅湾"}
    assert any("4.9" in notice for notice in output["notices"])
    assert output["filters"] == {"city": "万宁"}


def test_nothing_supported_after_widening_is_refused(parts: MindTripParts) -> None:
    output = ask(parts, "推荐万宁评分4.9以上有滑雪缆车的海湾")
    assert output["path"].count("widen") == 1
    assert output["path"][-1] == "refuse"
    assert output["stop_reason"] == "nothing_supported"
    assert (output["passages"], output["citations"]) == ([], [])


def test_nothing_supported_is_refused(parts: MindTripParts) -> None:
    output = ask(parts, "哪里有滑雪场？")
    assert output["path"][-1] == "refuse"
    assert "widen" not in output["path"]
    assert output["stop_reason"] == "nothing_supported"
    assert output["passages"] == []
    assert output["answer"]


def test_an_exclusion_that_left_nothing_is_refused_with_an_offer(parts: MindTripParts) -> None:
    output = ask(parts, "北京除了故宫角楼咖啡还有什么喝咖啡的地方？")
    assert output["path"][-1] == "refuse"
    assert output["stop_reason"] == "exclusion_left_nothing"
    assert (output["passages"], output["citations"]) == ([], [])
    assert {entry["entity"] for entry in output["set_aside"]} == {"故宫角楼咖啡"}
    assert "也包括故宫角楼咖啡" in output["answer"]


def test_a_hard_filter_is_never_widened(parts: MindTripParts) -> None:
    output = ask(parts, "哪里能冲浪？", filters={"rating": ">=4.9"})
    assert output["stop_reason"] == "nothing_supported"
    assert "widen" not in output["path"]


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("三亚100元以内的温泉推荐", {}),
        ("哪里有温泉？", {"city": "三亚", "price": "<=100"}),
        ("三亚免费的博物馆推荐", {}),
    ],
)
def test_meeting_a_limit_alone_is_no_answer(
    bundled_home: Path, question: str, filters: dict[str, Any]
) -> None:
    """Who asks for a cheap hot spring is not helped by whatever is cheap."""
    output: dict[str, Any] = mindtrip.graph.invoke({"question": question, "filters": filters})
    subject = "温泉" if "温泉" in question else "博物"
    assert all(subject in passage["title"] + passage["text"] for passage in output["passages"])


def test_an_exclusion_that_took_nothing_relevant_does_not_keep_from_widening(
    parts: MindTripParts, tmp_path: Path
) -> None:
    base = make_base(
        tmp_path / "kb",
        [
            place("椰林酒店", "椰林酒店带泳池。", category="酒店"),
            place("海角酒店", "海角酒店带花园。", category="酒店"),
            place("深蓝海湾", "深蓝海湾有潜水店。", category="海湾"),
        ],
    )
    own = replace(parts, knowledge_base=lambda: base)
    alone = ask(own, "推荐有潜水店的酒店")
    assert "widen" in alone["path"]
    assert entities(alone) == ["深蓝海湾"]
    output = ask(own, "除了椰林酒店，推荐有潜水店的酒店")
    assert "widen" in output["path"]
    assert entities(output) == ["深蓝海湾"]
