"""Tools ranked for a question: by words (BM25) and by embedding, fused by reciprocal ranks.

What was measured, on 500 tools, and with which settings: `evals/tool_choice_benchmark.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from mindatlas.nodes.embeddings import fit_idf, open_embedding, resolve_embedding
from mindatlas.nodes.text import char_ngrams
from mindatlas.nodes.workdesk.parts.business_terms import meanings, topic_of

_RRF_K = 60  # Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet", SIGIR 2009
_GRAMS = (1, 2)
_MEANING_COUNTS = (
    2  # a shared meaning counts as so many shared words; chosen on the dev part of the benchmark
)


class ToolRanking:
    """Texts that tell of tools, indexed once.

    Args:
        texts: one for each tool.
        embedding: a name that `open_embedding` takes. The builtin one knows no meanings, so those of
            `business_terms` are added to what it reads; others read the text as it is.
    """

    def __init__(self, texts: Sequence[str], *, embedding: str = "builtin") -> None:
        self._count = len(texts)
        self._bm25 = BM25Okapi([_words(text) or [""] for text in texts]) if texts else None
        self._reads_letters = resolve_embedding(embedding).startswith("builtin")
        read = [self._read(text) for text in texts]
        self._embedding = open_embedding(embedding, idf=fit_idf(embedding, read))
        self._vectors = self._embedding.passages(read)

    def scores(self, questions: Sequence[tuple[str, float]]) -> NDArray[np.float64]:
        """Return the fused score of each tool, shape `(n_tools,)`; 0 where nothing is shared.

        Args:
            questions: texts and how much each counts: the question, and what was asked before it.
        """
        fused = np.zeros(self._count)
        for text, weight in questions if self._count else ():
            for ranked in (self._lexical(text), self._dense(text)):
                fused[ranked] += weight / (_RRF_K + 1 + np.arange(len(ranked)))
        return fused

    def _lexical(self, text: str) -> NDArray[np.intp]:
        words = _words(text)
        scores = np.asarray(self._bm25.get_scores(words)) if self._bm25 and words else np.zeros(self._count)
        return _ranked(scores)

    def _dense(self, text: str) -> NDArray[np.intp]:
        return _ranked(self._vectors @ self._embedding.query(self._read(text)))

    def _read(self, text: str) -> str:
        return " ".join([topic_of(text), *meanings(text) * _MEANING_COUNTS]) if self._reads_letters else text


def _words(text: str) -> list[str]:
    return [*char_ngrams(topic_of(text), _GRAMS), *meanings(text) * _MEANING_COUNTS]


def _ranked(scores: NDArray[np.floating]) -> NDArray[np.intp]:
    """Return the indices of positive scores, best first, ties by index."""
    order = np.argsort(-scores, kind="stable")
    return order[scores[order] > 0]
