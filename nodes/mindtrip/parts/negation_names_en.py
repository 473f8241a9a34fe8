"""The argument of an English exclusion cue: a list of noun phrases, and where it ends.

A phrase is a known or quoted name, a run of capitalised words (Temple of Heaven), or lower-case words up to a stop
word or behind a kind of place (the summer palace).
"""

from __future__ import annotations

import re

from mindatlas.nodes.mindtrip.parts.negation_clauses import MASK, NAME, Argument, QuestionView, Span
from mindatlas.nodes.mindtrip.parts.negation_words import any_of

_NAME = re.compile(NAME)
_WORD = re.compile(rf"{NAME}|[^\W_]+(?:['’&.-][^\W_]+)*")
_LEAD = re.compile(rf"\s*(?:(?:{any_of('en', 'lead')}|{any_of('en', 'determiner')})\s+)*")
_SUCH_AS = re.compile(r"(?:[^\W_]+\s+){0,4}(?:like|such as)\s+(?:the\s+)?")
_SEPARATOR = re.compile(r"(?P<comma>\s*,)?\s*(?:\b(?:and|or|nor|as well as|plus)\b(?:\s+also)?|[&/、和])\s*|(?P<bare>\s*,\s*)")
_OF = re.compile(r"\s+(?:of|de|del|du|la|le|des|di|al|el)(?:\s+the)?\s+")
_GAP = re.compile(r"\s+(?:&\s+)?|(?<=\bst)\.\s+|(?<=\bmt)\.\s+|(?<=\bmr)\.\s+|(?<=\bdr)\.\s+|(?<=\bmrs)\.\s+")
_CLOSES = re.compile(
    r"\s*(?:$|[.?!;:,\n)—]|(?:where|what|which|who|how|is there|are there|(?:can|could|do|should|shall) (?:i|we|you)|in|for|near|on|to|that"
    r"|please|thanks|already|before|yesterday|last|too|twice|so|i|we|but|with|around|during|when)\b)"
)
_STOP = re.compile(rf"{any_of('en', 'stop')}(?![\w'’])")
_PLACE = re.compile(rf"{any_of('en', 'place_noun')}(?!\w)")
_PRONOUN = re.compile(rf"{any_of('en', 'pronoun')}")
_ATTRIBUTE = re.compile(
    rf"(?:.*\s)?{any_of('en', 'attribute')}|{any_of('en', 'adjective')}(?:[\s-].*)?|{any_of('en', 'flavour')}(?:\s{any_of('en', 'generic')})?|[0-9].*|{any_of('en', 'generic')}"
)
_ACTIVITY = re.compile(rf"(?!{any_of('en', 'not_activity')}\b)[a-z]{{2,}}ing\b")
_GENITIVE = re.compile(r"['’]s\b")
_TAIL = re.compile(r"['’]s\b|\s+(?:area|region|itself|tours?|trips?|stuff)\b")
_LONGEST = 4


def read_list(view: QuestionView, start: int) -> Argument | None:
    """Return the list of noun phrases that starts at `start`, or None where none stands there.

    Phrases joined by "and" alone all count. Over a comma the list goes on only when it closes, at punctuation, a
    question word or a preposition: in "besides A, B is good" B is no part of it.
    """
    spans: list[Span] = []
    counted, commas, position = 1, False, start
    while (span := phrase_at(view, position)) is not None:
        if commas and not _listed(view, span):
            break
        spans.append(span)
        if not commas or _CLOSES.match(view.masked, span[1]):
            counted = len(spans)
        separator = _SEPARATOR.match(view.masked, span[1])
        if separator is None:
            break
        commas = commas or bool(separator.group("comma") or separator.group("bare"))
        position = separator.end()
    return _sorted(view, spans[:counted]) if spans else None


def phrase_at(view: QuestionView, start: int) -> Span | None:
    """Return the span of the noun phrase at `start`, without its article and without 's, or None."""
    while view.masked[start : start + 1] == " ":
        start += 1
    lead = None if view.is_capital(start) else _LEAD.match(view.masked, start)
    start = lead.end() if lead else start
    such_as = None if _STOP.match(view.masked, start) else _SUCH_AS.match(view.masked, start)
    start = such_as.end() if such_as else start
    word = _WORD.match(view.masked, start)
    if word is None or (_STOP.match(view.masked, start) and not view.is_capital(start)):
        return None
    if view.masked[start] == MASK:
        return start, _known_end(view, word.end())
    return (start, _capital_end(view, word)) if view.is_capital(start) else _lower(view, word)


