from __future__ import annotations

from dataclasses import replace
from typing import Any

from mindatlas.nodes.mindtrip.parts.conditions import Condition
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.retrieve import Out, retrieve


def run(parts: MindTripParts, query: str, **state: Any) -> Out:
    empty: dict[str, Any] = {
        "conditions": [], "exclude_entities": [], "already_shown": [], "named": [], "near": []
    }  # fmt: skip
    return retrieve({"rewritten_query": query, **empty, **state}, parts)  # type: ignore[typeddict-item]


def test_candidates_and_their_ranks(parts: MindTripParts) -> None:
    update = run(parts, "冲浪的海湾")
    assert update["candidates"] == [hit["id"] for hit in update["hits"]]
    assert {"riyue", "shimei", "houhai"} <= set(update["candidates"])
    assert update["set_aside"] == []
    assert all(set(hit["ranks"]) == {"bm25", "dense", "metadata"} for hit in update["hits"])


def test_each_reason_for_leaving_out_is_told(parts: MindTripParts) -> None:
    update = run(parts, "冲浪的海湾", exclude_entities=["Riyue Bay"], already_shown=["石梅湾"])
    assert "riyue" not in update["candidates"]
    assert "shimei" not in update["candidates"]
    aside = {entry["id"]: entry for entry in update["set_aside"]}
    assert aside["riyue"]["entity"] == "日月湾"
    assert "Riyue Bay" in aside["riyue"]["why"]
    assert "shown" in aside["shimei"]["why"]


def test_conditions_hold(parts: MindTripParts) -> None:
    city = Condition(fields=("city",), operator="equal", values=("三亚",), strength="hard", surface="三亚")
    assert run(parts, "冲浪的海湾", conditions=[city.to_dict()])["candidates"] == ["houhai"]


def test_nothing_is_found(parts: MindTripParts) -> None:
    assert run(parts, "🏄") == Out(candidates=[], hits=[], set_aside=[], lost=[])


def test_at_most_as_many_candidates_as_the_settings_say(parts: MindTripParts) -> None:
    two = replace(parts, settings=replace(parts.settings, candidates=2))
    assert len(run(two, "冲浪的海湾")["candidates"]) == 2


def test_whose_answer_an_exclusion_cost(parts: MindTripParts) -> None:
    assert run(parts, "哪里有冲浪店和客栈", exclude_entities=["日月湾"])["lost"] == ["日月湾"]
    assert run(parts, "哪里有滑雪场", exclude_entities=["日月湾"])["lost"] == []


def test_setting_aside_can_be_switched_off(parts: MindTripParts) -> None:
    off = replace(parts, settings=replace(parts.settings, disabled=("set_aside_excluded",)))
    update = run(off, "冲浪的海湾", exclude_entities=["Riyue Bay"], already_shown=["石梅湾"])
    assert "riyue" in update["candidates"]
    assert [entry["id"] for entry in update["set_aside"]] == ["shimei"]
