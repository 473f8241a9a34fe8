"""Hybrid retrieval over one knowledge base: three legs, one filter for all of them, one fused order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from mindatlas.nodes.mindtrip.parts.conditions import Condition, preference, satisfied
from mindatlas.nodes.mindtrip.parts.fusion import cap_per_source, fuse, ranks
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase
from mindatlas.nodes.text import fold

WEIGHTS = {"bm25": 1.0, "dense": 0.3, "metadata": 1.0}  # chosen by measurement, see design/retrieval.md
DEPTH = 50  # rows each leg ranks
PER_SOURCE = 3  # pieces of one document among the candidates


@dataclass(frozen=True, kw_only=True)
class Query:
    """What is looked for: text, conditions, and how exclusions, names and surroundings were read.

    `sides` are the towns that a comparison names: each gets as many candidates as the others.
    """

    text: str
    conditions: tuple[Condition, ...] = ()
    excluded: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Hit:
    """One candidate: its rank by leg (None where the leg did not rank it) and the fused score."""

    row: int
    score: float
    ranks: Mapping[str, int | None]


@dataclass(frozen=True, kw_only=True)
class Retrieval:
    """The candidates, best first, and the rows (with the excluded name) that only an exclusion took out."""

    hits: tuple[Hit, ...]
    set_aside: tuple[tuple[int, str], ...] = ()


def retrieve(
    base: KnowledgeBase, query: Query, *, top: int = 10, weights: Mapping[str, float] = WEIGHTS
) -> Retrieval:
    """Return the `top` best passages that pass the filters of `query`.

    The filters go into each leg, so `top` candidates remain where the knowledge base has them. Order: the asked
    extreme (最便宜), then the subject named in the question, then the fused score, then the id.
    """
    if not base.passages:
        return Retrieval(hits=())
    excluded = excluded_rows(base, query.excluded)
    passing = _passing(base, query)
    allowed = passing & ~base.mask(excluded)
    scores = _leg_scores(base, query, passing)
    lists = {leg: ranks(np.where(allowed, found, 0.0), base.ids, top=DEPTH) for leg, found in scores.items()}
    fused = fuse(lists, weights)
    for side in query.sides:
        fused |= {row: fused.get(row, 0.0) for row in base.rows_named(side) if allowed[row]}
    order = _in_turn(base, query.sides, _ordered(base, query, fused))
    hits = tuple(
        Hit(row=row, score=fused[row], ranks={leg: ranked.get(row) for leg, ranked in lists.items()})
        for row in order[:top]
    )
    removed = np.where(passing & base.mask(excluded), scores["bm25"], 0.0)
    aside = tuple((row, excluded[row]) for row in ranks(removed, base.ids, top=top))
    return Retrieval(
        hits=hits, set_aside=aside or tuple((row, excluded[row]) for row in _first(excluded, passing, top))
    )


def excluded_rows(base: KnowledgeBase, names: Sequence[str]) -> dict[int, str]:
    """Return the rows to leave out, each with the excluded name it stands for.

    A row is left out when its SUBJECT has that name, as a whole, or its city does; one that only mentions the
    name stays.
    """
    cities = [field.name for field in base.table.with_role("city")]
    rows: dict[int, str] = {}
    for name in names:
        resolved = base.entities.resolve(name) or name
        by_city = [row for city in cities for row in base.table.values(city).get(fold(resolved), ())]
        for row in (*base.rows_named(name), *by_city):
            rows.setdefault(row, name)
    return rows


def _first(excluded: Mapping[int, str], passing: NDArray[np.bool_], top: int) -> list[int]:
    return [row for row in sorted(excluded) if passing[row]][:top]


def _passing(base: KnowledgeBase, query: Query) -> NDArray[np.bool_]:
    """Return the rows that pass the filters; a subject named in the question passes all but the user's own."""
    mask = np.ones(len(base.passages), dtype=bool)
    required = np.ones(len(base.passages), dtype=bool)
    for condition in query.conditions:
        if condition.strength == "filter":
            required &= satisfied(condition, base.table)
        elif condition.strength == "hard":  # advice that names no place holds for every place
            mask &= satisfied(condition, base.table) | ~_stated(base, condition)
        elif condition.strength == "firm":
            mask &= satisfied(condition, base.table)
    near = base.mask(row for name in query.near for row in base.related(name))
    if near.any():
        mask &= near
    else:
        mask |= base.mask(row for name in query.named for row in base.rows_named(name))
    return mask & required


def _stated(base: KnowledgeBase, condition: Condition) -> NDArray[np.bool_]:
    mask = np.zeros(len(base.passages), dtype=bool)
    for field in condition.fields:
        mask |= base.table.stated(field)
    return mask


def _leg_scores(
    base: KnowledgeBase, query: Query, passing: NDArray[np.bool_]
) -> dict[str, NDArray[np.float32]]:
    """Return the scores of each leg by row: BM25, cosine, and how many conditions and names a row satisfies."""
    met = np.zeros(len(base.passages), dtype=np.float32)
    for condition in query.conditions:
        met += satisfied(condition, base.table)
    for name in query.named:
        met[base.rows_named(name)] += 1
    text = _in_words_of_the_base(base, query)
    return {
        "bm25": base.lexical.scores(base.terms(text)),
        "dense": base.dense.scores(base.embedding.query(text), passing, top=DEPTH),
        "metadata": met,
    }


def _in_words_of_the_base(base: KnowledgeBase, query: Query) -> str:
    """Return the query with the tag values that its words were read as: "surf" is 冲浪, 寺庙 is 宗教 here."""
    tags = {field.name for field in base.table.with_role("tags")}
    read = (c for c in query.conditions if c.operator == "equal" and c.surface and set(c.fields) <= tags)
    values = (value for c in read for value in c.values if value not in fold(query.text))
    return " ".join((query.text, *dict.fromkeys(values)))


def _in_turn(base: KnowledgeBase, sides: Sequence[str], order: list[int]) -> list[int]:
    """Return `order` with the sides of a comparison taking turns, each beginning with the town itself."""
    if not sides:
        return order
    queues = []
    for side in sides:
        town = set(base.rows_named(side))
        rows = [row for row in order if row in town or fold(side) in base.stated(row, "city")]
        queues.append(sorted(rows, key=lambda row: row not in town))
    turns = (row for turn in zip_longest(*queues) for row in turn if row is not None)
    return list(dict.fromkeys((*turns, *order)))


def _ordered(base: KnowledgeBase, query: Query, fused: Mapping[int, float]) -> list[int]:
    text = fold(query.text)
    named = {
        row: max((len(name) for name in map(fold, base.passages[row].names) if name in text), default=0)
        for name in query.named
        for row in base.rows_named(name)
    }
    extreme = preference(query.conditions, base.table)
    order = sorted(fused, key=lambda row: (-extreme[row], -named.get(row, 0), -fused[row], base.ids[row]))
    return cap_per_source(order, [passage.document_id for passage in base.passages], cap=PER_SOURCE)
