"""The argument of an English exclusion cue: a list of noun phrases, and where it ends.

A phrase is a known or quoted name, a run of capitalised words (Temple of Heaven), or lower-case words up to a stop
word or behind a kind of place (the summer palace).
"""

from __future__ import annotations

import re

from mindatlas.nodes.mindtrip.parts.negation_clauses import MASK, NAME, Argument, QuestionView, Span
from mindatlas.nodes.mindtrip.parts.negation_words import any_of, either

_WORD = re.compile(rf"{NAME}|[^\W_]+(?:['.&-][^\W_]+)*")
_LEAD = re.compile(rf"(?:(?:{any_of('en', 'lead')}|{any_of('en', 'determiner')})\s+)*")
_SUCH_AS = re.compile(r"(?:[^\W_]+\s+){0,4}(?:like|such as)\s+(?:the\s+)?")
_SEPARATOR = re.compile(
    r"(?P<comma>\s*,)?\s*(?:\b(?:and|or|nor|as well as|plus)\b(?:\s+also)?|[&/、和])\s*|(?P<bare>\s*,\s*)"
)
_OF = re.compile(r"\s+(?:of|de|del|du|la|le|des|di|al|el)(?:\s+the)?\s+")
_GAP = re.compile(r"\s+(?:&\s+)?|(?<=\b(?:st|mt|mr|dr|ms))\.\s+|(?<=\bmrs)\.\s+")
_GENITIVE = re.compile(r"'s\b")
_TAIL = re.compile(r"'s\b|\s+(?:area|region|itself|tours?|trips?|stuff)\b")
_CLOSES = re.compile(
    r"\s*(?:$|[.?!;:,\n)—]|(?:where|what|which|who|how|(?:is|are) there|(?:can|could|do|should"
    r"|shall) (?:i|we|you)"
    r"|in|for|near|on|to|that|please|thanks|already|before|yesterday|last|too|twice|so|i|we|but|with"
    r"|around|during|when)\b)"
)
_STOP = re.compile(rf"{any_of('en', 'stop')}(?![\w'])")
_PLACE = re.compile(any_of("en", "place_noun"))
_PRONOUN = re.compile(any_of("en", "pronoun"))
_GENERIC = any_of("en", "generic")
_DESCRIBES = re.compile(
    either(
        rf"(?:.*\s)?{any_of('en', 'attribute')}",  # crowds, the long queues
        rf"{any_of('en', 'adjective')}(?:[\s-].*)?",  # touristy places
        rf"{any_of('en', 'flavour')}(?:\s{_GENERIC})?",  # spicy food; not fried rice
        rf"[0-9].*|(?:.*\s)?(?:ones?|things?|stuff)|{_GENERIC}",
        rf"(?!{any_of('en', 'not_activity')}\b)[a-z]{{2,}}ing\b.*",  # surfing, being cheap; not Beijing
    )
)
_MOST, _MOST_WORDS = 15, 4


def read_list(view: QuestionView, start: int) -> Argument | None:
    """Return the list of noun phrases that starts at `start`, or None where none stands there.

    Phrases joined by "and" alone all count. Over a comma the list goes on only when it closes, at punctuation, a
    question word or a preposition: in "besides A, B is good" B is no part of it. At most 15 phrases are read.
    """
    spans: list[Span] = []
    counted, commas, position = 1, False, start
    while len(spans) < _MOST and (span := phrase_at(view, position)):
        if commas and not is_named(view, span) and _describes(view, span):
            break
        spans.append(span)
        if not commas or _CLOSES.match(view.masked, span[1]):
            counted = len(spans)
        separator = _SEPARATOR.match(view.masked, span[1])
        if separator is None:
            break
        commas = commas or bool(separator.group("comma") or separator.group("bare"))
        position = separator.end()
    return _argument(view, spans[:counted]) if spans else None


