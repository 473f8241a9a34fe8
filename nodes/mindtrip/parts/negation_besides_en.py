"""Besides X, except X, other than X …: exclusive and additive told apart, and the reversal "only X, nothing else"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_clauses import NAME, Clause, QuestionView, Reading, excluding
from mindatlas.nodes.mindtrip.parts.negation_names_en import is_named, read_list

_ADDING = "besides|in addition to|apart from|aside from"
_CUE = re.compile(
    rf"\b(?:{_ADDING}|except(?:ing)?(?: for)?|other than|excluding|with the exception of|save for|barring|minus|leaving aside|setting aside|putting aside"
    r"|(?:but )?not (?:including|counting|considering)|(?P<strict>(?:instead of|rather than|in place of|outside of|beyond|(?:different|else|elsewhere|away) (?:from|than))(?! [a-z]+ing (?:in|at|on|by|with)\b)))\s+"
    r"|(?<=\balternative)(?P<to> to)\s+|(?<=\balternatives)(?P<tos> to)\s+"
    r"|\b(?:any|every|all)[a-z]*(?: (?!but\b)[^\W_]+){0,3}?(?P<but> but)\s+(?!not\b|also\b|i\b|we\b)"
)
_ALSO = re.compile(r"\b(?:also|too|as well|additionally)\b")
_ASKS = re.compile(
    r"\b(?:what|where|which|who|how|else|other|others|another|any|recommend|suggest|different|more|new|alternatives?)\b"
)
_STATES = re.compile(rf"\s*,?\s*(?:{NAME}|(?:i|we)\b(?! .*\b(?:some|somewhere|something|places?|a|to find)\b))")
_ONLY = re.compile(
    r"\b(?:only|just|exclusively|solely)(?: (?:want(?: to)?|interested in|like|show me|recommend|consider|need|go(?:ing)? to|visit"
    r"|see|eat|care about|about))*\s+|\b(?P<nothing>nothing but)\s+"
)
_ELSE = re.compile(
    r"\b(?:nothing|nowhere|no (?:place|where|one|thing)|not (?:anything|anywhere)) (?:else|other)|\bno (?:other|others)\b"
    r"|\b(?:skip|ignore|forget|exclude) (?:everything|the rest|all)"
)


def besides(view: QuestionView) -> Iterator[Clause]:
    """Yield the "besides" frames that have an argument."""
    for cue in _CUE.finditer(view.masked):
        argument = read_list(view, cue.end())
        if argument is None or not (argument.names or argument.attributes):
            continue
        start = next((cue.start(group) for group in ("to", "tos", "but") if cue.group(group)), cue.start())
        if cue.group("strict") and not all(is_named(view, name) for name in argument.names):
            continue
        reading = _reading(view, cue, start, argument.end) if argument.names else "none"
        if reading == "excluded":
            yield excluding(argument, start, argument.end)
        else:
            yield Clause(
                start=start,
                end=argument.end,
                reading=reading,
                names=argument.names,
                attributes=argument.attributes,
            )


def _reading(view: QuestionView, cue: re.Match[str], start: int, end: int) -> Reading:
    """Return "additive" for "besides A, B also …" and for a statement, "excluded" for a request or a question.

    "besides", "in addition to", "apart from" add in a statement; "except", "other than" never do.
    """
    close = view.sentence_end(end)
    rest = view.masked[end:close]
    told = next((part for part in rest.split(",") if part.strip()), "")
    if _ALSO.search(told) and not _ASKS.search(told):
        return "additive"
    if _ASKS.search(rest):
        return "excluded"
    if _ALSO.search(rest):
        return "additive"
    states = re.match(_ADDING, cue.group()) and _STATES.match(rest) and view.masked[close : close + 1] != "?"
    return "additive" if states and not view.masked[view.sentence_start(start) : start].strip() else "excluded"


def only(view: QuestionView) -> Iterator[Clause]:
    """Yield "only X, nothing else" and "nothing but X": they keep X and exclude nothing."""
    for cue in _ONLY.finditer(view.masked):
        argument = read_list(view, cue.end())
        if argument is None or not argument.names or view.masked[: cue.start()].endswith("not "):
            continue
        around = view.masked[view.sentence_start(cue.start()) : view.sentence_end(argument.end) + 40]
        if cue.group("nothing") or _ELSE.search(around):
            yield Clause(start=cue.start(), end=argument.end, reading="only", names=argument.names)
