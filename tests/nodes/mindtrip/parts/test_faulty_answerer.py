from __future__ import annotations

import pytest

from mindatlas.nodes.mindtrip.parts.answers import AnswerRequest, faults_of
from mindatlas.nodes.mindtrip.parts.extractive_answerer import ExtractiveAnswerer
from mindatlas.nodes.mindtrip.parts.faulty_answerer import FAULTS, FaultyAnswerer
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from tests.nodes.mindtrip.parts.views import request, stored


def asked(base: KnowledgeBase, *excluded: str, faults: tuple[str, ...] = ()) -> AnswerRequest:
    return request("有哪些冲浪的地方？", stored(base, "shimei", "houhai"), excluded=excluded, faults=faults)


def right(base: KnowledgeBase) -> ExtractiveAnswerer:
    return ExtractiveAnswerer(base.entities, base.english_name)


@pytest.mark.parametrize("excluded", [(), ("日月湾",)])
@pytest.mark.parametrize("seed", range(8))
def test_the_first_claim_has_a_fault_that_the_checks_find(
    places: KnowledgeBase, seed: int, excluded: tuple[str, ...]
) -> None:
    question = asked(places, *excluded)
    claims = FaultyAnswerer(right(places), seed).answer(question)
    assert faults_of(question, claims, places.entities) != []
    assert list(claims[1:]) == list(right(places).answer(question))[1:]


def test_every_fault_comes_up(places: KnowledgeBase) -> None:
    question = asked(places, "日月湾")
    first = {FaultyAnswerer(right(places), seed).answer(question)[0] for seed in range(40)}
    assert len(first) == len(FAULTS)


def test_one_seed_gives_one_fault(places: KnowledgeBase) -> None:
    one, two = (FaultyAnswerer(right(places), 3).answer(asked(places)) for _ in range(2))
    assert one == two


def test_named_faults_are_mended(places: KnowledgeBase) -> None:
    question = asked(places, faults=("The number 987654 stands nowhere.",))
    assert FaultyAnswerer(right(places), 1).answer(question) == list(right(places).answer(question))


def test_no_claim_has_no_fault(places: KnowledgeBase) -> None:
    assert list(FaultyAnswerer(right(places), 1).answer(request("有哪些？", []))) == []
