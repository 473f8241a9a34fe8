"""The lexical leg: BM25 over words and character bigrams in one index.

One index of both kinds of token beats either alone on CMRC 2018 dev (R@1 0.978 against 0.967 for words and
0.964 for bigrams, see design/retrieval.md). Small collections use rank-bm25, large ones bm25s; both score with
the idf of Lucene, ln(1 + (N - n + 0.5) / (n + 0.5)), which stays positive where rank-bm25's own gives 0 to a term
that stands in exactly half the passages.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from mindatlas.nodes.text import Segmenter, char_ngrams

LexicalKind = Literal["rank-bm25", "bm25s"]
LARGE = 2_000  # passages; rank-bm25 needs 1.7 ms a query at 1,000 and 40 ms at 10,000, bm25s 0.2 ms
K1, B = 1.5, 0.75


def tokenize(text: str, segmenter: Segmenter) -> list[str]:
    """Return the index terms of `text`: its words, then the character bigrams of its Chinese runs."""
    words = segmenter.words(text)
    bigrams = (gram for gram in char_ngrams(text, (2,)) if len(gram) == 2)
    return words + [f"_{gram}" for gram in bigrams if not gram.isascii()]


class LexicalIndex(Protocol):
    """Scores all passages for a tokenized query."""

    def scores(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """Return BM25 scores, shape `(n_passages,)`, each >= 0; 0 where no term matches."""
        ...

    def save(self, folder: Path) -> None:
        """Write the index into `folder`."""
        ...


class RankBm25Index:
    """BM25 by rank-bm25, for small collections; also defined for none."""

    def __init__(self, corpus: Sequence[Sequence[str]]) -> None:
        self._corpus = corpus
        self._bm25 = _lucene_bm25(corpus) if any(corpus) else None

    def scores(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """Return the scores of all passages."""
        if self._bm25 is None:
            return np.zeros(len(self._corpus), dtype=np.float32)
        return np.asarray(self._bm25.get_scores(terms), dtype=np.float32)

    def save(self, folder: Path) -> None:
        """Write the tokens; the statistics are counted again on loading."""
        lines = (json.dumps(terms, ensure_ascii=False) for terms in self._corpus)
        (folder / "tokens.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> RankBm25Index:
        """Return the index that `save` wrote into `folder`."""
        with (folder / "tokens.jsonl").open(encoding="utf-8") as file:
            return cls([json.loads(line) for line in file])


def _lucene_bm25(corpus: Sequence[Sequence[str]]) -> Any:
    from rank_bm25 import BM25Okapi

    class LuceneBm25(BM25Okapi):  # type: ignore[misc]
        def _calc_idf(self, nd: dict[str, int]) -> None:
            for term, count in nd.items():
                self.idf[term] = math.log(1 + (self.corpus_size - count + 0.5) / (count + 0.5))
            found: dict[str, list[tuple[int, int]]] = {}
            for row, frequencies in enumerate(self.doc_freqs):
                for term, frequency in frequencies.items():
                    found.setdefault(term, []).append((row, frequency))
            self._rows = {term: np.array(pairs) for term, pairs in found.items()}

        def get_scores(self, query: Sequence[str]) -> NDArray[np.float64]:
            """Return the scores that rank-bm25 gives, from the passages that hold a term: it looks at all of them."""
            scores = np.zeros(self.corpus_size)
            lengths = np.array(self.doc_len)
            for term in query:
                if term in self._rows:
                    rows, held = self._rows[term].T
                    norm = self.k1 * (1 - self.b + self.b * lengths[rows] / self.avgdl)
                    scores[rows] += self.idf[term] * (held * (self.k1 + 1) / (held + norm))
            return scores

    return LuceneBm25(corpus, k1=K1, b=B)


class Bm25sIndex:
    """BM25 by bm25s, scores computed at indexing time, memory-mapped when loaded."""

    def __init__(self, retriever: Any, size: int) -> None:
        self._retriever = retriever
        self._size = size

    @classmethod
    def build(cls, corpus: Sequence[Sequence[str]]) -> Bm25sIndex:
        """Return the index of a tokenized, non-empty corpus."""
        import bm25s

        retriever = bm25s.BM25(method="lucene", k1=K1, b=B)
        retriever.index([list(terms) for terms in corpus], show_progress=False)
        return cls(retriever, len(corpus))

    def scores(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """Return the scores of all passages."""
        known = [term for term in terms if term in self._retriever.vocab_dict]
        if not known:
            return np.zeros(self._size, dtype=np.float32)
        return np.asarray(self._retriever.get_scores(known), dtype=np.float32)

    def save(self, folder: Path) -> None:
        """Write the index."""
        self._retriever.save(str(folder / "bm25s"), show_progress=False)

    @classmethod
    def load(cls, folder: Path, size: int) -> Bm25sIndex:
        """Return the index that `save` wrote into `folder`, memory-mapped."""
        import bm25s

        return cls(bm25s.BM25.load(str(folder / "bm25s"), mmap=True, load_corpus=False), size)


def build_lexical(kind: LexicalKind, corpus: Sequence[Sequence[str]]) -> LexicalIndex:
    """Return an index of the given kind; a corpus without any term has scores of 0 only."""
    if kind == "bm25s" and any(corpus):
        return Bm25sIndex.build(corpus)
    return RankBm25Index(corpus)


def load_lexical(folder: Path, size: int) -> LexicalIndex:
    """Return the index in `folder`, of whichever kind was saved there."""
    return Bm25sIndex.load(folder, size) if (folder / "bm25s").exists() else RankBm25Index.load(folder)
