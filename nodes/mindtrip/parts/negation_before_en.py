"""The names that stand before an English cue: Nanshan and Yalong Bay in "Nanshan and Yalong Bay aside"."""

from __future__ import annotations

import re

from mindatlas.nodes.mindtrip.parts.negation_clauses import NAME, WINDOW, QuestionView, Span

_JOIN = re.compile(r"\s*(?:(?P<comma>,)\s*|,\s*and\s+|\s+and\s+|\s+or\s+|&|/)\s*$")
_WORD = re.compile(r"[^\W_]+(?:['.&-][^\W_]+)*")


def names_before(view: QuestionView, end: int) -> tuple[Span, ...]:
    """Return the known or capitalised names that end at `end`; commas go on with a list that has an "and"."""
    names: list[Span] = []
    listed = False
    low = max(0, end - WINDOW)
    while name := _name_before(view, low, end):
        names.insert(0, name)
        join = _JOIN.search(view.masked, low, name[0])
        listed = listed or bool(join and not join.group("comma"))
        if join is None or not listed:
            break
        end = join.start()
    return tuple(names)


def _name_before(view: QuestionView, low: int, end: int) -> Span | None:
    known = re.search(f"{NAME}$", view.masked[low:end])
    if known:
        return low + known.start(), end
    start = end
    for word in reversed(list(_WORD.finditer(view.masked, low, end))):
        if view.masked[word.end() : start].strip() or not view.is_capital(word.start()):
            break
        start = word.start()
    return (start, end) if start < end else None
