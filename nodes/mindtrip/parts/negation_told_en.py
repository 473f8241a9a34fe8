"""What the user has done already (I've been to X, already did X), and cues behind their names (X aside, X is out)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_before_en import names_before
from mindatlas.nodes.mindtrip.parts.negation_clauses import (
    WINDOW,
    Argument,
    Clause,
    QuestionView,
    excluding,
)
from mindatlas.nodes.mindtrip.parts.negation_names_en import is_named, read_list
from mindatlas.nodes.mindtrip.parts.negation_words import either

_BOTH_TENSES = (
    "visited|tried|read|explored|toured|covered|hit|finished|watched|checked out|surfed(?: at| in)?"
    "|hiked|climbed|dined at"
    "|stayed (?:at|in)|had"
)
_SEEN = either(
    _BOTH_TENSES,
    "been (?:to|in|at)|gone to|seen|done|eaten(?: at| in)?|walked|experienced|swum (?:at|in)|crossed off",
)
_SAW = either(_BOTH_TENSES, "went to|(?:was|were) (?:at|in)|saw|did|ate(?: at| in)?")
_DONE = re.compile(
    either(
        r"\b"
        + either(
            rf"(?:i|we)(?:'ve| have|ve|'d)(?: (?:both|all|just|recently|already|also|previously))* {_SEEN}",
            rf"(?:(?:i|we)(?:'ve| have)? )?(?:already|just) {either(_SEEN, _SAW)}",
            rf"having(?: already)? {_SEEN}",
            rf"(?P<past>(?:i|we)(?: just| recently| also)? {_SAW})",
            "(?:(?:i|we) )?(?:just )?(?:came|got|coming) back from|(?:(?:i'?m|we'?re|just) )+back from",
        )
        + r"(?: both| all)?\s+",
        rf"(?:^|(?<=[.!?;\n,]))\s*(?:so )?(?P<bare>{_SEEN}|went to|did|tried|ate at)(?: both)?\s+",
    )
)
_BY_OTHERS = re.compile(
    r"\b(?:have|has|had|did|do|does|if|who|when|people|anyone|everyone|friends?|you|they|he|she|never"
    r"|not|yet|time"
    r"|should|can|could|would|will|must|to|may|might|shall|(?:have|has)?n't)\s*$"
)
_TIMES = re.compile(
    r"(?:\s+(?:already|before|twice|once|(?:two|three|four|five|many|several|a few|too many|so many"
    r"|\d+) times|yesterday|recently|today"
    r"|this morning|earlier|too|last (?:time|year|week|month|summer|winter|spring|trip|night|visit)"
    r"|on (?:my|our) last (?:trip|visit)"
    r"|on previous trips|in the past|a lot|too often))+"
)
_AGAIN = re.compile(
    r"\b(?:again|revisit|return(?:ing)? to|go(?:ing)? back|back there|compare|comparison|similar to"
    r"|how does it)\b"
)
_ELSE = re.compile(r"\b(?:else|other|another|different)\b")
_OTHERS = re.compile(
    r"\b(?:else|others?|another|different|new|next|more|recommend|suggest|instead|besides|alternatives?"
    r"|what|where|which"
    r"|somewhere|something|looking for)\b"
)
_ABOUT_IT = re.compile(r"\bits?\b")
_ASIDE = re.compile(
    either(
        r",?\s+(?:aside\b(?! from)|excluded\b|excepted\b|not included\b|,?\s*no thanks\b)",
        r"\s+(?:(?:is|are) |'s )(?:(?:already )?done(?! with)|out|excluded|off the (?:list|table)"
        r"|not an option|a no(?:-go)?)\b",
        r"\s+(?:does(?: not|n't) (?:interest (?:me|us)|count)|is(?: not|n't) for (?:me|us))\b",
        r"[,:]?\s+(?:which |that )?(?:i|we)(?:'ve| have)(?: already)? (?:been to|been there|done|seen"
        r"|visited|tried)(?: already)?"
        r"(?=\s*(?:$|[.,;!]))",
        r"[,:—-]\s*been there(?:,? done that)?",
    )
)
_ASKS = re.compile(r"\s*(?:is|are|was|were|does|do|did|why|how)\b")


def told(view: QuestionView) -> Iterator[Clause]:
    """Yield what was done already, where others are wanted, and the cues that stand behind a name."""
    for cue in _DONE.finditer(view.masked):
        yield from _done(view, cue)
    for cue in _ASIDE.finditer(view.masked):
        names = names_before(view, cue.start())
        if names and not _ASKS.match(view.masked, view.part_start(cue.start())):
            yield excluding(Argument(names=names, attributes=(), end=cue.start()), names[0][0], cue.end())


def _done(view: QuestionView, cue: re.Match[str]) -> Iterator[Clause]:
    masked = view.masked
    argument = read_list(view, cue.end())
    if argument is None or not argument.names:
        return
    if _BY_OTHERS.search(masked[view.part_start(cue.start()) : cue.start()]):
        return
    times = _TIMES.match(masked, argument.end)
    end = times.end() if times else argument.end
    named = all(is_named(view, name) for name in argument.names)
    if masked[end : end + 1] == "?" or (cue.group().endswith("had ") and not (times or named)):
        return
    finished = (
        times
        or re.search(r"\b(?:already|just)\b", cue.group())
        or not (cue.group("past") or cue.group("bare"))
    )
    if _wants_others(view, cue.start(), end, finished=bool(finished)):
        yield excluding(argument, cue.start(), end)


def _wants_others(view: QuestionView, start: int, end: int, *, finished: bool) -> bool:
    """Return whether what was done is told to get something else, not to go on about it ("is it open in winter?")."""
    rest = view.masked[max(0, start - WINDOW) : start] + " , " + view.masked[end : end + 2 * WINDOW]
    if _AGAIN.search(rest) or (_ABOUT_IT.search(rest) and not _ELSE.search(rest)):
        return False
    return finished or bool(_OTHERS.search(rest))
