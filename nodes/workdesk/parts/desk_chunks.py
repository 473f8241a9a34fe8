"""The pieces of a question that may be names, without the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.text import is_cjk
from mindatlas.nodes.workdesk.parts.desk_text import QuestionText
from mindatlas.nodes.workdesk.parts.desk_vocabulary import cue, fillers

_SPLIT = re.compile(r"的|、|,|，|;|；|/|(?<=[a-z0-9])\s+(?:in|at|for|by|of|from|with|on)\s+(?=\S)|\s+and\s+")
_JOINERS = re.compile(r"和|与|跟|及|以及|或")
BEFORE_NAME = re.compile(r"^(?:属于|来自|关于|分给|派给|交给|由|对|把|被|从)+")


def name_chunks(text: QuestionText) -> Iterator[tuple[int, int]]:
    """Yield the pieces of what is left between the words that join them, without fillers at their ends."""
    for run_start, run_end in text.runs():
        start = run_start
        for match in [*_SPLIT.finditer(text.left, run_start, run_end), None]:
            stop = match.start() if match else run_end
            yield from _joined(text, start, stop)
            start = match.end() if match else run_end


def _joined(text: QuestionText, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of 东区抢修组和西区抢修组; 和平站 stays whole."""
    start, end = trimmed(text, start, end)
    for match in _JOINERS.finditer(text.left, start, end):
        if match.start() - start >= 2 and end - match.end() >= 2:
            yield trimmed(text, start, match.start())
            yield from _joined(text, match.end(), end)
            return
    if start < end:
        yield start, end


def trimmed(text: QuestionText, start: int, end: int) -> tuple[int, int]:
    """Return the piece without the fillers, spaces and marks at its ends."""
    piece = re.compile(rf"(?:\s|[^\w\s]|{fillers().pattern}|{BEFORE_NAME.pattern[1:]})+")
    while start < end and (match := piece.match(text.left, start, end)) and match.end() > start:
        start = match.end()
    tail = re.search(rf"(?:\s|[^\w\s]|{fillers().pattern})+$", text.left[start:end])
    while tail and tail.end() > tail.start() and start < end:
        end = start + tail.start()
        tail = re.search(rf"(?:\s|[^\w\s]|{fillers().pattern})+$", text.left[start:end])
    return start, end


def looks_like_name(chunk: str) -> bool:
    """Return whether a piece may be a name: 2 to 20 characters, or up to five Latin words, no number, no condition."""
    if cue("not_in_names").search(chunk):
        return False
    if is_cjk(chunk):
        return 2 <= len(chunk) <= 20
    return 2 <= len(chunk) <= 40 and len(chunk.split()) <= 5 and not re.fullmatch(r"[\d\W]+", chunk)
