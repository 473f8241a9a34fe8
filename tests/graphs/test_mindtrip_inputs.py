from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mindatlas.graphs import mindtrip
from mindatlas.graphs.mindtrip import (
    build_mindtrip,
)
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.mindtrip.parts.toolkit import MindTripParts, MindTripSettings
from tests.graphs.asking import SURF, ask, reply, scripted, using
from tests.knowledge import make_base, place

GOOD = reply(("石梅湾沙滩细白。", "石梅湾沙滩细白"))
BAD = reply(("石梅湾长60公里。", "石梅湾沙滩细白"))


def test_switched_off_repairs(parts: MindTripParts) -> None:
    unread = ask(using(parts, disabled=("rewrite_negation",)), SURF)
    assert (unread["exclude_entities"], unread["rewritten_query"]) == ([], SURF)
    assert ask(using(parts, disabled=("read_constraints",)), SURF)["filters"] == {}
    narrow = ask(using(parts, disabled=("widen",)), "推荐万宁评分4.9以上能冲浪的海湾")
    assert narrow["stop_reason"] == "nothing_supported"
    own, _ = scripted(using(parts, disabled=("verify_answer",)), BAD)
    assert "60" in ask(own, SURF)["answer"]


def test_settings_come_as_context_and_builtin_ones_are_the_default(places: KnowledgeBase) -> None:
    settings = MindTripSettings(kb=str(places.folder), passages=1)
    output: dict[str, Any] = build_mindtrip().compile().invoke({"question": "哪里能冲浪？"}, context=settings)
    assert len(output["passages"]) == 1


def test_without_context_the_bundled_knowledge_base_answers(bundled_home: Path) -> None:
    output: dict[str, Any] = mindtrip.graph.invoke({"question": SURF})
    assert output["stop_reason"] == "answered"
    assert all(passage["entity"] != "日月湾" for passage in output["passages"])
    assert len(output["candidates"]) == 10


@pytest.mark.parametrize("question", ["", "  ", "湾" * 10_000])
def test_bad_questions_are_refused_before_anything_runs(parts: MindTripParts, question: str) -> None:
    with pytest.raises(UsageError):
        ask(parts, question)


@pytest.mark.parametrize(
    "question", ["🏄🏄", "？？？", "啊", "1", "a", "日月湾" * 500, "<script>alert(1)</script>", "\u202e湾"]
)
def test_odd_questions_end_in_an_answer_or_a_refusal(parts: MindTripParts, question: str) -> None:
    output = ask(parts, question)
    assert output["path"][-1] in {"verify_answer", "refuse"}
    assert output["answer"]


@pytest.mark.parametrize(
    "records", [[], [place("日月湾")], [place("日月湾"), place("日月湾2", "日月湾是一个地方。")]]
)
def test_small_knowledge_bases(parts: MindTripParts, tmp_path: Path, records: list[Any]) -> None:
    from mindatlas.nodes.mindtrip.parts.ingest import delete

    base = make_base(tmp_path / "kb", records or [place("日月湾")])
    if not records:
        delete(base.folder, ["日月湾"])
        base = KnowledgeBase(base.folder)
    output = ask(replace(parts, knowledge_base=lambda: base), "日月湾怎么样？")
    assert output["stop_reason"] == ("answered" if records else "nothing_supported")
