from __future__ import annotations

from dataclasses import replace
from typing import Any

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.mindtrip.parts.negation import ExclusionReading
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts
from mindatlas.nodes.mindtrip.rewrite_negation import Out, rewrite_negation

QUESTION = "万宁除了日月湾还有什么冲浪的地方？"


def run(parts: MindTripParts, question: str, inherited: list[str] | None = None) -> Out:
    state: dict[str, Any] = {"conditions": [], "exclude_entities": inherited or []}
    return rewrite_negation({"resolved_question": question, "inherited": state}, parts)


def test_the_exclusion_leaves_the_query_and_is_explained(parts: MindTripParts) -> None:
    update = run(parts, QUESTION)
    assert update["rewritten_query"] == "万宁还有什么冲浪的地方？"
    assert update["exclude_entities"] == ["日月湾"]
    assert "日月湾" in update["exclude_reason"]


def test_a_question_without_exclusion_is_left_as_it_is(parts: MindTripParts) -> None:
    assert run(parts, "万宁哪里能冲浪？") == Out(
        rewritten_query="万宁哪里能冲浪？", exclude_entities=[], exclude_reason=""
    )


def test_what_was_excluded_before_stays_excluded_once(parts: MindTripParts) -> None:
    assert run(parts, QUESTION, ["后海", "日月湾"])["exclude_entities"] == ["后海", "日月湾"]


def test_the_repair_can_be_switched_off(parts: MindTripParts) -> None:
    off = replace(parts, settings=replace(parts.settings, disabled=("rewrite_negation",)))
    assert run(off, QUESTION, ["后海"]) == Out(
        rewritten_query=QUESTION, exclude_entities=["后海"], exclude_reason=""
    )


class Whole:
    """A reader of a host's own, which is given the names of the knowledge base."""

    def read(self, question: str, entities: EntityIndex) -> ExclusionReading:
        return ExclusionReading(
            rewritten_query=question,
            exclude_entities=tuple(mention.surface for mention in entities.find(question)),
            keep_only=(),
            reason="mine",
            reading="excluded",
        )


def test_a_reader_of_the_hosts_own(parts: MindTripParts) -> None:
    update = run(replace(parts, negation=Whole()), "日月湾和Houhai Village")
    assert update["exclude_entities"] == ["日月湾", "Houhai Village"]
    assert update["exclude_reason"] == "mine"
