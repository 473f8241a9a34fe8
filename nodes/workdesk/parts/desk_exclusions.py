"""Which conditions of a question are those that it leaves out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from mindatlas.nodes.workdesk.parts.desk_items import Item
from mindatlas.nodes.workdesk.parts.desk_request import UnreadableRequest
from mindatlas.nodes.workdesk.parts.desk_text import QuestionText

Span = tuple[int, int]
_BETWEEN = re.compile(
    r"[\s、,，/“”\"'「」]*(?:和|与|跟|及|以及|或|and|or)?[\s,、“”\"'「」]*(?:the |any |all )*(?:状态|类型)?(?:为|是)?"
)
_TO_CLOSING = re.compile(r"[\s的“”\"'「」]*(?:工单|类型|状态)?(?:这个|一类)?[\s]*")


def mark_excluded(
    text: QuestionText, items: Sequence[Item], opened: Sequence[Span], closed: Sequence[Span]
) -> list[Item]:
    """Return the items, those that a cue of exclusion reaches marked.

    A cue before (除了, except) reaches the item behind it and all that are joined to that one; a cue behind
    (除外, 之外) the one before it and those joined.

    Raises:
        UnreadableRequest: `exclusion` where a cue reaches nothing: what is left out was not understood.
    """
    ordered = sorted(items, key=lambda item: item.start)
    reached: set[int] = set()
    for start, end in opened:
        chain = _chain(text, ordered, end)
        if not chain:
            raise UnreadableRequest("exclusion", text.as_written(start, min(len(text.folded), end + 8)))
        reached.update(chain)
    for start, end in closed:
        back = [index for index, item in enumerate(ordered) if item.end <= start]
        if not back or not _TO_CLOSING.fullmatch(text.folded[ordered[back[-1]].end : start]):
            raise UnreadableRequest("exclusion", text.as_written(max(0, start - 8), end))
        if not reached:
            reached.update(_chain_back(text, ordered, back[-1]))
    return [
        replace(item, excluded=not item.excluded) if index in reached else item
        for index, item in enumerate(ordered)
    ]


def _chain(text: QuestionText, ordered: Sequence[Item], position: int) -> list[int]:
    found = []
    for index, item in enumerate(ordered):
        if item.start >= position and _BETWEEN.fullmatch(text.folded[position : item.start]):
            found.append(index)
            position = item.end
    return found


def _chain_back(text: QuestionText, ordered: Sequence[Item], last: int) -> list[int]:
    found = [last]
    while found[-1] > 0 and re.fullmatch(
        r"[\s、,，]*(?:和|与|及|and|、)[\s]*",
        text.folded[ordered[found[-1] - 1].end : ordered[found[-1]].start],
    ):
        found.append(found[-1] - 1)
    return found