def phrase_at(view: QuestionView, start: int) -> Span | None:
    """Return the span of the noun phrase at `start`, without its article and without 's, or None.

    "usual stuff like Nanshan" is Nanshan; a capital The belongs to the name (The Great Gatsby).
    """
    masked = view.masked
    while masked[start : start + 1] == " ":
        start += 1
    if not view.is_capital(start):
        lead = _LEAD.match(masked, start)
        start = lead.end() if lead else start
    such_as = None if _STOP.match(masked, start) else _SUCH_AS.match(masked, start)
    start = such_as.end() if such_as else start
    word = _WORD.match(masked, start)
    if word is None or (_STOP.match(masked, start) and not view.is_capital(start)):
        return None
    if masked[start] == MASK:
        return start, _known_end(view, word.end())
    return start, _capital_end(view, word.end()) if view.is_capital(start) else _lower_end(view, word)


def is_named(view: QuestionView, span: Span) -> bool:
    """Return whether `span` is known, quoted or capitalised, or lower-case words that end in a kind of place."""
    if view.masked[span[0]] == MASK or view.is_capital(span[0]):
        return True
    words = view.folded[slice(*span)].split()
    return len(words) > 1 and bool(_PLACE.fullmatch(words[-1]))


def _argument(view: QuestionView, spans: list[Span]) -> Argument:
    """Return the phrases told apart: names, and words that only describe; pronouns (that, ones) are dropped."""
    tail = _TAIL.match(view.masked, spans[-1][1])
    told = [span for span in spans if not _points(view.folded[slice(*span)])]
    return Argument(
        names=tuple(span for span in told if not _describes(view, span)),
        attributes=tuple(span for span in told if _describes(view, span)),
        end=tail.end() if tail else spans[-1][1],
    )


def _points(text: str) -> bool:
    """Return whether `text` (folded) only points at something, or holds no word at all."""
    return bool(_PRONOUN.fullmatch(text)) or not re.search(r"[^\W_]", text)


def _describes(view: QuestionView, span: Span) -> bool:
    """Return whether a phrase is an activity, a quality, a cost, a time or a mere kind of place."""
    text = view.folded[slice(*span)]
    proper = view.masked[span[0]] == MASK or (view.is_capital(span[0]) and " " in text)
    return not proper and bool(_DESCRIBES.fullmatch(text))


def _known_end(view: QuestionView, end: int) -> int:
    """Return where the user's name ends that starts with a known one: Riyue Bay Hostel is not Riyue Bay."""
    for _ in range(2 * _MOST_WORDS):
        word = _word_after(view, _GAP.match(view.masked, end))
        if word is None or _STOP.fullmatch(word.group()):
            break
        if not (view.is_capital(word.start()) or _PLACE.fullmatch(word.group())):
            break
        end = word.end()
    return end


def _capital_end(view: QuestionView, end: int) -> int:
    """Return where the run of capitalised words ends; "of", "de", "la" join two of them, a kind of place may end it."""
    for _ in range(2 * _MOST_WORDS):
        word = _word_after(view, _OF.match(view.masked, end) or _GAP.match(view.masked, end))
        if word is None or _STOP.fullmatch(word.group()):
            break
        kind = _PLACE.fullmatch(word.group()) and not _OF.match(view.masked, end)
        if not (view.is_capital(word.start()) or word.group().isdigit() or kind):
            break
        end = word.end()
    return _without_genitive(view, end)


def _lower_end(view: QuestionView, word: re.Match[str]) -> int:
    """Return where a lower-case phrase ends: at a stop word, behind a kind of place, or after four words."""
    for _ in range(_MOST_WORDS - 1):
        of = _OF.match(view.masked, word.end())
        following = _word_after(view, of or _GAP.match(view.masked, word.end()))
        if following is None or _STOP.fullmatch(following.group()):
            break
        if not of and _PLACE.fullmatch(word.group()) and not _PLACE.fullmatch(following.group()):
            break
        word = following
    return _without_genitive(view, word.end())


def _word_after(view: QuestionView, gap: re.Match[str] | None) -> re.Match[str] | None:
    """Return the word behind `gap`, unless it is a known name: that one starts a phrase of its own."""
    word = _WORD.match(view.masked, gap.end()) if gap else None
    return None if word is None or word.group().startswith(MASK) else word


def _without_genitive(view: QuestionView, end: int) -> int:
    """Return the end before 's where a noun follows: Riyue Bay's waves, but McDonald's."""
    owns = _GENITIVE.match(view.masked, end - 2) and re.match(r" [^\W_]", view.masked[end : end + 2])
    return end - 2 if owns and not _STOP.match(view.masked, end + 1) else end
