"""What the user has done already (I've been to X, already did X), and cues behind their names (X aside, X is out)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.mindtrip.parts.negation_clauses import NAME, WINDOW, Argument, Clause, QuestionView, Span, excluding
from mindatlas.nodes.mindtrip.parts.negation_names_en import is_named, read_list

_SEEN = (
    "(?:been (?:to|in|at)|gone to|visited|seen|done|tried|eaten(?: at| in)?|had|stayed (?:at|in)|read|explored|toured|covered|hit|finished"
    "|watched|checked out|surfed(?: at| in)?|hiked|climbed|walked|experienced|dined at|swum (?:at|in)|crossed off)"
)
_SAW = "(?:went to|had|was (?:at|in)|were (?:at|in)|visited|saw|did|tried|ate(?: at| in)?|stayed (?:at|in)|read|explored|toured|covered|hit|finished|checked out|surfed(?: at| in)?|hiked|climbed|dined at)"
_BOTH = "(?: both| all| just| recently| already| also| previously)*"
_DONE = re.compile(
    rf"\b(?:having(?: already)? {_SEEN}|(?:i|we)(?:['’]ve| have|ve|['’]d){_BOTH} {_SEEN}|(?:(?:i|we)(?:['’]ve| have)? )?(?:already|just) (?:{_SEEN}|{_SAW})"
    rf"|(?P<past>(?:i|we)(?: just| recently| also)? {_SAW})|(?:(?:i|we) )?(?:just )?(?:came|got|coming) back from|(?:(?:i['’]?m|we['’]?re|just) )+back from)(?: both| all)?\s+"
    rf"|(?:^|(?<=[.!?;\n,]))\s*(?:so )?(?P<bare>{_SEEN}|went to|did|tried|ate at)(?: both)?\s+"
)
_NOT_DONE = re.compile(
    r"\b(?:have|has|had|did|do|if|who|when|people|anyone|everyone|friends?|you|they|he|she|never|not|yet|time|should|can|could|would|will|must|to|may|might|shall|does|haven['’]t|hasn['’]t|n['’]t)\s*$"
)
_AFTER = re.compile(
    r"(?:\s+(?:already|before|twice|once|(?:two|three|four|five|many|several|a few|too many|so many|\d+) times|yesterday|recently|today|this morning|earlier"
    r"|too|last (?:time|year|week|month|summer|winter|spring|trip|night|visit)|on (?:my|our) last (?:trip|visit)|on previous trips|in the past|a lot|too often))+"
)
_AGAIN = re.compile(r"\b(?:again|revisit|return(?:ing)? to|go(?:ing)? back|back there|compare|comparison|similar to|how does it)\b")
_OTHERS = re.compile(
    r"\b(?:else|other|others|another|different|new|next|more|recommend|suggest|instead|besides|alternatives?|what|where|which|somewhere|something|looking for)\b"
)
_BACK = re.compile(r"\b(?:it|its)\b")
_ASIDE = re.compile(
    r",?\s+(?:aside\b(?! from)|excluded\b|excepted\b|not included\b|(?:is|are|['’]s) (?:(?:already )?done(?! with)|out|excluded|off the (?:list|table)|not an option|a no(?:-go)?)\b"
    r"|does(?: not|n[’\']t) interest (?:me|us)\b|is(?: not|n[\'’]t) for (?:me|us)\b|does(?: not|n['’]t) count\b|,?\s*no thanks\b)|[,:]?\s+(?:which |that )?(?:i|we)(?:['’]ve| have)(?: already)? (?:been to|been there|done|seen|visited|tried)(?: already)?(?=\s*(?:$|[.,;!]))"
    r"|[,:—-]\s*been there(?:,? done that)?"
)
_ASKING = re.compile(r"\s*(?:is|are|was|were|does|do|did|why|how)\b")
_BEFORE_JOIN = re.compile(r"\s*(?:,\s*(?:and\s+)?|\s+and\s+|\s+or\s+|&|/)\s*$")


def told(view: QuestionView) -> Iterator[Clause]:
    """Yield what was done already, where others are wanted, and the cues that stand behind a name."""
    for cue in _DONE.finditer(view.masked):
        yield from _done(view, cue)
    for cue in _ASIDE.finditer(view.masked):
        if _ASKING.match(view.masked, view.part_start(cue.start())):
            continue
        names = _names_before(view, cue.start())
        if names:
            yield excluding(Argument(names=names, attributes=(), end=cue.start()), names[0][0], cue.end())


def _done(view: QuestionView, cue: re.Match[str]) -> Iterator[Clause]:
    masked = view.masked
    if _NOT_DONE.search(masked[view.part_start(cue.start()) : cue.start()]):
        return
    argument = read_list(view, cue.end())
    if argument is None or not argument.names:
        return
    after = _AFTER.match(masked, argument.end)
    end = after.end() if after else argument.end
    rest = masked[max(0, cue.start() - WINDOW) : cue.start()] + " , " + masked[end : end + 2 * WINDOW]
    others = bool(_OTHERS.search(rest))
    if _AGAIN.search(rest) or (_BACK.search(rest) and not re.search(r"\b(?:else|other|another|different)\b", rest)):
        return
    finished = bool(after or re.search(r"\b(?:already|just)\b", cue.group()))
    if cue.group().endswith("had ") and not (after or all(is_named(view, name) for name in argument.names)):
        return
    if masked[end : end + 1] == "?" or not (others or finished or not (cue.group("past") or cue.group("bare"))):
        return
    yield excluding(argument, cue.start(), end)


def _names_before(view: QuestionView, end: int) -> tuple[Span, ...]:
    """Return the known or capitalised names, joined by commas and "and", that end at `end`."""
    names: list[Span] = []
    joined = False
    low = max(0, end - WINDOW)
    while name := _name_before(view, low, end):
        names.insert(0, name)
        join = _BEFORE_JOIN.search(view.masked, low, name[0])
        joined = joined or bool(join and "," != join.group().strip())
        if join is None or not joined:
            break
        end = join.start()
    return tuple(names)


def _name_before(view: QuestionView, low: int, end: int) -> Span | None:
    known = re.search(rf"{NAME}$", view.masked[low:end])
    if known:
        return low + known.start(), end
    start = end
    for word in reversed(list(re.finditer(r"[^\W_]+(?:['’.&-][^\W_]+)*", view.masked[low:end]))):
        joined = view.masked[low + word.end() : start].strip() == "" and view.is_capital(low + word.start())
        if not joined:
            break
        start = low + word.start()
    return (start, end) if start < end and is_named(view, (start, end)) else None