def is_named(view: QuestionView, span: Span) -> bool:
    """Return whether `span` is known, quoted or capitalised, or a lower-case kind of place with its own name."""
    if view.masked[span[0]] == MASK or view.is_capital(span[0]):
        return True
    words = view.folded[slice(*span)].split()
    return len(words) > 1 and bool(_PLACE.fullmatch(words[-1]))


def _listed(view: QuestionView, span: Span) -> bool:
    return is_named(view, span) or not _describes(view, span)


def _sorted(view: QuestionView, spans: list[Span]) -> Argument:
    """Return the phrases told apart: names, and words that only describe; pronouns (that, ones) are dropped."""
    tail = _TAIL.match(view.masked, spans[-1][1])
    told = [span for span in spans if not _PRONOUN.fullmatch(view.folded[slice(*span)])]
    return Argument(
        names=tuple(span for span in told if not _describes(view, span)),
        attributes=tuple(span for span in told if _describes(view, span)),
        end=tail.end() if tail else spans[-1][1],
    )


def _describes(view: QuestionView, span: Span) -> bool:
    """Return whether a phrase is an activity, a quality, a cost, a time or a mere kind of place."""
    if view.masked[span[0]] == MASK:
        return False
    text = view.folded[slice(*span)]
    if view.is_capital(span[0]) and " " in text:
        return False
    return bool(_ATTRIBUTE.fullmatch(text) or _ACTIVITY.match(text))


def _known_end(view: QuestionView, end: int) -> int:
    """Return where the user's name ends that starts with a known one: Riyue Bay Hostel is not Riyue Bay."""
    following = _GAP.match(view.masked, end)
    word = _WORD.match(view.masked, following.end()) if following else None
    if word is None or word.group()[0] == MASK:
        return end
    place = _PLACE.fullmatch(view.masked[word.start() : word.end()])
    if place or (view.is_capital(word.start()) and not _STOP.fullmatch(word.group())):
        return _known_end(view, word.end())
    return end


def _capital_end(view: QuestionView, word: re.Match[str]) -> int:
    """Return where the run of capitalised words ends; "of", "de", "la" join two of them."""
    end = word.end()
    for _ in range(8):
        gap = _OF.match(view.masked, end) or _GAP.match(view.masked, end)
        following = _WORD.match(view.masked, gap.end()) if gap else None
        if following is None or following.group()[0] == MASK:
            break
        kind = _PLACE.fullmatch(following.group()) and not _STOP.match(view.masked, end + 1)
        if not (view.is_capital(following.start()) or following.group().isdigit() or kind):
            break
        if _STOP.fullmatch(following.group()):
            break
        end = following.end()
    return _without_genitive(view, end)


def _lower(view: QuestionView, word: re.Match[str]) -> Span:
    """Return the lower-case phrase: up to a stop word, or behind a kind of place, at most four words."""
    start, end = word.span()
    for _ in range(_LONGEST - 1):
        gap = _OF.match(view.masked, end) or _GAP.match(view.masked, end)
        following = _WORD.match(view.masked, gap.end()) if gap else None
        if following is None or _STOP.fullmatch(following.group()) or following.group()[0] == MASK:
            break
        ended = _PLACE.fullmatch(view.masked[view.masked.rfind(" ", start, end) + 1 : end])
        if ended and not _PLACE.fullmatch(following.group()) and not _OF.match(view.masked, end):
            break
        end = following.end()
    return start, _without_genitive(view, end)


def _without_genitive(view: QuestionView, end: int) -> int:
    """Return the end before 's where a noun follows: Riyue Bay's waves, but McDonald's."""
    owns = _GENITIVE.match(view.masked, end - 2) and re.match(r" [^\W_]", view.masked[end : end + 2])
    return end - 2 if owns and not _STOP.match(view.masked, end + 1) else end
