from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mindatlas.nodes.embeddings import open_embedding
from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.mindtrip.parts import ingest as ingesting
from mindatlas.nodes.mindtrip.parts.ingest import delete, ingest
from mindatlas.nodes.mindtrip.parts.knowledge_base import MANIFEST, KnowledgeBase
from tests.knowledge import (
    Record,
    found_by_each_leg,
    ingest_records,
    make_base,
    place,
    snapshot,
    write_records,
)

OLD = [place("日月湾", "日月湾有冲浪店。"), place("石梅湾", "石梅湾很安静。")]


def test_the_report_counts_documents(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    first = ingest_records(folder, OLD)
    assert (first.added, first.changed, first.deleted, first.unchanged) == (2, 0, 0, 0)
    second = ingest_records(folder, [OLD[0], place("石梅湾", "改过了。"), place("后海")])
    assert (second.added, second.changed, second.deleted, second.unchanged) == (1, 1, 0, 1)
    third = ingest_records(folder, [OLD[0]])
    assert (third.added, third.changed, third.deleted, third.unchanged) == (0, 0, 2, 1)
    assert (third.passages, third.generation) == (1, 3)


def test_the_same_file_twice_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    first = ingest_records(folder, OLD)
    before = snapshot(folder)
    second = ingest_records(folder, OLD)
    assert (second.added, second.changed, second.deleted, second.unchanged) == (0, 0, 0, 2)
    assert (second.generation, second.passages) == (first.generation, 2)
    assert snapshot(folder) == before


def test_added_changed_and_deleted_are_seen_by_all_legs_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    before = make_base(folder, [*OLD, place("香水湾", "香水湾有渔船。")])
    assert found_by_each_leg(before, "后海") == {"lexical": set(), "dense": set(), "names": set()}
    after = make_base(folder, [OLD[0], place("石梅湾", "石梅湾有灯塔。"), place("后海", "后海有渔船。")])
    assert all("后海" in found for found in found_by_each_leg(after, "后海").values())
    assert all("香水湾" not in found for found in found_by_each_leg(after, "香水湾").values())
    changed = found_by_each_leg(after, "灯塔")
    assert (changed["lexical"], changed["dense"]) == ({"石梅湾"}, {"石梅湾"})
    gone = found_by_each_leg(after, "安静")
    assert (gone["lexical"], gone["dense"]) == (set(), set())


def test_vectors_of_unchanged_passages_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, [place(f"地方{n}") for n in range(4)])
    embedded: list[str] = []
    opened = open_embedding

    def counting(name: str, **given: Any) -> Any:
        embedding = opened(name, **given)
        passages = embedding.passages

        def count(texts: list[str]) -> Any:
            embedded.extend(texts)
            return passages(texts)

        monkeypatch.setattr(embedding, "passages", count)
        return embedding

    monkeypatch.setattr(ingesting, "open_embedding", counting)
    ingest_records(folder, [*(place(f"地方{n}") for n in range(4)), place("后海")])
    assert len(embedded) == 1
    assert "后海" in embedded[0]


def test_a_collection_that_grew_gets_the_vectors_of_one_idf_table(tmp_path: Path) -> None:
    """Grown step by step or at once: a query must not meet vectors of two tables."""
    records = [place(f"地方{n}", f"这里是第{n}个地方，有海滩{n % 3}。") for n in range(9)]
    for size in (1, 3, 9):
        grown = make_base(tmp_path / "grown", records[:size])
    again = make_base(tmp_path / "again", records)
    everything = np.ones(9, dtype=bool)
    scores = [
        base.dense.scores(base.embedding.query("有海滩1的地方"), everything, top=9) for base in (grown, again)
    ]
    np.testing.assert_allclose(scores[0], scores[1], rtol=1e-5)


