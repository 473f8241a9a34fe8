"""Besides X, except X, other than X …: exclusive and additive told apart, and the reversal "only X, nothing else"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_before_en import names_before
from mindatlas.nodes.mindtrip.parts.negation_clauses import (
    NAME,
    Argument,
    Clause,
    QuestionView,
    Reading,
    excluding,
)
from mindatlas.nodes.mindtrip.parts.negation_names_en import is_named, read_list
from mindatlas.nodes.mindtrip.parts.negation_words import either

_ADDING = either("besides", "in addition to", "apart from", "aside from")
_EXCEPT = either(
    "except(?:ing)?(?: for)?|other than|excluding|with the exception of|save for|barring|minus",
    "(?:leaving|setting|putting) aside",
    "(?:but )?not (?:including|counting|considering)",
)
_IN_PLACE_OF = either(  # before a name only: not "instead of driving", "different from last year"
    "instead of|rather than|in place of|outside of|beyond|(?:different|else|elsewhere|away) (?:from|than)"
)
_CUE = re.compile(
    either(
        rf"\b(?P<cue>(?P<adding>{_ADDING})|{_EXCEPT}|(?P<named>{_IN_PLACE_OF}(?! [a-z]+ing (?:in|at|on"
        rf"|by|with)\b)))\s+",
        r"\balternatives?(?P<to> to)\s+",
        r"\b(?:any|every|all)[a-z]*(?: (?!but\b)[^\W_]+){0,3}?(?P<but> but)\s+(?!not\b|also\b|i\b|we\b)",
    )
)
_ALSO = re.compile(r"\b(?:also|as well|additionally|too(?=\s*(?:$|[,;)])))\b")
_ASKS = re.compile(
    r"\b(?:what|where|which|who|how|else|others?|another|any|recommend|suggest|different|more|new"
    r"|alternatives?)\b"
)
_STATES = re.compile(
    rf"\s*,?\s*(?:{NAME}|(?:i|we)\b(?! .*\b(?:some|somewhere|something|places?|a|to find)\b))"
)
_ONLY = re.compile(
    r"\b(?:(?<!not )(?:only|just|exclusively|solely)(?: (?:want(?: to)?|interested in|like|show me"
    r"|recommend|consider|need"
    r"|go(?:ing)? to|visit|see|eat|care about|about))*|(?P<nothing>nothing but))\s+"
)
_ONLY_BEHIND = re.compile(r"\s+only\b(?=\s*(?:[,.;]|$))")
_NOTHING_ELSE = re.compile(
    r"\b(?:nothing|nowhere|no (?:place|where|one|thing)|not (?:anything|anywhere)) (?:else|other)\b"
    r"|\bno others?\b"
    r"|\b(?:skip|ignore|forget|exclude) (?:everything|the rest|all)\b"
)
_NEXT_SENTENCE = 40


def besides(view: QuestionView) -> Iterator[Clause]:
    """Yield the "besides" frames that have an argument."""
    for cue in _CUE.finditer(view.masked):
        argument = read_list(view, cue.end())
        if argument is None or not (argument.names or argument.attributes):
            continue
        if cue.group("named") and not all(is_named(view, name) for name in argument.names):
            continue
        yield _clause(view, argument, cue)


def _clause(view: QuestionView, argument: Argument, cue: re.Match[str]) -> Clause:
    start = next(cue.start(group) for group in ("cue", "to", "but") if cue.group(group))
    reading: Reading = "none"
    if argument.names:
        reading = _reading(view, start, argument.end, adding=bool(cue.group("adding")))
    if reading == "excluded":
        return excluding(argument, start, argument.end)
    told = argument.names, argument.attributes
    return Clause(start=start, end=argument.end, reading=reading, names=told[0], attributes=told[1])


def _reading(view: QuestionView, start: int, end: int, *, adding: bool) -> Reading:
    """Return "additive" for "besides A, B also …" and for a statement, "excluded" for a request or a question.

    "besides", "in addition to", "apart from" are `adding`: they add in a statement; "except", "other than" never do.
    """
    close = view.sentence_end(end)
    rest = view.masked[end:close]
    told = next((part for part in rest.split(",") if part.strip()), "")
    if _ALSO.search(told) and not _ASKS.search(told):
        return "additive"
    if _ASKS.search(rest):
        return "excluded"
    opens = not view.masked[view.sentence_start(start) : start].strip()
    states = adding and opens and _STATES.match(rest) and view.masked[close : close + 1] != "?"
    return "additive" if states or _ALSO.search(rest) else "excluded"


def only(view: QuestionView) -> Iterator[Clause]:
    """Yield "only X, nothing else", "X only, nothing else" and "nothing but X": they keep X and exclude nothing."""
    for cue in _ONLY.finditer(view.masked):
        argument = read_list(view, cue.end())
        if argument is None or not argument.names:
            continue
        named = all(is_named(view, name) for name in argument.names)
        if (cue.group("nothing") and named) or _nothing_else(view, cue.start(), argument.end):
            yield Clause(start=cue.start(), end=argument.end, reading="only", names=argument.names)
    for cue in _ONLY_BEHIND.finditer(view.masked):
        names = names_before(view, cue.start())
        if names and _nothing_else(view, names[0][0], cue.end()):
            yield Clause(start=names[0][0], end=cue.end(), reading="only", names=names)


def _nothing_else(view: QuestionView, start: int, end: int) -> bool:
    """Return whether the sentence of the cue, or the start of the next, refuses everything else."""
    around = view.masked[view.sentence_start(start) : view.sentence_end(end) + _NEXT_SENTENCE]
    return bool(_NOTHING_ELSE.search(around))
