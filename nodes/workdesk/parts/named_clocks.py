"""Which clocks of a tool a text names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from mindatlas.nodes.dates import find_dates
from mindatlas.nodes.text import fold
from mindatlas.nodes.workdesk.parts.overlay_model import Clock, DualTime

_BETWEEN = r"(?:份|里|内|中)?的?"
_BEHIND = r"(?=的(?!状态)|[了过时量数]|工?单|多少|几|[\W_]|$)"  # 新建路站 is a name, 新建状态 a status


def named_clocks(text: str, dual: DualTime, today: date) -> list[str]:
    """Return the values of the clocks whose words stand in `text`."""
    folded = fold(text)
    return [
        value
        for value, clock in dual.clocks.items()
        if any(fold(word) in folded for word in clock.words) or any(spans_after_time(text, clock, today))
    ]


def spans_after_time(text: str, clock: Clock, today: date) -> Iterator[tuple[int, int]]:
    """Yield where `text` has a word of the clock right behind a time."""
    if not clock.words_after_time:
        return
    words = "|".join(map(re.escape, clock.words_after_time))
    for mention in find_dates(text, today):
        if match := re.compile(f"{_BETWEEN}(?P<word>{words}){_BEHIND}").match(text, mention.end):
            yield match.span("word")


def clocks_of_turn(question: str, before: Sequence[str], dual: DualTime, today: date) -> list[str]:
    """Return the clocks that the question names, or else those of the latest earlier question that names any."""
    texts = (question, *reversed(before))
    return next((named for text in texts if (named := named_clocks(text, dual, today))), [])
