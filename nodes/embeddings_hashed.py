"""The builtin embedding: hashed character n-grams, without a model, a download or a dictionary.

Signed feature hashing (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", 2009) of the
single characters and pairs of Chinese text, and of the words and letter triples of other scripts. What was
measured, and why these n-grams and this dimension: design/embeddings.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mindatlas.nodes.errors import StoreError
from mindatlas.nodes.text import is_cjk, tokens

DIMENSION = 2048
_VERSION = "v1"  # another way of hashing or weighting must get another version: vectors do not mix

_U64 = np.uint64
_GOLDEN = 0x9E3779B97F4A7C15
_CHAR, _PAIR, _TRIPLE = (_U64(kind * _GOLDEN % 2**64) for kind in (1, 2, 3))


class HashedNgramEmbedding:
    """Sparse counts of n-grams, folded into `dimension` signed buckets and weighted by rarity.

    A count c weighs 1 + ln c; each bucket is then multiplied by its entry in `idf`. Vectors depend on the
    text and `idf` alone, and are the same in every process.

    Args:
        dimension: number of buckets.
        idf: shape `(dimension,)`, from `fit`; None weighs all buckets the same.

    Raises:
        StoreError: `idf` has another shape.
    """

    def __init__(self, *, dimension: int = DIMENSION, idf: NDArray[np.float32] | None = None) -> None:
        if idf is not None and idf.shape != (dimension,):
            raise StoreError(f"The idf table has shape {idf.shape}, not ({dimension},): rebuild the index")
        self.dimension = dimension
        self.name = name_of(dimension)
        self._idf = np.ones(dimension, dtype=np.float32) if idf is None else idf

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row per text, shape `(len(texts), dimension)`, L2-normalised.

        The row of a text without any letter or digit is zero.
        """
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            row[:] = self.query(text)
        return rows

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of `text`, shape `(dimension,)`: questions and passages are treated alike."""
        hashes, counts = np.unique(_hashes(text), return_counts=True)
        signs = np.where(hashes >> _U64(63), 1.0, -1.0)
        weights = signs * (1.0 + np.log(counts))
        counted = np.bincount(_buckets(hashes, self.dimension), weights=weights, minlength=self.dimension)
        vector = counted * self._idf
        norm = np.linalg.norm(vector)
        return (vector / norm if norm else vector).astype(np.float32)


def fit(texts: Sequence[str], *, dimension: int = DIMENSION) -> NDArray[np.float32]:
    """Return the idf of each bucket over `texts`, shape `(dimension,)`: ln((1 + n) / (1 + df)) + 1.

    A bucket that no text touches has the highest value; no texts at all give ones.
    """
    frequency = np.zeros(dimension)
    for text in texts:
        frequency[np.unique(_buckets(_hashes(text), dimension))] += 1
    return (np.log((1 + len(texts)) / (1 + frequency)) + 1).astype(np.float32)


def name_of(dimension: int) -> str:
    """Return the name that an index records."""
    return f"builtin:{_VERSION}:dim={dimension}"


def _buckets(hashes: NDArray[np.uint64], dimension: int) -> NDArray[np.int64]:
    return (hashes % _U64(dimension)).astype(np.int64)


def _hashes(text: str) -> NDArray[np.uint64]:
    """Return a hash for each n-gram occurrence in `text`, in no particular order.

    The runs of the text are laid out as one array of code points with zeros between them, so that all n-grams
    are hashed at once and none crosses from one run into the next.
    """
    runs = tokens(text)
    words = [run for run in runs if not is_cjk(run[0])]
    joined = "\0".join([*runs, "", ""])
    codes = np.frombuffer(joined.encode("utf-32-le", "replace"), dtype=np.uint32).astype(np.uint64)
    chinese = _is_chinese(codes)
    letter = (codes > ord(":")) & ~chinese
    chars = _mix(codes, _CHAR)
    pairs = _mix(chars[:-1] + codes[1:] * _U64(_GOLDEN), _PAIR)
    triples = _mix(pairs[:-1] + codes[2:] * _U64(_GOLDEN), _TRIPLE)
    return np.concatenate(
        [
            chars[chinese],
            pairs[chinese[:-1] & chinese[1:]],
            triples[letter[:-2] & letter[1:-1] & letter[2:]],
            np.array([_word_hash(word) for word in words], dtype=np.uint64),
        ]
    )


def _is_chinese(codes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return where `codes` are Chinese characters: the ranges that `mindatlas.nodes.text` counts as such."""
    unified = (codes >= 0x3400) & (codes <= 0x9FFF)
    return unified | ((codes >= 0xF900) & (codes <= 0xFAFF))


def _mix(values: NDArray[np.uint64], salt: np.uint64) -> NDArray[np.uint64]:
    """Return `values` spread evenly over 64 bits: the finalizer of SplitMix64 (Steele et al., 2014)."""
    values = values + salt
    values = (values ^ (values >> _U64(30))) * _U64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> _U64(27))) * _U64(0x94D049BB133111EB)
    return values ^ (values >> _U64(31))


@lru_cache(maxsize=65_536)
def _word_hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "little")
