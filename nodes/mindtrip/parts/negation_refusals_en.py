"""Refusals before their names: skip X, avoid X, don't recommend X, no X, not X, without X; and X aside behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_clauses import Clause, QuestionView, Span, excluding
from mindatlas.nodes.mindtrip.parts.negation_names_en import is_named, read_list

_VERB = (
    "(?:recommend(?:ing)?|suggest(?:ing)?|includ(?:e|ing)|list|mention|show (?:me|us)|send (?:me|us) to|take (?:me|us) to|give (?:me|us)"
    "|bring up|put|say|pick|choose|(?:want|wanna|wish|like|care)(?: to)?(?: (?:go(?: back)?(?: to)?|visit|see|eat(?: at)?|stay (?:at|in)|try|do))?"
    "|feel like|care for|go(?:ing)?(?: back)? to|visit(?:ing)?|eat(?:ing)?(?: at)?|bother with|consider(?:ing)?|plan on)"
)
_REFUSE = re.compile(
    rf"\b(?:(?:that |which |who )?(?:do not|don['’]?t|dont|never|no need to|won['’]?t|would not|wouldn['’]t|(?:rather )?not|not going to|did not|didn['’]t)"
    rf" (?:really |particularly |even )?{_VERB}|skip(?:ping)?|avoid(?:ing)?|exclude|leav(?:e|ing) out|rule out|omit|drop|ignore|forget(?: about)?"
    r"|pass on|stay(?:ing)? away from|steer clear of|cut out|(?:not|no longer|n['’]t)(?: really)? interested in|no interest in|not (?:a )?(?:big |huge )?(?:fan of|keen on|fond of|into)"
    r"|(?:tired|sick) of|bored (?:of|with)|fed up with|(?:had )?enough(?: of)?|can['’]?t stand|hate|dislike|done with|no more)\s+(?:going to |visiting |seeing )?"
)
_ASKED = re.compile(
    r"\b(?:should|do|did|would|may) (?:i|we)\b|\b(?:can|could) (?:i|we)\b(?!.*\b(?:else|other|another|different|instead)\b)|\b(?:is it|why|how|reasons?)\b|\b(?:places|things|spots|areas) to\s*$"
    r"|\b(?:people|tourists|locals|everyone)\b[^,]*$|(?:n['’]t|\bdont|\bnot|\bnever|\bways to)\s+(?:\w+ )?$|\bdo you\b[^,]*$"
)
_BARE_NO = re.compile(r"\bno\s+(?=[^\W\d_]|\ue000)")
_HAS_NO = re.compile(r"\b(?:is|are|was|has|have|had|got|with|there|need|be|in|of|takes?|find|see|there['’]s)\s*$")
_NOT = re.compile(
    r"(?:^|(?<=[,;(.—:?!\n])|\b(?:but|and|just|only|or|ideally|preferably|if))\s*(?:(?:please|also|ideally|preferably|definitely|just|maybe) )*(?:not(?: in| at| to)?(?! an? )|nothing (?:from|at|in))\s+"
    r"|\b(?:that|which)(?:\s+(?:is|are)|['’]s|['’]re)?(?: not|n['’]t)(?: in| at)?\s+"
)
_WITHOUT = re.compile(r"\bwithout\s+")
_ENDS = re.compile(
    r"\s*(?:$|[.?!;:,\n)—]|(?:please|pls|thanks|thank|this|and|but|today|tomorrow|again|any ?more|either|or|though|for me|at all|i|we|so"
    r"|where|what|which)\b)"
)
_AFTER = re.compile(r"\s+(?:any ?more|again|at all|either|this time|if possible|for me)\b")


_WHETHER = re.compile(r"\b(?:should|why|how|people|tourists|locals)\b")
_LEAVE = re.compile(r"\b(?:leav(?:e|ing)|tak(?:e|ing)|keep|cross|strike|cut|set(?:ting)?|put(?:ting)?)\s+")
_OFF = re.compile(r"\s+(?:aside|off|out(?! of)|out of)(?: of)?(?: (?:the|my|our|your))?(?: (?:list|plan|itinerary|trip|route))?\b")


def refusals(view: QuestionView) -> Iterator[Clause]:
    """Yield the refusals of a question that have an argument."""
    masked = view.masked
    for cue in _REFUSE.finditer(masked):
        if not _ASKED.search(masked, view.part_start(cue.start()), cue.start()):
            yield from _refused(view, cue)
    for cue in _BARE_NO.finditer(masked):
        if not _HAS_NO.search(masked[view.part_start(cue.start()) : cue.start()]):
            yield from _refused(view, cue, ends=True)
    for cue in _LEAVE.finditer(masked):
        argument = read_list(view, cue.end())
        off = _OFF.match(masked, argument.end) if argument and argument.names else None
        if argument and off and not _WHETHER.search(masked, view.part_start(cue.start()), cue.start()):
            yield excluding(argument, cue.start(), off.end())
    for cue in [*_NOT.finditer(masked), *_WITHOUT.finditer(masked)]:
        yield from _refused(view, cue, named=True)


def _refused(view: QuestionView, cue: re.Match[str], *, ends: bool = False, named: bool = False) -> Iterator[Clause]:
    argument = read_list(view, cue.end())
    if argument is None or not (argument.names or argument.attributes):
        return
    if named and not (argument.names and all(is_named(view, name) or _is_the(view, cue, name) for name in argument.names)):
        return
    if ends and not (all(is_named(view, name) for name in argument.names) or _ENDS.match(view.masked, argument.end)):
        return
    after = _AFTER.match(view.masked, argument.end)
    yield excluding(argument, cue.start(), after.end() if after else argument.end)


def _is_the(view: QuestionView, cue: re.Match[str], name: Span) -> bool:
    """Return whether `name` is the one thing of "but not the hilton": a lower-case name with its article."""
    return "not" in cue.group() and view.masked[: name[0]].endswith("the ") and bool(_ENDS.match(view.masked, name[1]))
