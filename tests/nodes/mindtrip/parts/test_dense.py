from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mindatlas.nodes.mindtrip.parts import dense
from mindatlas.nodes.mindtrip.parts.dense import DenseIndex, read_vectors, write_vectors

Vector = NDArray[np.float32]


def unit(*values: float) -> Vector:
    vector = np.array(values, dtype=np.float32)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


VECTORS = {"a": unit(1, 0, 0), "b": unit(1, 1, 0), "c": unit(0, 1, 0), "d": unit(0, 0, 1)}
ALL = np.ones(4, dtype=bool)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dense")
    write_vectors(folder, VECTORS)
    return folder


def test_scores_are_cosines_by_row_whatever_the_order_of_ids(folder: Path) -> None:
    for ids in (["a", "b", "c", "d"], ["d", "c", "b", "a"]):
        scores = DenseIndex(folder, ids).scores(unit(1, 0, 0), ALL, top=10)
        assert dict(zip(ids, scores.round(3).tolist(), strict=True)) == {
            "a": 1.0,
            "b": pytest.approx(0.707, abs=1e-3),
            "c": 0.0,
            "d": 0.0,
        }


def test_rows_that_are_not_allowed_score_nothing(folder: Path) -> None:
    scores = DenseIndex(folder, list(VECTORS)).scores(
        unit(1, 1, 0), np.array([False, True, True, False]), top=1
    )
    assert scores[0] == 0
    assert scores[1] == pytest.approx(1)
    assert scores[2] > 0


@pytest.mark.parametrize("allowed", [ALL, np.zeros(4, dtype=bool)])
def test_nothing_is_found_for_a_query_without_direction_or_with_no_row_allowed(
    folder: Path, allowed: NDArray[np.bool_]
) -> None:
    query = unit(1, 0, 0) if not allowed.any() else np.zeros(3, dtype=np.float32)
    assert not DenseIndex(folder, list(VECTORS)).scores(query, allowed, top=10).any()


def test_an_empty_collection(tmp_path: Path) -> None:
    write_vectors(tmp_path, {})
    assert DenseIndex(tmp_path, []).scores(unit(1, 0, 0), np.ones(0, dtype=bool), top=10).shape == (0,)


@pytest.mark.parametrize("excluded", [0, 2, 12])
def test_a_large_collection_finds_the_best_allowed_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, excluded: int
) -> None:
    """Above EXACT the approximate index answers, and enough remain after the filter."""
    vectors = {f"{row:02}": unit(np.cos(row / 20), np.sin(row / 20)) for row in range(20)}
    write_vectors(tmp_path, vectors)
    monkeypatch.setattr(dense, "EXACT", 15)
    index = DenseIndex(tmp_path, list(vectors))
    allowed = np.arange(20) >= excluded
    scores = index.scores(unit(1, 0), allowed, top=3)
    assert np.argsort(-scores)[:3].tolist() == [excluded, excluded + 1, excluded + 2]
    assert not scores[:excluded].any()
    assert scores[excluded] == pytest.approx(float(np.cos(excluded / 20)), abs=1e-3)


def test_vectors_are_read_back_in_batches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dense, "EXACT", 2)
    found = read_vectors(folder, ["d", "b", "a"])
    assert set(found) == {"a", "b", "d"}
    for name, vector in found.items():
        np.testing.assert_allclose(vector, VECTORS[name], rtol=1e-6)
    assert read_vectors(folder, []) == {}


def test_vectors_are_written_in_batches_chroma_accepts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = dense._open(tmp_path)
    monkeypatch.setattr(type(client), "get_max_batch_size", lambda _: 3)
    write_vectors(tmp_path, {f"{row}": unit(1, row, 0) for row in range(8)})
    assert len(read_vectors(tmp_path, [str(row) for row in range(8)])) == 8


def test_a_folder_written_anew_in_one_process_holds_the_new_vectors(tmp_path: Path) -> None:
    """Chroma keeps a client by path: one of a folder that was deleted must not answer for the new one."""
    import shutil

    write_vectors(tmp_path / "g", {"a": unit(1, 0)})
    shutil.rmtree(tmp_path / "g")
    (tmp_path / "g").mkdir()
    write_vectors(tmp_path / "g", {"b": unit(0, 1)})
    assert set(read_vectors(tmp_path / "g", ["a", "b"])) == {"b"}
