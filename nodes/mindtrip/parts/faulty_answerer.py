"""Simulated faults over the builtin answerer, to watch and test the checks offline; always labelled simulated."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from mindatlas.nodes.mindtrip.parts.answers import Answerer, AnswerRequest, Claim


def _invent_number(claim: Claim, request: AnswerRequest) -> Claim:
    return replace(claim, text=f"{claim.text}（987654）")


def _bend_quote(claim: Claim, request: AnswerRequest) -> Claim:
    return replace(claim, quote=f"{claim.quote}#")


def _lose_citation(claim: Claim, request: AnswerRequest) -> Claim:
    return replace(claim, passage_id="unknown")


def _name_excluded(claim: Claim, request: AnswerRequest) -> Claim:
    return replace(claim, text=f"{claim.text}{request.excluded[0]}")


FAULTS: dict[str, Callable[[Claim, AnswerRequest], Claim]] = {
    "invented_number": _invent_number,
    "bent_quote": _bend_quote,
    "lost_citation": _lose_citation,
    "named_excluded": _name_excluded,
}


class FaultyAnswerer:
    """Answers as `answerer` does, with one named fault in the first claim until the prompt names faults.

    Args:
        answerer: the answerer that is right.
        seed: chooses, with the question, the fault.
    """

    def __init__(self, answerer: Answerer, seed: int) -> None:
        self._answerer = answerer
        self._seed = seed

    def answer(self, request: AnswerRequest) -> Sequence[Claim]:
        """Return the claims, the first one spoilt unless `request.faults` says what was wrong before."""
        claims = list(self._answerer.answer(request))
        if claims and not request.faults:
            possible = sorted(FAULTS if request.excluded else FAULTS.keys() - {"named_excluded"})
            name = random.Random(f"{self._seed}:{request.question}").choice(possible)
            claims[0] = FAULTS[name](claims[0], request)
        return claims
