from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.read_constraints import Out, read_constraints
from tests.knowledge import make_base, place


def run(parts: MindTripParts, question: str, **state: Any) -> Out:
    inherited = {"conditions": state.pop("before", []), "exclude_entities": []}
    given: Any = {
        "rewritten_query": question, "asked_filters": {}, "inherited": inherited, "near": [], **state
    }  # fmt: skip
    return read_constraints(given, parts)


def strengths(update: Out) -> dict[str, str]:
    return {"/".join(condition["fields"]): condition["strength"] for condition in update["conditions"]}


def test_conditions_and_filters_that_hold(parts: MindTripParts) -> None:
    update = run(parts, "万宁评分4.5以上的海湾推荐，能冲浪的")
    assert strengths(update) == {"city": "hard", "category": "firm", "rating": "firm", "tags": "soft"}
    assert update["filters"] == {"city": "万宁", "category": "海湾", "rating": {"min": 4.5}}
    assert update["shown_filters"] == update["filters"]


def test_the_callers_filters_come_first_and_are_hard(parts: MindTripParts) -> None:
    update = run(parts, "哪里能冲浪", asked_filters={"city": "三亚", "price": "<=100"})
    assert [condition["strength"] for condition in update["conditions"]][:2] == ["filter", "filter"]
    assert update["filters"]["city"] == "三亚"


def test_a_filter_on_an_unknown_field_is_refused(parts: MindTripParts) -> None:
    with pytest.raises(UsageError, match=r"'weather'.*city"):
        run(parts, "哪里能冲浪", asked_filters={"weather": "晴"})


def test_named_subjects(parts: MindTripParts) -> None:
    assert run(parts, "Riyue Bay怎么样")["named"] == ["日月湾"]


def test_a_follow_up_keeps_the_conditions_of_the_turn_before(parts: MindTripParts) -> None:
    before = run(parts, "万宁评分4.5以上的海湾推荐")["conditions"]
    kept = run(parts, "还有别的吗", before=before)
    assert strengths(kept) == strengths({**kept, "conditions": before})
    moved = run(parts, "三亚的呢", before=before)
    assert moved["filters"]["city"] == "三亚"


def test_a_follow_up_that_asks_anew_keeps_the_place_only(parts: MindTripParts) -> None:
    before = run(parts, "万宁评分4.5以上的海湾推荐")["conditions"]
    anew = run(parts, "推荐个酒店", before=before)
    assert anew["filters"] == {"city": "万宁", "category": "酒店"}


def test_the_filters_of_the_caller_are_inherited_as_such(parts: MindTripParts) -> None:
    before = run(parts, "哪里能冲浪", asked_filters={"price": "<=100"})["conditions"]
    assert strengths(run(parts, "推荐个酒店", before=before))["price"] == "filter"


def test_the_surroundings_are_those_its_records_list(tmp_path: Path, parts: MindTripParts) -> None:
    base = make_base(
        tmp_path / "kb", [place("日月湾", 周边=["椰林酒店"]), place("椰林酒店", 周边=["日月湾"])]
    )
    update = run(with_base(parts, base), "日月湾附近有什么酒店")
    assert (update["near"], update["named"]) == (["日月湾"], [])
    assert run(with_base(parts, base), "附近的酒店", near=["椰林酒店"])["near"] == ["椰林酒店"]


def with_base(parts: MindTripParts, base: KnowledgeBase) -> MindTripParts:
    return replace(parts, knowledge_base=lambda: base)


def test_where_no_record_says_what_is_near_the_town_is_meant(parts: MindTripParts) -> None:
    update = run(parts, "日月湾附近有什么海湾")
    assert update["near"] == []
    assert update["filters"]["city"] == "万宁"
    assert strengths(update)["city"] == "hard"
    assert run(parts, "日月湾附近，三亚有什么海湾")["filters"]["city"] == "三亚"


def test_the_repair_can_be_switched_off_and_the_callers_filters_stay(parts: MindTripParts) -> None:
    off = replace(parts, settings=replace(parts.settings, disabled=("read_constraints",)))
    update = run(off, "万宁评分4.5以上的海湾推荐", asked_filters={"city": "三亚"})
    assert update["filters"] == {"city": "三亚"}
    assert (update["named"], update["near"]) == ([], [])


def test_conditions_are_not_repeated(parts: MindTripParts) -> None:
    before = run(parts, "万宁有什么海湾")["conditions"]
    fields = [
        tuple(condition["fields"]) for condition in run(parts, "万宁有什么海湾", before=before)["conditions"]
    ]
    assert len(fields) == len(set(fields))
