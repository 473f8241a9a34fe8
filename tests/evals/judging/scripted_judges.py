"""Judges of known error rates."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from mindatlas.evals.judging.judge import Answer, Judged, Metric
from mindatlas.evals.judging.tiers import Pair


class ScriptedJudge:
    """Gives the value that `script` has for the text of an answer, and counts what it was asked."""

    def __init__(self, script: Callable[[str], float | None], *, cost: float | None = 0.0) -> None:
        self.asked: list[tuple[Metric, str]] = []
        self._script, self._cost = script, cost

    def judge(self, metric: Metric, answer: Answer) -> Judged:
        self.asked.append((metric, answer.answer))
        value = self._script(answer.answer)
        return Judged(value=value, reason="" if value is not None else "no value", cost=self._cost)

    def identity(self) -> dict[str, Any]:
        return {"judge": "scripted"}


def fixed(values: Mapping[str, float | None], *, cost: float | None = 0.0) -> ScriptedJudge:
    """Return a judge with one value a text."""
    return ScriptedJudge(values.__getitem__, cost=cost)


def erring(
    truth: Callable[[str], bool], *, sensitivity: float, specificity: float, seed: int = 0
) -> ScriptedJudge:
    """Return a judge that passes good answers and fails bad ones with these rates, the same each time for a text."""

    def script(text: str) -> float:
        right = random.Random(f"{seed}:{text}").random() < (sensitivity if truth(text) else specificity)
        return float(truth(text) == right)

    return ScriptedJudge(script)


def answer(name: str, text: str) -> Answer:
    return Answer(id=name, question="q", answer=text)


def pair(name: str, candidate: str, baseline: str | None = None, metric: Metric = "faithfulness") -> Pair:
    """Return a pair of the case `name`."""
    before = None if baseline is None else answer(name, baseline)
    return Pair(metric=metric, candidate=answer(name, candidate), baseline=before)
