"""Reading what a question excludes: the names to leave out, and the question without the clause that says so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from mindatlas.nodes.mindtrip.parts.entities import EntityIndex
from mindatlas.nodes.mindtrip.parts.negation_clauses import Clause, QuestionView, Reading
from mindatlas.nodes.mindtrip.parts.negation_rewrite import without
from mindatlas.nodes.text import fold, is_cjk, language_of

__all__ = ["ExclusionReading", "NegationReader", "Reading", "RuleNegationReader", "checked"]

_STRONGEST: tuple[Reading, ...] = ("excluded", "only", "additive", "choice", "none")
_SAID = {
    "zh": {
        "excluded": "“{cue}”读作排除：回答里不含{names}。",
        "only": "“{cue}”读作只要{names}，不排除它。",
        "additive": "“{cue}”读作补充：后面说的是另外还有谁，不排除{names}。",
        "choice": "“{cue}”读作二选一，不排除{names}。",
        "none": "“{cue}”里的{names}不是要排除的名称，留在问题里。",
    },
    "en": {
        "excluded": '"{cue}" is read as an exclusion: {names} left out of the answer.',
        "only": '"{cue}" keeps {names} and excludes nothing.',
        "additive": '"{cue}" is read as an addition: {names} not excluded.',
        "choice": '"{cue}" is read as a choice: {names} not excluded.',
        "none": '"{cue}": {names} is no name to exclude, so it stays in the question.',
    },
}


@dataclass(frozen=True, kw_only=True)
class ExclusionReading:
    """What a question excludes.

    `rewritten_query` is the question without its exclusion clause, the rest word for word, never empty.
    `exclude_entities` are the names as the user wrote them, in order, without repeats; `keep_only` is the X of
    我只想去X，其他都不要. `reason` says in the question's language how the cue was read, and that a 冲浪 or 门票 is no
    name to exclude; it is "" where there is no cue.
    """

    rewritten_query: str
    exclude_entities: tuple[str, ...]
    keep_only: tuple[str, ...]
    reason: str
    reading: Reading


class NegationReader(Protocol):
    """Reads the exclusions of a question: by rules, or by a chat model."""

    def read(self, question: str, entities: EntityIndex) -> ExclusionReading:
        """Return what `question` excludes; `entities` are the names known so far."""
        ...


class RuleNegationReader:
    """Reads exclusions by a grammar of cues, Chinese and English; deterministic, linear in the question's length.

    Example:
        >>> RuleNegationReader().read("万宁除了日月湾还有什么冲浪的地方？", EntityIndex({"日月湾": []})).rewritten_query
        '万宁还有什么冲浪的地方？'
    """

    def read(self, question: str, entities: EntityIndex) -> ExclusionReading:
        """Return what `question` excludes; a name that `entities` does not know is found by its place in the sentence."""
        view = QuestionView(question, entities)
        clauses = _without_overlap(_clauses(question, view))
        reading = _strongest(clauses)
        excluded = [clause for clause in clauses if clause.reading == "excluded"]
        cuts = [view.original(cut) for clause in excluded for cut in clause.cuts]
        return ExclusionReading(
            rewritten_query=without(question, cuts),
            exclude_entities=_surfaces(view, excluded),
            keep_only=_surfaces(view, [clause for clause in clauses if clause.reading == "only"]),
            reason=_reason(view, clauses, reading),
            reading=reading,
        )


def checked(reading: ExclusionReading, question: str) -> ExclusionReading:
    """Return `reading` held to what `question` says: names that do not stand in it (folded) are dropped.

    Names come back as the question writes them. A rewritten query that is empty, or holds anything that the
    question does not hold in that order, gives way to the question; so does one whose exclusions were all dropped.
    """
    excluded, kept = _standing(reading.exclude_entities, question), _standing(reading.keep_only, question)
    invented = bool(reading.exclude_entities) and not excluded
    query = reading.rewritten_query.strip()
    faithful = bool(query) and not invented and _is_subsequence(fold(query), fold(question))
    return replace(
        reading,
        rewritten_query=query if faithful else question,
        exclude_entities=excluded,
        keep_only=kept,
        reading=_supported(reading.reading, excluded, kept),
        reason="" if invented else reading.reason,
    )


def _supported(reading: Reading, excluded: Sequence[str], kept: Sequence[str]) -> Reading:
    """Return the reading that the names bear out: names to exclude make an exclusion, and without any there is none."""
    if excluded:
        return "excluded"
    unsupported = reading == "excluded" or (reading == "only" and not kept)
    return "none" if unsupported else reading


def _standing(names: Iterable[str], question: str) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for name in names:
        mentions = EntityIndex({name: ()}).find(question)
        if mentions:
            found.setdefault(fold(name), mentions[0].surface)
    return tuple(found.values())


def _is_subsequence(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(char in rest for char in part if not char.isspace())


def _strongest(clauses: Iterable[Clause]) -> Reading:
    """Return the reading of the whole question: an exclusion beside an addition makes it an exclusion."""
    found: set[Reading] = {clause.reading for clause in clauses}
    for reading in _STRONGEST:
        if reading in found:
            return reading
    return "none"


def _clauses(question: str, view: QuestionView) -> list[Clause]:
    """Return the clauses by the grammars of the scripts in `question`; each takes a tenth of a second to load."""
    found: list[Clause] = []
    if is_cjk(question):
        from mindatlas.nodes.mindtrip.parts import negation_zh

        found += negation_zh.clauses(view)
    if any(char.isascii() and char.isalpha() for char in fold(question)):
        from mindatlas.nodes.mindtrip.parts import negation_en

        found += negation_en.clauses(view)
    return found


def _without_overlap(clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses in order of the text, those that overlap another left out.

    What was found first counts, and an exclusion before words that only describe.
    """
    taken: list[Clause] = []
    ends: dict[int, None] = {}
    for clause in sorted(clauses, key=lambda clause: clause.reading == "none"):
        positions = range(clause.start, clause.end)
        if not any(position in ends for position in positions):
            ends.update(dict.fromkeys(positions))
            taken.append(clause)
    return sorted(taken, key=lambda clause: clause.start)


def _surfaces(view: QuestionView, clauses: Iterable[Clause]) -> tuple[str, ...]:
    surfaces = [view.surface(name) for clause in clauses for name in clause.names]
    return tuple({fold(surface): surface for surface in reversed(surfaces)}.values())[::-1]


def _reason(view: QuestionView, clauses: Iterable[Clause], reading: Reading) -> str:
    """Return one sentence on the clauses read as `reading`; "" where the question holds no cue."""
    language = language_of(view.question)
    told = [clause for clause in clauses if clause.reading == reading]
    if not told:
        return ""
    cues = [view.surface((clause.start, clause.end)) for clause in told]
    names = [view.surface(span) for clause in told for span in clause.names or clause.attributes]
    joint = "、" if language == "zh" else ", "
    return _SAID[language][reading].format(cue=" … ".join(cues), names=joint.join(dict.fromkeys(names)))
