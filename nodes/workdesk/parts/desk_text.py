"""A question being read: every word that is understood is taken out, so that what stays was not."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from mindatlas.nodes.text import fold_with_offsets

TAKEN = "\x1f"
"""Stands for each character that was understood; no pattern matches across it."""

_EDGE = re.compile(r"^[\s\W_]+|[\s\W_]+$")


class QuestionText:
    """The folded text of a question, and which of its characters were understood.

    Attributes:
        written: the question as it was written.
        folded: the whole question folded for matching.
        left: the same with every understood character replaced by `TAKEN`.
    """

    def __init__(self, written: str) -> None:
        self.written = written
        self.folded, self._offsets = fold_with_offsets(written)
        self.left = self.folded

    def take(self, start: int, end: int) -> None:
        """Mark the folded characters from `start` up to `end` as understood."""
        self.left = self.left[:start] + TAKEN * (end - start) + self.left[end:]

    def take_all(self, pattern: re.Pattern[str]) -> list[re.Match[str]]:
        """Return the matches in what is left, marked as understood; empty ones are passed over."""
        found = [match for match in pattern.finditer(self.left) if match.end() > match.start()]
        for match in found:
            self.take(match.start(), match.end())
        return found

    def take_first(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Return the first match in what is left, marked as understood."""
        match = pattern.search(self.left)
        if match:
            self.take(match.start(), match.end())
        return match

    def folded_span(self, start: int, end: int) -> tuple[int, int]:
        """Return where the characters `written[start:end]` lie in the folded text."""
        return bisect_left(self._offsets, start), bisect_left(self._offsets, end)

    def as_written(self, start: int, end: int) -> str:
        """Return the words at the folded place as the user wrote them, without marks at their ends."""
        return _EDGE.sub("", self.written[self._offsets[start] : self._offsets[end]])

    def runs(self) -> list[tuple[int, int]]:
        """Return the stretches of what is left that hold a letter, a digit or a character, left to right."""
        found = [match.span() for match in re.finditer(rf"[^{TAKEN}]+", self.left)]
        return [(start, end) for start, end in found if re.search(r"\w", self.left[start:end])]


def one_of(parts: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of the given patterns, longest first."""
    return re.compile("|".join(f"(?:{part})" for part in sorted(parts, key=lambda part: (-len(part), part))))


def word_pattern(words: Sequence[str]) -> str:
    """Return the pattern of literal words, longest first; a Latin word never matches inside another."""
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(_literal, ordered)) + ")"


def _literal(word: str) -> str:
    escaped = re.escape(word)
    before = r"(?<![a-z0-9])" if word[0].isascii() and word[0].isalnum() else ""
    after = r"(?![a-z0-9])" if word[-1].isascii() and word[-1].isalnum() else ""
    return f"{before}{escaped}{after}"
