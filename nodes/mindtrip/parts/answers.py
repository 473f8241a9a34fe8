"""Answers: claims with citations, how they are written out, and how they are checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from typing_extensions import TypedDict

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.text import fold

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


class PassageView(TypedDict):
    """A passage as the state carries it."""

    id: str
    title: str
    entity: str
    score: float
    ranks: dict[str, int | None]
    text: str


class Citation(TypedDict):
    """Where a claim stands: a passage and the words there."""

    id: str
    title: str
    quote: str


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One sentence of an answer and the passage that supports it; `quote` is verbatim from the passage."""

    text: str
    passage_id: str
    quote: str


@dataclass(frozen=True, kw_only=True)
class AnswerRequest:
    """What an answerer gets: the question, the passages, what must not be recommended, and faults to mend."""

    question: str
    language: str
    passages: Sequence[PassageView]
    excluded: Sequence[str] = ()
    subjects: Sequence[str] = ()
    faults: Sequence[str] = ()


class Answerer(Protocol):
    """Answers a question from passages, and from nothing else."""

    def answer(self, request: AnswerRequest) -> Sequence[Claim]:
        """Return the claims of the answer in reading order; none when the passages do not answer it."""
        ...


def write_out(claims: Sequence[Claim], notes: Sequence[str], *, numbered: bool) -> str:
    """Return the answer text: the notes, then each claim with its citation `[passage id]`."""
    marks = (
        [f"{number}. " for number in range(1, len(claims) + 1)]
        if numbered and len(claims) > 1
        else [""] * len(claims)
    )
    lines = [f"{mark}{claim.text} [{claim.passage_id}]" for mark, claim in zip(marks, claims, strict=True)]
    return "\n".join([*lines, *notes])


def citations_of(claims: Sequence[Claim], passages: Sequence[PassageView]) -> list[Citation]:
    """Return the citations of `claims` in order, without repeats."""
    titles = {passage["id"]: passage["title"] for passage in passages}
    unique = dict.fromkeys((claim.passage_id, claim.quote) for claim in claims)
    return [Citation(id=name, title=titles.get(name, ""), quote=quote) for name, quote in unique]


def faults_of(request: AnswerRequest, claims: Sequence[Claim], entities: EntityIndex) -> list[str]:
    """Return what is wrong with `claims`, one sentence each; none when every claim holds.

    Checked: there is a claim; each cites a passage that was given, with a quote that stands there word for word;
    no claim recommends what the user excluded; each number, and each known name, stands in the question or in the
    cited passage.
    """
    if not claims:
        return ["The answer makes no claim."]
    by_id = {passage["id"]: passage for passage in request.passages}
    return [fault for claim in claims for fault in _faults_of_claim(claim, by_id, request, entities)]


def _faults_of_claim(
    claim: Claim, by_id: Mapping[str, PassageView], request: AnswerRequest, entities: EntityIndex
) -> list[str]:
    passage = by_id.get(claim.passage_id)
    if passage is None:
        return [f"The claim {claim.text!r} cites {claim.passage_id!r}, which is none of the passages."]
    faults = []
    if not claim.quote.strip() or claim.quote not in passage["text"]:
        faults.append(f"The quote {claim.quote!r} does not stand word for word in {claim.passage_id!r}.")
    known = fold(" ".join((request.question, passage["title"], passage["entity"], passage["text"])))
    numbers = [number for number in _NUMBER.findall(fold(claim.text)) if number not in _NUMBER.findall(known)]
    faults += [
        f"The number {number} stands neither in the question nor in {claim.passage_id!r}."
        for number in numbers
    ]
    mentioned = entities.find(claim.text)
    faults += [
        f"The name {mention.surface!r} stands neither in the question nor in {claim.passage_id!r}."
        for mention in mentioned
        if fold(mention.surface) not in known and mention.entity != passage["entity"]
    ]
    faults += [
        f"The claim {claim.text!r} names {name!r}, which the user excluded."
        for name in request.excluded
        if names_whole(name, claim.text, entities)
    ]
    return faults


def names_whole(name: str, text: str, entities: EntityIndex) -> bool:
    """Return whether `text` names `name` itself, not merely a longer name that holds it."""
    target = entities.resolve(name)
    mentions = entities.find(text)
    if target is not None:
        return any(mention.entity == target for mention in mentions)
    rest = list(text)
    for mention in mentions:
        rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    return fold(name) in fold("".join(rest))
