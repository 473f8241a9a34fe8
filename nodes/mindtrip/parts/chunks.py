"""Chunks: a long text cut at sentence ends into pieces short enough to retrieve and cite."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindatlas.nodes.errors import UsageError
from mindatlas.nodes.text import sentences

Span = tuple[int, int]

_PAUSE = re.compile(r"[，、,：:]|\s")
_BLANK = re.compile(r"\s*")


def split_text(text: str, *, max_chars: int = 1000, overlap: int = 120) -> list[str]:
    """Return the chunks of `text`, in order, each a verbatim slice of it; none for blank text.

    Cuts fall at sentence ends. A sentence longer than `max_chars` is cut after its last pause (comma, colon,
    white space) that fits, or after `max_chars` characters when it has none. Together the chunks hold every
    character but the white space where they were cut.

    Args:
        text: what to cut.
        max_chars: the longest chunk, in characters.
        overlap: a chunk repeats whole sentences (or pieces of a cut one) from the end of the one before, up
            to this many characters.

    Raises:
        UsageError: not 0 <= overlap < max_chars.
    """
    return [text[start:end] for start, end in chunk_spans(text, max_chars=max_chars, overlap=overlap)]


def chunk_spans(text: str, *, max_chars: int = 1000, overlap: int = 120) -> list[Span]:
    """Return the (start, end) offsets of the chunks that `split_text` returns; both only ever grow."""
    if not 0 <= overlap < max_chars:
        raise UsageError(f"overlap={overlap!r} must be at least 0 and less than max_chars={max_chars!r}")
    pieces = [piece for span in _sentence_spans(text) for piece in _cut(text, span, max_chars)]
    chunks: list[Span] = []
    first = 0
    for index, (_, end) in enumerate(pieces):
        following = pieces[index + 1][1] if index + 1 < len(pieces) else None
        if following is not None and following - pieces[first][0] <= max_chars:
            continue
        chunks.append((pieces[first][0], end))
        if following is not None:
            first = _overlap_start(pieces, index, max(end - overlap, following - max_chars))
    return chunks


def _sentence_spans(text: str) -> Iterator[Span]:
    """Yield where each sentence stands: they follow each other with only white space between."""
    position = 0
    for sentence in sentences(text):
        start = text.index(sentence, position)
        position = start + len(sentence)
        yield start, position


def _cut(text: str, span: Span, max_chars: int) -> Iterator[Span]:
    """Yield the pieces of one sentence, none longer than `max_chars`."""
    start, end = span
    while end - start > max_chars:
        pauses = [match.end() for match in _PAUSE.finditer(text, start, start + max_chars)]
        cut = pauses[-1] if pauses else start + max_chars
        yield start, cut
        start = _skip_blank(text, cut)
    yield start, end


def _skip_blank(text: str, position: int) -> int:
    match = _BLANK.match(text, position)
    return match.end() if match else position


def _overlap_start(pieces: list[Span], last: int, earliest: int) -> int:
    """Return the index of the next chunk's first piece: the longest tail not before `earliest`."""
    first = last + 1
    while first > 0 and pieces[first - 1][0] >= earliest:
        first -= 1
    return first
