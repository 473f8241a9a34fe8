"""The dense leg: vectors in a persistent Chroma collection.

Up to EXACT passages the vectors are multiplied, which is faster than the approximate index, misses nothing and makes
figures reproducible; a copy of them lies beside the collection, as loading Chroma takes a good second of a command.
Above, Chroma's own HNSW index answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

EXACT = 5_000  # passages
_NAME = "passages"
_COPY = "vectors.npz"


class DenseIndex:
    """Cosine similarity over the vectors of one index generation."""

    def __init__(self, folder: Path, ids: Sequence[str]) -> None:
        self._folder = folder
        self._ids = list(ids)
        self._matrix = self._load() if len(ids) <= EXACT else None

    def scores(
        self, query: NDArray[np.float32], allowed: NDArray[np.bool_], *, top: int
    ) -> NDArray[np.float32]:
        """Return cosines by row, shape `(n_passages,)`, for at least the `top` best allowed rows; 0 elsewhere.

        An all-zero query has no direction: all scores are 0.
        """
        found = np.zeros(len(self._ids), dtype=np.float32)
        rows = np.flatnonzero(allowed)
        if not query.any() or not len(rows):
            return found
        if self._matrix is not None:
            found[rows] = self._matrix[rows] @ query if len(rows) < len(self._ids) else self._matrix @ query
        elif len(rows) <= EXACT:
            found[rows] = _stacked(self._collection, [self._ids[row] for row in rows]) @ query
        else:
            self._search(query, len(self._ids) - len(rows) + top, found)
        return np.where(allowed, found, 0.0)

    def _search(self, query: NDArray[np.float32], wanted: int, found: NDArray[np.float32]) -> None:
        """Fill `found` with the `wanted` nearest (at most EXACT): so many that `top` remain after the filter."""
        wanted = min(len(self._ids), wanted, EXACT)
        hits = self._collection.query(query_embeddings=[query], n_results=wanted, include=["distances"])
        for name, distance in zip(hits["ids"][0], hits["distances"][0], strict=True):
            found[self._rows[name]] = 1.0 - distance

    def _load(self) -> NDArray[np.float32]:
        """Return all vectors, shape `(n_passages, dimension)`: from the copy, or from the collection without one."""
        copy = self._folder / _COPY
        if copy.exists():
            with np.load(copy, allow_pickle=False) as stored:
                rows = {name: row for row, name in enumerate(stored["ids"].tolist())}
                if rows.keys() >= set(self._ids):
                    matrix: NDArray[np.float32] = stored["vectors"][[rows[name] for name in self._ids]]
                    return matrix
        with _opened(self._folder) as client:
            return _stacked(client.get_collection(_NAME, embedding_function=None), self._ids)

    @cached_property
    def _collection(self) -> Any:
        return _open(self._folder).get_collection(_NAME, embedding_function=None)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {passage_id: row for row, passage_id in enumerate(self._ids)}


def _stacked(collection: Any, ids: Sequence[str]) -> NDArray[np.float32]:
    """Return the vectors of `ids` in that order, shape `(len(ids), dimension)`; `(0, 1)` for none."""
    if not ids:
        return np.zeros((0, 1), dtype=np.float32)
    found = collection.get(ids=list(ids), include=["embeddings"])
    vectors = np.asarray(found["embeddings"], dtype=np.float32)
    order = {name: position for position, name in enumerate(found["ids"])}
    return vectors[[order[name] for name in ids]]


def write_vectors(folder: Path, vectors: Mapping[str, NDArray[np.float32]]) -> None:
    """Write a new collection with `vectors` by passage id into `folder`, in batches Chroma accepts.

    Up to EXACT vectors are copied beside it.
    """
    with _opened(folder) as client:
        collection = client.create_collection(
            _NAME, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )
        ids = list(vectors)
        step = client.get_max_batch_size()
        for start in range(0, len(ids), step):
            batch = ids[start : start + step]
            collection.upsert(ids=batch, embeddings=np.stack([vectors[name] for name in batch]))
    if 0 < len(vectors) <= EXACT:
        np.savez(folder / _COPY, ids=np.array(list(vectors)), vectors=np.stack(list(vectors.values())))


def read_vectors(folder: Path, ids: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    """Return the vectors of `ids` from the collection in `folder`; an unknown id has none."""
    vectors: dict[str, NDArray[np.float32]] = {}
    with _opened(folder) as client:
        collection = client.get_collection(_NAME, embedding_function=None)
        for start in range(0, len(ids), EXACT):
            found = collection.get(ids=list(ids[start : start + EXACT]), include=["embeddings"])
            rows = np.asarray(found["embeddings"], dtype=np.float32)
            vectors.update(zip(found["ids"], rows, strict=True))
    return vectors


@contextmanager
def _opened(folder: Path) -> Iterator[Any]:
    """Yield a client and close it: Chroma keeps one by path, which would outlive a folder written anew."""
    client = _open(folder)
    try:
        yield client
    finally:
        client.close()


def _open(folder: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    return chromadb.PersistentClient(
        path=str(folder / "chroma"), settings=Settings(anonymized_telemetry=False)
    )
