"""What a judge is: it gives one metric of one answer a value in [0, 1], or says why it cannot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol, get_args

from mindatlas.evals.cases import Case

Metric = Literal["faithfulness", "completeness", "relevance"]
METRICS: Final[tuple[Metric, ...]] = get_args(Metric)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer and what it is judged by.

    Attributes:
        id: of the case.
        passages: what the answer may rest on, each with `id`, `title`, `entity` and `text`.
        reference: an answer that is right and complete; None where there is none.
        expected_entities: the subjects a good answer may name.
    """

    id: str
    question: str
    answer: str
    passages: tuple[Mapping[str, Any], ...] = ()
    reference: str | None = None
    expected_entities: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What a judge found.

    Attributes:
        value: in [0, 1]; None where it could not judge.
        reason: why there is no value, or what lowered it.
        cost: of the calls made for it; None where that is not known.
    """

    value: float | None
    reason: str = ""
    cost: float | None = 0.0

    def __post_init__(self) -> None:
        if self.value is not None and not (math.isfinite(self.value) and 0 <= self.value <= 1):
            raise ValueError(f"A judged value must lie in [0, 1] or be None, not {self.value!r}")


class Judge(Protocol):
    """Judges answers; the same answer twice costs twice."""

    def judge(self, metric: Metric, answer: Answer) -> Judged:
        """Return the value of `metric` for `answer`; what cannot be judged is returned, not raised."""
        ...

    def identity(self) -> dict[str, Any]:
        """Return what decides the values beside the answer: rules' versions, or model and prompts, JSON-like."""
        ...


def answer_of(case: Case, output: Mapping[str, Any]) -> Answer:
    """Return what there is to judge in the output of MindTrip for a case."""
    return Answer(
        id=case.id,
        question=case.query,
        answer=output["answer"],
        passages=tuple(output["passages"]),
        reference=case.expected if isinstance(case.expected, str) else None,
        expected_entities=case.expected_entities,
    )
