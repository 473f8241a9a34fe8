"""Reranking of the fused candidates: the seam, and the builtin reranker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from mindatlas.nodes.mindtrip.parts.evidence import EvidenceScorer


class Reranker(Protocol):
    """Scores passages for a query with a model."""

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """Return relevance in [0, 1] of each passage, in the given order; no call for an empty list."""
        ...


def builtin_scores(scorer: EvidenceScorer, rows: Sequence[int], *, fused: Sequence[float]) -> list[float]:
    """Return the builtin reranker's relevance in [0, 1] of `rows`, from coverage, kind, fused score, proximity.

    Weights: 0.6 coverage of the question (terms by idf, subjects, conditions), 0.2 fused score relative to the
    best, 0.15 the kind of place asked for, 0.05 proximity of the terms. Measured in design/retrieval.md.
    """
    best = max(fused, default=0.0) or 1.0
    return [
        0.6 * scorer.support(row).coverage
        + 0.2 * score / best
        + 0.15 * scorer.kind(row)
        + 0.05 * scorer.proximity(row)
        for row, score in zip(rows, fused, strict=True)
    ]
