"""Refusals before their names: skip X, avoid X, don't recommend X, leave X out, no X, not X, without X."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_clauses import Clause, QuestionView, Span, excluding
from mindatlas.nodes.mindtrip.parts.negation_names_en import is_named, read_list
from mindatlas.nodes.mindtrip.parts.negation_words import either

_NOT_TO = (
    r"(?:(?:that|which|who) )?(?:do not|don'?t|never|no need to|won't|would not|wouldn't|(?:rather )?not"
    r"|not going to|did not|didn't)"
    " (?:really |particularly |even )?"
)
_VERB = either(
    "recommend(?:ing)?|suggest(?:ing)?|includ(?:e|ing)|list|mention|(?:show|give) (?:me|us)|(?:send"
    "|take) (?:me|us) to",
    "feel like|care for",
    "(?:want|wanna|wish|like|care)(?: to)?(?: (?:go(?: back)?(?: to)?|visit|see|eat(?: at)?|stay (?:at"
    "|in)|try|do))?",
    "bring up|put|say|pick|choose|go(?:ing)?(?: back)? to|visit(?:ing)?|eat(?:ing)?(?: at)?|bother with",
    "consider(?:ing)?|plan on",
)
_KEEP_OFF = either(
    "skip(?:ping)?|avoid(?:ing)?|exclude|leav(?:e|ing) out|rule out|omit|drop|ignore|forget(?: about)?"
    "|pass on|cut out",
    "stay(?:ing)? away from|steer clear of",
)
_TIRED = either(
    "(?:not|no longer|(?:are|is)n't)(?: really)? interested in|no interest in|not (?:a )?(?:big "
    "|huge )?(?:fan of|keen on|fond of|into)",
    "(?:tired|sick) of|bored (?:of|with)|fed up with|(?:had )?enough(?: of)?|can'?t stand|hate|dislike"
    "|done with|no more",
)
_CUE = re.compile(rf"\b(?:{_NOT_TO}{_VERB}|{_KEEP_OFF}|{_TIRED})\s+(?:going to |visiting |seeing )?")
_ASKED = re.compile(
    either(
        r"\b(?:should|do|did|would|may) (?:i|we)\b|\b(?:is it|why|how|reasons?)\b|\b(?:places|things"
        r"|spots|areas) to\s*$",
        r"\b(?:can|could) (?:i|we)\b",
        r"\b(?:people|tourists|locals|everyone|do you)\b[^,]*$",
        r"(?:n't|\bdont|\bnot|\bnever|\bways to)\s+(?:\w+ )?$",
    )
)
_LEAVE = re.compile(r"\b(?:leav(?:e|ing)|tak(?:e|ing)|keep|cross|strike|cut|set(?:ting)?|put(?:ting)?)\s+")
_OUT = re.compile(
    r"\s+(?:aside|off|out(?! of)|out of)(?: of)?(?: (?:the|my|our|your))?(?: (?:list|plan|itinerary|trip"
    r"|route))?\b"
)
_WHETHER = re.compile(r"\b(?:should|why|how|people|tourists|locals)\b")

_NO = re.compile(r"\bno\s+(?=[^\W\d_]|\ue000)")
_HAS_NO = re.compile(r"\b(?:is|are|was|has|have|had|got|with|there(?:'s)?|need|be|in|of|takes?|find|see)\s*$")
_NOT = re.compile(
    either(
        r"(?:^|(?<=[,;(.—:?!\n])|\b(?:but|and|just|only|or|ideally|preferably|if))"
        r"\s*(?:(?:please|also|ideally|preferably|definitely|just|maybe) )*"
        r"(?:not(?: in| at| to)?(?! an? )|nothing (?:from|at|in))\s+",
        r"\b(?:that|which)(?:\s+(?:is|are)|'s|'re)?(?: not|n't)(?: in| at)?\s+",
        r"\bwithout\s+",
    )
)
_ENDS = re.compile(
    r"\s*(?:$|[.?!;:,\n)—]|(?:please|pls|thanks?|this|and|but|today|tomorrow|again|any ?more|either|or"
    r"|though|for me|at all|i|we|so"
    r"|where|what|which)\b)"
)
_TAIL = re.compile(r"\s+(?:any ?more|again|at all|either|this time|if possible|for me)\b")


def refusals(view: QuestionView) -> Iterator[Clause]:
    """Yield the refusals of a question that have an argument."""
    masked = view.masked
    for cue in _CUE.finditer(masked):
        if not _asks_whether(view, cue):
            yield from _refused(view, cue)
    for cue in _LEAVE.finditer(masked):
        yield from _left_out(view, cue)
    for cue in _NO.finditer(masked):
        if not _HAS_NO.search(masked[view.part_start(cue.start()) : cue.start()]):
            yield from _refused(view, cue, closed=True)
    for cue in _NOT.finditer(masked):
        yield from _refused(view, cue, named=True)


def _asks_whether(view: QuestionView, cue: re.Match[str]) -> bool:
    """Return whether the user asks about leaving out ("should I skip X", "places to avoid") or says not to ("don't skip X").

    "Can we skip X and see something else" asks for something else, so it is a refusal.
    """
    asked = _ASKED.search(view.masked, view.part_start(cue.start()), cue.start())
    rest = view.masked[cue.end() : view.sentence_end(cue.end())]
    others = re.search(r"\b(?:else|other|another|different|instead)\b", rest)
    return bool(asked) and not (asked and asked.group().startswith(("can", "could")) and others)


def _refused(
    view: QuestionView, cue: re.Match[str], *, closed: bool = False, named: bool = False
) -> Iterator[Clause]:
    """Yield the refusal of `cue`; a weak cue asks more of a lower-case phrase.

    With `closed` ("no X") the phrase must end the part, with `named` ("not X", "without X") it must be a name.
    """
    argument = read_list(view, cue.end())
    if argument is None or not (argument.names or argument.attributes):
        return
    all_named = all(is_named(view, name) or (named and _is_the(view, cue, name)) for name in argument.names)
    if named and not (argument.names and all_named):
        return
    if closed and not (all_named or _ENDS.match(view.masked, argument.end)):
        return
    tail = _TAIL.match(view.masked, argument.end)
    yield excluding(argument, cue.start(), tail.end() if tail else argument.end)


def _is_the(view: QuestionView, cue: re.Match[str], name: Span) -> bool:
    """Return whether `name` is the one thing of "but not the hilton": a lower-case name with its article."""
    article = view.masked.endswith("the ", 0, name[0])
    return "not" in cue.group() and article and bool(_ENDS.match(view.masked, name[1]))


def _left_out(view: QuestionView, cue: re.Match[str]) -> Iterator[Clause]:
    argument = read_list(view, cue.end())
    out = _OUT.match(view.masked, argument.end) if argument and argument.names else None
    if argument and out and not _WHETHER.search(view.masked, view.part_start(cue.start()), cue.start()):
        yield excluding(argument, cue.start(), out.end())