def test_an_emptied_knowledge_base_stays_usable_and_can_be_filled_again(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    report = delete(folder, ["日月湾", "石梅湾"])
    assert (report.deleted, report.passages) == (2, 0)
    empty = KnowledgeBase(folder)
    assert empty.passages == []
    assert found_by_each_leg(empty, "日月湾") == {"lexical": set(), "dense": set(), "names": set()}
    refilled = make_base(folder, [place("后海")])
    assert all(found == {"后海"} for found in found_by_each_leg(refilled, "后海").values())


def test_delete_by_id(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    delete(folder, ["日月湾"])
    base = KnowledgeBase(folder)
    assert base.ids == ["石梅湾"]
    assert found_by_each_leg(base, "日月湾")["names"] == set()


def test_deleting_an_unknown_id_changes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest_records(folder, OLD)
    before = snapshot(folder)
    with pytest.raises(UsageError, match="no document '后海'"):
        delete(folder, ["日月湾", "后海"])
    assert snapshot(folder) == before


def test_documents_that_are_the_same_are_kept_apart_by_id(tmp_path: Path) -> None:
    base = make_base(
        tmp_path / "kb",
        [{"id": name, "title": "日月湾", "text": "日月湾有冲浪店。"} for name in ("a", "b", "c")],
    )
    assert base.ids == ["a", "b", "c"]
    found = found_by_each_leg(base, "日月湾")
    assert all(ids == {"a", "b", "c"} for ids in found.values())


def test_one_id_from_two_paths_is_refused_and_nothing_is_changed(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    one = write_records(tmp_path / "one.jsonl", [place("日月湾", "一种说法。")])
    two = write_records(tmp_path / "two.jsonl", [place("日月湾", "另一种说法。")])
    ingest(folder, [one], embedding="builtin")
    before = snapshot(folder)
    with pytest.raises(UsageError, match=r"'日月湾'.*one\.jsonl.*two\.jsonl"):
        ingest(folder, [two])
    assert snapshot(folder) == before


def test_another_path_is_added_and_the_first_kept(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    ingest(folder, [write_records(tmp_path / "one.jsonl", [OLD[0]])], embedding="builtin")
    report = ingest(folder, [write_records(tmp_path / "two.jsonl", [OLD[1]])])
    assert (report.added, report.deleted, report.passages) == (1, 0, 2)


def test_a_file_gone_from_a_folder_is_deleted(tmp_path: Path) -> None:
    folder, source = tmp_path / "kb", tmp_path / "source"
    write_records(source / "one.jsonl", [OLD[0]])
    write_records(source / "two.jsonl", [OLD[1]])
    ingest(folder, [source], embedding="builtin")
    (source / "one.jsonl").unlink()
    assert ingest(folder, [source]).deleted == 1
    assert KnowledgeBase(folder).ids == ["石梅湾"]


def test_old_generations_are_cleared_and_the_one_before_is_kept_for_readers(tmp_path: Path) -> None:
    folder = tmp_path / "kb"
    for size in range(1, 5):
        ingest_records(folder, [place(f"地方{n}") for n in range(size)])
    assert sorted(path.name for path in folder.glob("generation-*")) == ["generation-3", "generation-4"]


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    ingest_records(tmp_path / "kb", OLD, progress=told.append)
    assert any("2 passages" in line for line in told)


def test_long_texts_become_several_passages_of_one_document(tmp_path: Path) -> None:
    records: list[Record] = [place("长文", "这里的海很蓝，人也不多。" * 200), place("后海")]
    report = ingest_records(tmp_path / "kb", records)
    assert report.added == 2
    assert report.passages > 3
    base = KnowledgeBase(tmp_path / "kb")
    assert {passage.document_id for passage in base.passages} == {"长文", "后海"}


def test_equal_content_gives_equal_bytes(tmp_path: Path) -> None:
    """Passages, words and manifest do not depend on the order of the records or the place of the base."""
    ingest_records(tmp_path / "one", OLD)
    ingest_records(tmp_path / "two", OLD[::-1])
    one, two = snapshot(tmp_path / "one"), snapshot(tmp_path / "two")
    assert set(one) == set(two)
    for name in set(one) - {"generation-1/documents.jsonl"}:
        assert one[name] == two[name], name


def test_a_record_without_metadata_has_no_fields(tmp_path: Path) -> None:
    ingest_records(tmp_path / "kb", [place("日月湾")])
    assert json.loads((tmp_path / "kb" / MANIFEST).read_text())["fields"] == []
