"""Reciprocal rank fusion of ranked lists.

Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
Methods", SIGIR 2009: score(d) = sum over lists of weight / (k + rank(d)), k = 60, ranks from 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

K = 60


def ranks(scores: NDArray[np.floating], names: Sequence[str], *, top: int) -> dict[int, int]:
    """Return the ranks, from 1, of the `top` best rows of `scores` that are above 0; equal scores rank by name.

    A list whose scores are all 0 ranks nothing: it found nothing, whatever it returned.
    """
    rows = np.flatnonzero(scores > 0)
    if len(rows) > top:
        least = np.partition(scores[rows], -top)[-top]
        rows = rows[scores[rows] >= least]
    order = sorted(rows.tolist(), key=lambda row: (-scores[row], names[row]))
    return {row: rank for rank, row in enumerate(order[:top], start=1)}


def fuse(lists: Mapping[str, Mapping[int, int]], weights: Mapping[str, float]) -> dict[int, float]:
    """Return the fused score by row; a row absent from a list gets no term from it."""
    fused: dict[int, float] = {}
    for name, ranked in lists.items():
        for row, rank in ranked.items():
            fused[row] = fused.get(row, 0.0) + weights[name] / (K + rank)
    return fused


def cap_per_source(rows: Sequence[int], sources: Sequence[str], *, cap: int) -> list[int]:
    """Return `rows` in order, with at most `cap` of each source, so that one long document cannot fill the list."""
    seen: Counter[str] = Counter()
    kept: list[int] = []
    for row in rows:
        seen[sources[row]] += 1
        if seen[sources[row]] <= cap:
            kept.append(row)
    return kept
