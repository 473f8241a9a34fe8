from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindatlas.nodes.errors import SetupError, StoreError, UsageError
from mindatlas.nodes.mindtrip.parts.ingest import ingest
from mindatlas.nodes.mindtrip.parts.knowledge_base import (
    MANIFEST,
    KnowledgeBase,
    Library,
    Manifest,
    list_knowledge_bases,
    locate,
    require_name,
)
from tests.knowledge import PLACES, ingest_records, make_base, place, write_records

HOTELS = [
    place("椰林酒店", 周边景点=["日月湾", "石梅湾"]),
    place("海角酒店", 周边景点=["石梅湾"]),
    place("日月湾", 周边酒店=["椰林酒店"]),
    place("石梅湾"),
]


@pytest.fixture(scope="module")
def hotels(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return make_base(tmp_path_factory.mktemp("hotels") / "kb", HOTELS)


def ids(base: KnowledgeBase, rows: list[int]) -> list[str]:
    return [base.ids[row] for row in rows]


def test_a_name_lies_under_home_and_a_path_where_it_says(home: Path) -> None:
    assert locate("trips") == home / "kb" / "trips"
    assert locate("./trips") == Path("./trips")
    assert locate("some/trips") == Path("some/trips")
    assert locate("/abs/trips") == Path("/abs/trips")
    assert locate("~/trips") == Path.home() / "trips"


def test_a_folder_beside_that_holds_a_knowledge_base_is_taken_for_its_name(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trips").mkdir()
    assert locate("trips") == home / "kb" / "trips"
    (tmp_path / "trips" / MANIFEST).write_text("{}")
    assert locate("trips") == Path("trips")


def test_a_missing_knowledge_base_names_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match=r"mindatlas ingest PATH --kb .*nowhere"):
        KnowledgeBase(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["", " ", "\n"])
def test_a_knowledge_base_has_a_name(name: str) -> None:
    with pytest.raises(UsageError, match="empty name"):
        require_name(name)
    assert require_name("trips") == "trips"


def test_what_is_opened_is_what_was_ingested(places: KnowledgeBase) -> None:
    assert places.ids == sorted(record["id"] for record in PLACES)
    assert places.manifest.passages == len(places.passages) == len(PLACES)
    assert places.rows["riyue"] == places.ids.index("riyue")
    assert places.dense.scores(
        places.embedding.query("冲浪"), np.ones(len(PLACES), dtype=bool), top=10
    ).shape == (len(PLACES),)
    assert places.lexical.scores(places.terms("冲浪")).shape == (len(PLACES),)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("日月湾", ["riyue"]),
        ("日月灣", ["riyue"]),
        ("RIYUE BAY", ["riyue"]),
        ("故宫", ["palace"]),
        ("紫禁城", ["palace"]),
        ("故宫角楼咖啡", ["cafe"]),
        ("角楼", []),
        ("万宁", []),
        ("", []),
    ],
)
def test_rows_named(places: KnowledgeBase, name: str, expected: list[str]) -> None:
    assert ids(places, places.rows_named(name)) == expected


def test_the_name_of_a_subject_brings_all_its_passages_and_branches(tmp_path: Path) -> None:
    base = make_base(
        tmp_path / "kb",
        [
            {"id": "1", "title": "日月湾", "aliases": ["Riyue Bay"], "text": "海湾。"},
            {"id": "2", "title": "怎么去日月湾", "entity": "日月湾", "text": "坐车。"},
            {"id": "3", "title": "全聚德(王府井店)", "text": "烤鸭。"},
            {"id": "4", "title": "全聚德(前门店)", "text": "烤鸭。"},
        ],
    )
    assert ids(base, base.rows_named("Riyue Bay")) == ["1", "2"]
    assert ids(base, base.rows_named("全聚德")) == ["3", "4"]
    assert ids(base, base.rows_named("全聚德(前门店)")) == ["4"]


@pytest.mark.parametrize(
    ("term", "count"), [("冲浪", 3), ("故宫", 2), ("beach", 0), ("cafe", 1), ("不在", 0)]
)
def test_document_frequency_counts_passages(places: KnowledgeBase, term: str, count: int) -> None:
    assert places.document_frequency(term) == count


def test_english_name(places: KnowledgeBase, hotels: KnowledgeBase) -> None:
    assert places.english_name("日月湾") == "日月湾 (Riyue Bay)"
    assert hotels.english_name("日月湾") == "日月湾"
    assert hotels.english_name("Nowhere") == "Nowhere"


def test_relations_are_followed_both_ways(hotels: KnowledgeBase) -> None:
    assert ids(hotels, hotels.related("椰林酒店")) == ["日月湾", "石梅湾"]
    assert ids(hotels, hotels.related("石梅湾")) == ["椰林酒店", "海角酒店"]
    assert hotels.related("没有的") == []
    assert hotels.has_relations


