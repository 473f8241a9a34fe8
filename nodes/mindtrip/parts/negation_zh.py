"""Exclusion cues of Chinese, all positions together."""

from __future__ import annotations

from mindatlas.nodes.mindtrip.parts.negation_behind_zh import behind
from mindatlas.nodes.mindtrip.parts.negation_besides_zh import besides, only
from mindatlas.nodes.mindtrip.parts.negation_clauses import Clause, QuestionView
from mindatlas.nodes.mindtrip.parts.negation_refusals_zh import refusals
from mindatlas.nodes.mindtrip.parts.negation_told_zh import told


def clauses(view: QuestionView) -> list[Clause]:
    """Return the exclusion cues of a Chinese question that have an argument; of two that overlap the first counts.

    Scope: an argument ends at a comma, a stop word (还, 都, 有什么, 的 …) or a verb. A list goes on over 、 和 跟 与 及 或,
    and over a comma only where a bare name and another list mark follow.
    """
    return [*besides(view), *only(view), *refusals(view), *behind(view), *told(view)]
