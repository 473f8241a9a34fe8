"""Exclusion cues of English, all positions together."""

from __future__ import annotations

from mindatlas.nodes.mindtrip.parts.negation_besides_en import besides, only
from mindatlas.nodes.mindtrip.parts.negation_clauses import Clause, QuestionView
from mindatlas.nodes.mindtrip.parts.negation_refusals_en import refusals
from mindatlas.nodes.mindtrip.parts.negation_told_en import told


def clauses(view: QuestionView) -> list[Clause]:
    """Return the exclusion cues of an English question that have an argument; where two overlap, the first counts.

    Scope: a name ends at punctuation, a question word, a verb or a preposition; a list goes on over "and" and "or",
    and over a comma only where it closes.
    """
    return [*only(view), *told(view), *besides(view), *refusals(view)]
