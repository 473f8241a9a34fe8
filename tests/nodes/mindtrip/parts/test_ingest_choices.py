from __future__ import annotations

from pathlib import Path

import pytest

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts import ingest as ingesting
from mindatlas.nodes.mindtrip.parts.ingest import delete
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from tests.knowledge import (
    found_by_each_leg,
    ingest_records,
    make_base,
    place,
    snapshot,
)

OLD = [place("日月湾", "日月湾有冲浪店。"), place("石梅湾", "石梅湾很安静。")]


def test_another_embedding_is_refused_with_the_command_that_rebuilds(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    before = snapshot(folder)
    with pytest.raises(
        UsageError, match=r"'builtin:.*'builtin:v1:dim=64'.*--embedding builtin:v1:dim=64 --rebuild"
    ):
        ingest_records(folder, OLD, embedding="builtin:v1:dim=64")
    assert snapshot(folder) == before


def test_the_embedding_is_changed_by_a_rebuild_and_kept_by_auto(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    rebuilt = ingest_records(folder, OLD, embedding="builtin:v1:dim=64", rebuild=True)
    assert rebuilt.embedding == "builtin:v1:dim=64"
    assert ingest_records(folder, [*OLD, place("后海")], embedding="auto").embedding == rebuilt.embedding
    assert ingest_records(folder, OLD, embedding="auto", rebuild=True).embedding == rebuilt.embedding
    base = KnowledgeBase(folder)
    assert base.embedding.dimension == 64
    assert found_by_each_leg(base, "日月湾")["dense"] >= {"日月湾"}


def test_the_lexical_kind_is_recorded_and_kept(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    assert ingest_records(folder, OLD, lexical="bm25s").lexical == "bm25s"
    assert ingest_records(folder, [*OLD, place("后海")]).lexical == "bm25s"
    assert delete(folder, ["后海"]).lexical == "bm25s"


def test_another_lexical_kind_is_refused_with_the_command_that_rebuilds(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD, lexical="bm25s")
    with pytest.raises(UsageError, match="--lexical rank-bm25 --rebuild"):
        ingest_records(folder, [*OLD, place("后海")], lexical="rank-bm25")
    assert ingest_records(folder, OLD, lexical="rank-bm25", rebuild=True).lexical == "rank-bm25"


def test_a_large_collection_gets_the_kind_for_large_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ingesting, "LARGE", 3)
    assert ingest_records(tmp_path / "small", [place(f"地方{n}") for n in range(3)]).lexical == "rank-bm25"
    large = make_base(tmp_path / "large", [place(f"地方{n}") for n in range(4)])
    assert large.manifest.lexical == "bm25s"
    assert "地方2" in found_by_each_leg(large, "地方2")["lexical"]


def test_a_collection_may_grow_past_the_size_of_another_builtin_embedding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was chosen at the first ingest stays, whatever `auto` would choose for the size today."""
    monkeypatch.setattr("mindatlas.nodes.embeddings.find_spec", lambda _: None)
    monkeypatch.setattr(ingesting, "EXACT", 2, raising=False)
    for wanted in ("auto", "builtin"):
        folder = tmp_path / wanted
        first = ingest_records(folder, OLD, embedding=wanted)
        assert ingest_records(folder, [*OLD, place("后海")], embedding=wanted).embedding == first.embedding
