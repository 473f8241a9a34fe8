from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from mindatlas.nodes.errors import SetupError, UsageError
from mindatlas.nodes.mindtrip.parts.chat_answerer import ChatAnswerer
from mindatlas.nodes.mindtrip.parts.chat_negation import ChatNegationReader
from mindatlas.nodes.mindtrip.parts.extractive_answerer import ExtractiveAnswerer
from mindatlas.nodes.mindtrip.parts.faulty_answerer import FaultyAnswerer
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.negation import RuleNegationReader
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripSettings, open_parts


def test_settings_come_back_from_json() -> None:
    settings = MindTripSettings(kb="trips", disabled=("rerank",), model="faulty:3", passages=2)
    assert MindTripSettings(**json.loads(json.dumps(asdict(settings)))) == settings
    assert hash(settings) == hash(MindTripSettings(**json.loads(json.dumps(asdict(settings)))))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"candidates": 0}, "'candidates' must lie between 1 and 10"),
        ({"candidates": 11}, "between 1 and 10"),
        ({"passages": 4}, "'passages' must lie between 1 and 3"),
        ({"attempts": 3}, "'attempts' must lie between 1 and 2"),
        ({"kb": " "}, "empty name"),
        ({"model": "bogus"}, "bogus"),
        ({"disabled": ("rerank", "everything")}, "everything"),
    ],
)
def test_settings_out_of_range_are_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        MindTripSettings(**wrong)


def test_builtin_parts_open_nothing(places: KnowledgeBase) -> None:
    parts = open_parts(MindTripSettings(kb=str(places.folder)))
    assert isinstance(parts.negation, RuleNegationReader)
    assert isinstance(parts.answerer(places), ExtractiveAnswerer)
    assert (parts.reranker, parts.reranker_name, parts.reranker_notice) == (None, "builtin", "")


def test_faulty_parts_wrap_the_builtin_answerer(places: KnowledgeBase) -> None:
    parts = open_parts(MindTripSettings(kb=str(places.folder), model="faulty:1"))
    assert isinstance(parts.answerer(places), FaultyAnswerer)
    assert isinstance(parts.negation, RuleNegationReader)


def test_a_chat_model_reads_and_answers(places: KnowledgeBase) -> None:
    settings = MindTripSettings(kb=str(places.folder), model="openai:any", base_url="http://127.0.0.1:9/v1")
    parts = open_parts(settings)
    assert isinstance(parts.negation, ChatNegationReader)
    assert isinstance(parts.answerer(places), ChatAnswerer)


def test_a_missing_key_is_named_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(SetupError, match="OPENAI_API_KEY"):
        open_parts(MindTripSettings(model="openai:some-model"))


def test_parts_are_opened_once_for_equal_settings(places: KnowledgeBase) -> None:
    one, two = (open_parts(MindTripSettings(kb=str(places.folder), passages=2)) for _ in range(2))
    assert one is two


def test_a_missing_knowledge_base_is_an_error_when_it_is_used(home: Path) -> None:
    parts = open_parts(MindTripSettings(kb="nowhere"))
    with pytest.raises(SetupError, match="mindatlas ingest"):
        parts.knowledge_base()


def test_repairs_are_enabled_unless_they_are_switched_off() -> None:
    parts = open_parts(MindTripSettings(disabled=("rerank", "widen")))
    assert not parts.enabled("rerank")
    assert not parts.enabled("widen")
    assert parts.enabled("verify_answer")