def test_a_base_without_lists_of_entities_has_no_relations(places: KnowledgeBase) -> None:
    assert not places.has_relations
    assert places.related("日月湾") == []


def test_mask(places: KnowledgeBase) -> None:
    assert places.mask([]).tolist() == [False] * len(PLACES)
    assert places.mask([0, 2]).nonzero()[0].tolist() == [0, 2]


def test_folded_text_is_the_indexed_text_for_matching(places: KnowledgeBase) -> None:
    assert "riyue bay" in places.folded(places.rows["riyue"])


def damaged(folder: Path, name: str, content: str) -> None:
    (folder / name).write_text(content, encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (MANIFEST, '{"format": 99}'),
        (MANIFEST, '{"format": 1, "generation": '),
        (MANIFEST, '{"format": 1, "colour": "red"}'),
        (MANIFEST, "[]"),
        (MANIFEST, ""),
        ("generation-1/passages.jsonl", '{"id": "a"'),
        ("generation-1/passages.jsonl", "{}\n"),
    ],
)
def test_a_damaged_or_newer_knowledge_base_is_named(tmp_path: Path, name: str, content: str) -> None:
    ingest_records(tmp_path / "kb", [place("日月湾")])
    damaged(tmp_path / "kb", name, content)
    with pytest.raises(StoreError, match="kb"):
        KnowledgeBase(tmp_path / "kb")


def test_a_knowledge_base_that_lost_its_files_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    folder.mkdir()
    (folder / MANIFEST).write_text(Manifest(generation=3).to_json())
    with pytest.raises(StoreError, match="kb"):
        KnowledgeBase(folder)


def test_a_newer_format_says_to_upgrade_and_is_not_written_to(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, [place("日月湾")])
    manifest = {**json.loads((folder / MANIFEST).read_text()), "format": 2}
    damaged(folder, MANIFEST, json.dumps(manifest))
    before = sorted(path.relative_to(folder) for path in folder.rglob("*"))
    for use in (KnowledgeBase, lambda path: ingest_records(path, [place("石梅湾")])):
        with pytest.raises(StoreError, match="upgrade mindatlas"):
            use(folder)
    assert sorted(path.relative_to(folder) for path in folder.rglob("*")) == before


def test_a_library_gives_one_object_until_a_newer_generation_appears(tmp_path: Path) -> None:
    library = Library()
    folder = tmp_path / "kb"
    ingest_records(folder, [place("日月湾")])
    first = library.get(str(folder))
    assert library.get(str(folder)) is first
    ingest_records(folder, [place("日月湾"), place("石梅湾")])
    second = library.get(str(folder))
    assert second is not first
    assert second.ids == ["日月湾", "石梅湾"]
    assert first.ids == ["日月湾"]
    assert first.lexical.scores(first.terms("日月湾")).shape == (1,)
    assert first.dense.scores(first.embedding.query("日月湾"), np.ones(1, dtype=bool), top=1)[0] > 0


def test_a_library_names_a_missing_knowledge_base(home: Path) -> None:
    with pytest.raises(SetupError, match="trips"):
        Library().get("trips")


def test_knowledge_bases_are_listed_by_name(home: Path) -> None:
    assert list_knowledge_bases() == []
    source = write_records(home.parent / "a.jsonl", [place("日月湾")])
    for name in ("b", "a"):
        ingest(locate(name), [source], embedding="builtin")
    (home / "kb" / "no-base").mkdir()
    assert list_knowledge_bases() == ["a", "b"]


@pytest.mark.parametrize("size", [1, 2, 4])
def test_small_knowledge_bases_answer_in_every_leg(tmp_path: Path, size: int) -> None:
    names = ["日月湾", "石梅湾", "后海", "香水湾"][:size]
    base = make_base(tmp_path / "kb", [place(name) for name in names])
    everything = np.ones(size, dtype=bool)
    for name in names:
        row = base.rows[name]
        for scores in (
            base.lexical.scores(base.terms(name)),
            base.dense.scores(base.embedding.query(name), everything, top=10),
        ):
            assert int(np.argmax(scores)) == row
            assert scores[row] > 0


def test_the_manifest_names_how_the_base_was_built(places: KnowledgeBase) -> None:
    manifest: dict[str, Any] = json.loads((places.folder / MANIFEST).read_text(encoding="utf-8"))
    assert manifest["embedding"].startswith("builtin:")
    assert manifest["lexical"] == "rank-bm25"
    assert manifest["format"] == 1
    assert Manifest.read(places.folder) == places.manifest
