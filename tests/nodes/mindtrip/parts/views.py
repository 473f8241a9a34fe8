"""Passages as the state carries them, for the tests of answers."""

from __future__ import annotations

from mindatlas.nodes.mindtrip.parts.answers import AnswerRequest, PassageView
from mindatlas.nodes.mindtrip.parts.knowledge_base import KnowledgeBase


def view(name: str, text: str, *, entity: str = "", title: str = "") -> PassageView:
    """Return a passage with the id `name`, about `entity` (or `name`)."""
    ranks: dict[str, int | None] = {"bm25": 1, "dense": 1, "metadata": None}
    return PassageView(
        id=name, title=title or entity or name, entity=entity or name, score=1.0, ranks=ranks, text=text
    )


def stored(base: KnowledgeBase, *names: str) -> list[PassageView]:
    """Return the passages of `base` with the ids `names`."""
    found = [base.passages[base.rows[name]] for name in names]
    return [view(p.id, p.text, entity=p.entity, title=p.title) for p in found]


def request(
    question: str,
    passages: list[PassageView],
    *,
    language: str = "zh",
    excluded: tuple[str, ...] = (),
    faults: tuple[str, ...] = (),
) -> AnswerRequest:
    """Return what an answerer is asked."""
    return AnswerRequest(
        question=question, language=language, passages=passages, excluded=excluded, faults=faults
    )
